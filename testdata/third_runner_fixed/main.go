// Command third_runner_fixed has runners start each other, wait for all, and
// record themselves as the last one. It takes all four to get any of them past
// the start.
package main

import "sync"

// Record is about the last runner.
type Record struct {
	mu     sync.Mutex
	runner int
	shoe   int
}

// Set changes the record.
func (r *Record) Set(runner, shoe int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runner = runner
	r.shoe = shoe
}

// run starts the runners with lower numbers, and runs when all are there.
func run(number int, record *Record, start, done *sync.WaitGroup) {
	defer done.Done()
	if number > 1 {
		go run(number-1, record, start, done)
	}
	start.Done()
	start.Wait()
	record.Set(number, 40+number)
}

func main() {
	record := &Record{}
	var start, done sync.WaitGroup
	start.Add(4)
	done.Add(4)
	go run(4, record, &start, &done)
	done.Wait()
}
