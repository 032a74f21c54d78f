// Command led_to has a resolver with a lock, and what is made and used while that is held: what the resolver
// keeps is guarded by the lock, and what it only returns is not.
package main

import (
	"fmt"
	"sync"
)

// A resolver remembers where names lead.
type resolver struct {
	mu    sync.Mutex
	known map[string]*entry
	last  *trace
}

// An entry is kept in the resolver.
type entry struct {
	path string
	uses int
}

// A trace is returned, and the resolver keeps the last one as well.
type trace struct {
	steps []string
	depth int
}

// A result is returned, and belongs to who asked.
type result struct {
	path  string
	flags []string
}

func (r *resolver) resolve(name string) (*result, *trace) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q, way := &query{name: name}, &trace{}
	q.found = &result{}
	r.last = way
	r.fill(q)
	r.follow(name, way)
	return q.found, way
}

// A query is what is asked.
type query struct {
	name  string
	found *result
}

func (r *resolver) fill(q *query) {
	e := r.known[q.name]
	if e == nil {
		e = &entry{}
		r.known[q.name] = e
	}
	e.path, e.uses = q.name, e.uses+1
	q.found.path = e.path
	q.found.flags = append(q.found.flags, q.name)
}

func (r *resolver) follow(name string, way *trace) {
	way.steps = append(way.steps, name)
	way.depth++
}

func main() {
	r := &resolver{known: map[string]*entry{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			found, way := r.resolve("a")
			fmt.Println(found.path, found.flags, way.depth, way.steps)
		})
	}
	wg.Wait()
}
