#!/bin/bash
# Workers of a pool as a Slurm array: sbatch slurm.sh. They take tasks until there are none; a job that is preempted, or
# reaches its time, loses nothing. The checkout is the directory of the submission, on a file system that all nodes see.
#SBATCH --job-name=empire-workers
#SBATCH --array=1-32
#SBATCH --cpus-per-task=4
#SBATCH --mem=32G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=empire-%A-%a.log
set -euo pipefail

# One child for two processors: loading and garbage collection use both.
exec empire-go sweep worker \
	--connect tls://pool.example.com:4222 \
	--token-file "${EMPIRE_TOKEN:-$HOME/.empire/token}" \
	--tls-ca "${EMPIRE_CA:-$HOME/.empire/ca.pem}" \
	--dir "${SLURM_SUBMIT_DIR:-.}" \
	--slots $((${SLURM_CPUS_PER_TASK:-2} / 2)) \
	--name "slurm-${SLURM_ARRAY_JOB_ID:-0}-${SLURM_ARRAY_TASK_ID:-0}" \
	--idle 1m \
	--log info
