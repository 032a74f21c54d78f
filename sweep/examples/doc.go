// Package examples has no code: it is workers of a pool as a Kubernetes Job, a Slurm array and an HTCondor submit file,
// which its tests run against a node on loopback. See README.md.
package examples
