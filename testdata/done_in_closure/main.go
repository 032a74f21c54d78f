// Command done_in_closure fetches pages. Each goroutine has a deferred function that
// recovers from panics, and takes note of the page after it has said that it is done.
package main

import "sync"

// Report is what has been fetched.
type Report struct {
	mu    sync.Mutex
	pages []string
	size  int
}

func (r *Report) add(page string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages = append(r.pages, page)
	r.size += len(page)
}

// Fetch fetches the pages.
func (r *Report) Fetch(names []string) (pages, size int) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			page := ""
			defer func() {
				if recover() != nil {
					page = "failed"
				}
				wg.Done()
				r.add(page) // BUG: nobody waits for this
			}()
			page = fetch(name)
		}()
	}
	wg.Wait()
	pages = len(r.pages)
	size = r.size
	return pages, size
}

func fetch(name string) string { return "page " + name[:1] }

func main() {
	r := &Report{}
	if pages, size := r.Fetch([]string{"a", ""}); pages != 2 || size != 12 {
		panic("incomplete")
	}
}
