// Command confined has plain structs of which several goroutines make and use objects, each of them its own,
// or hand them over for good.
package main

import (
	"fmt"
	"sync"
)

// A parser is made by who parses.
type parser struct {
	text string
	at   int
}

func (p *parser) next() byte {
	p.at++
	p.text = p.text[1:]
	return p.text[0]
}

func parse(text string) *node {
	p := &parser{text: text}
	return &node{value: p.next()}
}

// A node is part of what was parsed, and returned.
type node struct {
	value byte
	depth int
}

func (n *node) sink() { n.value, n.depth = n.value+1, n.depth+1 }

// A parcel is sent away for good: who made it does not look at it again.
type parcel struct{ items, weight int }

func (p *parcel) pack(n int) { p.items, p.weight = p.items+n, p.weight+10*n }

func send(to chan<- *parcel) {
	for i := range 3 {
		p := &parcel{}
		p.pack(i)
		to <- p
	}
}

// A job is handed to one goroutine, which is the only one that has it.
type job struct{ input, output int }

func (j *job) run() { j.input, j.output = j.output, j.input }

func start(n int) {
	for i := range n {
		j := &job{input: i}
		go j.run()
	}
}

// Settings are complete before there is another goroutine.
type settings struct {
	name string
	size int
}

func (s *settings) set(name string) { s.name, s.size = name, len(name) }

var current = &settings{}

func main() {
	current.set("a")
	current.set("b")
	parcels := make(chan *parcel)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			n := parse("abc")
			n.sink()
			fmt.Println(n.value, i, current.name, current.size)
		})
		go send(parcels)
		start(i)
	}
	for range 6 {
		p := <-parcels
		p.pack(1)
		fmt.Println(p.items, p.weight)
	}
	wg.Wait()
}
