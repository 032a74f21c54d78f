// Package library_worker_skips_fixed: the mended library_worker_skips. Each worker is done in the end.
package library_worker_skips_fixed

import "sync"

// Each visits the parts of a text at once.
func Each(parts []string, visit func(string)) {
	var workers sync.WaitGroup
	for _, part := range parts {
		workers.Add(1)
		go func() {
			defer workers.Done()
			if part == "" {
				return
			}
			visit(part)
		}()
	}
	workers.Wait()
}
