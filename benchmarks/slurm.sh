#!/bin/sh
# Grade a class on a SLURM cluster: sbatch benchmarks/slurm.sh CLASS OUT
#
# One task runs the scheduler and `attn grade`, the others the workers, in this job alone. Each node
# needs `pip install 'attention-kit[cluster]'` of one version; the kit's graders and solutions are
# read here, where `attn grade` runs, and travel over the network only. CLASS and OUT are read and
# written by this node alone. With CERTS=DIR (ca.pem, node.pem, node-key.pem on a disk that all
# nodes see; docs/instructor.md, "On a cluster") everything travels under TLS: a network that
# others can listen on needs it. A job that is stopped or requeued goes on where it was.
#SBATCH --job-name=attn
#SBATCH --ntasks=9
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=01:00:00
#SBATCH --signal=B:TERM@60
set -eu
class=$1 out=$2
scheme=tcp
if [ -n "${CERTS:-}" ]; then
    scheme=tls
    export DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION=True
    export DASK_DISTRIBUTED__COMM__TLS__CA_FILE="$CERTS/ca.pem"
    for part in SCHEDULER WORKER CLIENT; do
        export "DASK_DISTRIBUTED__COMM__TLS__${part}__CERT=$CERTS/node.pem"
        export "DASK_DISTRIBUTED__COMM__TLS__${part}__KEY=$CERTS/node-key.pem"
    done
fi
# Two jobs on one node must not meet at one port.
port=$((20000 + SLURM_JOB_ID % 20000))
address="$scheme://$(hostname):$port"
place=/tmp/attn-$SLURM_JOB_ID # on each worker's own disk; Dask keeps locks there, no grader

grading='' scheduler=''
# Workers end by themselves with their scheduler.
trap 'kill $grading $scheduler 2>/dev/null || true; wait; rm -rf "$place"' EXIT
trap 'kill -TERM $grading 2>/dev/null || exit 143' TERM # `attn grade` writes what is done

dask scheduler --protocol "$scheme" --port "$port" --no-dashboard &
scheduler=$!
# One process a core: a worker has several submissions in flight by itself.
srun --ntasks=$((SLURM_NTASKS - 1)) \
    dask worker "$address" --nthreads 1 --local-directory "$place" --no-dashboard &

attn grade "$class" --out "$out" --cluster "$address" --require-isolation &
grading=$!
code=0
wait "$grading" || code=$?
if kill -0 "$grading" 2>/dev/null; then # the wait above was cut short by a signal
    code=0
    wait "$grading" || code=$?
fi
grading=''
exit "$code"
