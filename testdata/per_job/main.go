// Command per_job fills one report for each job concurrently and prints them
// when all jobs are done. The report is allocated outside the loop, so all jobs
// fill the same one.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Report is what is known of a finished job. It is not safe for concurrent use.
type Report struct {
	job     string
	seconds float64
}

// Fill stores the result of a job.
func (r *Report) Fill(job string, took time.Duration) {
	r.job = job
	r.seconds = took.Seconds()
}

// Line returns the report as a line of text.
func (r *Report) Line() string {
	job := r.job
	seconds := r.seconds
	return fmt.Sprintf("%s: %.1f s", job, seconds)
}

func main() {
	jobs := []string{"fetch", "parse", "store"}
	reports := make([]*Report, len(jobs))

	var wg sync.WaitGroup
	report := &Report{} // one for all jobs
	for i, job := range jobs {
		reports[i] = report
		wg.Add(1)
		go func() {
			defer wg.Done()
			report.Fill(job, time.Duration(len(job))*time.Second)
		}()
	}
	wg.Wait()

	for _, report := range reports {
		fmt.Println(report.Line())
	}
}
