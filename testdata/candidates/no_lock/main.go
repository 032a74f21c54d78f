// Command no_lock tells a watcher how far it is.
package main

import (
	"sync"
	"sync/atomic"
)

// Progress is how far something is.
type Progress struct {
	name  string
	done  int
	label string
	reads atomic.Int64
	asked int64
}

func (p *Progress) step(label string) {
	p.done++
	p.label = label
}

func (p *Progress) show() {
	p.reads.Add(1)
	atomic.AddInt64(&p.asked, 1)
	println(p.name, p.done, p.label)
}

func main() {
	p := &Progress{name: "copy"}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(p.show)
	}
	p.step("begin")
	wg.Wait()
}
