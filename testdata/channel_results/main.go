// Command channel_results collects results until the workers are done, which a further
// goroutine tells by closing the channel. The main function stops at the first error.
package main

import (
	"fmt"
	"sync"
)

// Log is the last thing that happened.
type Log struct {
	mu   sync.Mutex
	who  int
	what string
}

// Write notes what happened.
func (l *Log) Write(who int, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.who = who
	l.what = what
}

// Last returns it. Nobody may write at the same time.
func (l *Log) Last() string {
	who := l.who
	what := l.what
	return fmt.Sprint(who, what)
}

func main() {
	log := &Log{}
	results := make(chan int, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			log.Write(i, "begins")
			results <- i - 2
			log.Write(i, "ends")
		}()
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	for r := range results {
		if r < 0 {
			break // and do not wait for the others
		}
	}
	fmt.Println(log.Last())
}
