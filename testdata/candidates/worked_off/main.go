// Worked_off takes its jobs off a slice, which is stored in its own variable again and again.
package main

import "sync"

type job struct {
	n    int
	next *job
}

func main() {
	var wg sync.WaitGroup
	jobs := []*job{{n: 1}, {n: 2}, {n: 3}}
	work := func() *job {
		j := jobs[0]
		jobs = jobs[1:]
		return j
	}
	rest := jobs
	for len(rest) > 0 {
		first := rest[0]
		rest = rest[1:]
		wg.Add(1)
		go func() {
			defer wg.Done()
			first.n++
			rest = rest[:len(rest):len(rest)]
		}()
	}
	wg.Wait()
	println(work().n)
}
