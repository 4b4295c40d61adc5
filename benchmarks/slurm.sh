#!/bin/sh
# Grade a class on a SLURM cluster: sbatch benchmarks/slurm.sh CLASS OUT
#
# One task runs the scheduler, the others the workers, in this job alone. The nodes need
# `pip install 'attention-kit[cluster]'` of the same version; graders and solutions are read here,
# where `attn grade` runs, and travel over the network only. On a network that others can listen
# on, give Dask certificates (docs/instructor.md, "On a cluster") and use tls:// below.
#SBATCH --job-name=attn
#SBATCH --ntasks=9
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=01:00:00
set -eu
class=$1 out=$2
place=$(mktemp -d)
trap 'kill $scheduler $workers 2>/dev/null; rm -rf "$place"' EXIT
address="tcp://$(hostname):8786"

dask scheduler --port 8786 --no-dashboard &
scheduler=$!
# One process a core: a worker has several submissions in flight by itself.
srun --ntasks=$((SLURM_NTASKS - 1)) \
    dask worker "$address" --nthreads 1 --local-directory "$place" --no-dashboard &
workers=$!
sleep 5

attn grade "$class" --out "$out" --cluster "$address" --require-isolation
