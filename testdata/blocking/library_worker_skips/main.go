// Package library_worker_skips: a worker that has nothing to do does not say that it is done.
package library_worker_skips

import "sync"

// Each visits the parts of a text at once.
func Each(parts []string, visit func(string)) {
	var workers sync.WaitGroup
	for _, part := range parts {
		workers.Add(1)
		go func() {
			if part == "" {
				return
			}
			visit(part)
			workers.Done()
		}()
	}
	workers.Wait() // want blocked
}
