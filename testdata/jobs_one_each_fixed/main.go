// Command jobs_one_each_fixed makes a slice of jobs and hands one to each goroutine.
package main

import "sync"

// Job is a number to be doubled.
type Job struct {
	input  int
	output int
}

// Run does the job.
func (j *Job) Run(input int) {
	j.input = input
	j.output = 2 * j.input
}

// Output returns the result.
func (j *Job) Output() int {
	return j.output
}

// newJobs returns n jobs that have not been run.
func newJobs(n int) []*Job {
	jobs := make([]*Job, n)
	for i := range jobs {
		jobs[i] = new(Job)
	}
	return jobs
}

func main() {
	jobs := newJobs(3)
	var wg sync.WaitGroup
	for i, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			job.Run(i + 1)
		}()
	}
	wg.Wait()

	sum := 0
	for _, job := range jobs {
		sum += job.Output()
	}
	if sum == 0 {
		panic("nothing done")
	}
}
