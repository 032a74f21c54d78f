// Command result_waited_for loads each page once: who asks for one that is being
// loaded waits for the result. But the number of bytes is counted later.
package main

import "sync"

type result struct {
	done  chan struct{} // closed when the rest is filled in
	text  string
	bytes int
}

// Loader knows the results that have been asked for.
type Loader struct {
	mu      sync.Mutex
	results map[string]*result
}

// Load returns a page.
func (l *Loader) Load(name string) (string, int) {
	l.mu.Lock()
	r, ok := l.results[name]
	if ok {
		l.mu.Unlock()
		<-r.done
		return r.text, r.bytes
	}
	r = l.start(name)
	l.mu.Unlock()
	<-r.done
	return r.text, r.bytes
}

// start begins to load a page; the caller holds the lock.
func (l *Loader) start(name string) *result {
	r := &result{done: make(chan struct{})}
	l.results[name] = r
	go func() {
		r.text = "page " + name
		close(r.done)
		r.bytes = len(r.text) // somebody may be looking already
	}()
	return r
}

func main() {
	l := &Loader{results: map[string]*result{}}
	var wg sync.WaitGroup
	wg.Go(func() { l.Load("index") })
	wg.Go(func() { l.Load("index") })
	wg.Wait()
	println(l.Load("index"))
}
