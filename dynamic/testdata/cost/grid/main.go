// Command grid computes how heat spreads on a plate: each worker has a band of rows, and all wait for each other behind
// each step.
package main

import (
	"fmt"
	"sync"
)

// Barrier lets nobody go on until all have come.
type Barrier struct {
	mu      sync.Mutex
	all     sync.Cond
	n       int
	waiting int
	round   int
}

// NewBarrier returns a barrier for so many.
func NewBarrier(n int) *Barrier {
	b := &Barrier{n: n}
	b.all.L = &b.mu
	return b
}

// Wait waits for the others.
func (b *Barrier) Wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	if b.waiting++; b.waiting == b.n {
		b.waiting = 0
		b.round++
		b.all.Broadcast()
		return
	}
	for round == b.round {
		b.all.Wait()
	}
}

// Plate is what is computed: the values of one step and of the next one.
type Plate struct {
	mu      sync.Mutex
	cells   [2][][]float64
	steps   int
	largest float64 // change of a cell in the step
	done    bool
}

// NewPlate returns a plate that is hot on one side.
func NewPlate(rows, columns int) *Plate {
	p := &Plate{}
	for i := range p.cells {
		p.cells[i] = make([][]float64, rows)
		for y := range p.cells[i] {
			p.cells[i][y] = make([]float64, columns)
			p.cells[i][y][0] = 100
		}
	}
	return p
}

// spread computes the rows from one on up to another, and returns the largest change.
func (p *Plate) spread(from, to, step int) (largest float64) {
	old, next := p.cells[step%2], p.cells[(step+1)%2]
	for y := from; y < to; y++ {
		up, row, down, out := old[y-1], old[y], old[y+1], next[y]
		for x := 1; x < len(row)-1; x++ {
			out[x] = (up[x] + down[x] + row[x-1] + row[x+1]) / 4
			largest = max(largest, out[x]-row[x], row[x]-out[x])
		}
	}
	return largest
}

// changed says how much a band has changed.
func (p *Plate) changed(by float64) {
	p.mu.Lock()
	p.largest = max(p.largest, by)
	p.mu.Unlock()
}

// next ends a step. It tells whether there is another one.
func (p *Plate) next(limit int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps++
	p.done = p.steps >= limit || p.largest < 1e-9
	p.largest = 0
	return !p.done
}

// isDone tells whether nothing is left to do.
func (p *Plate) isDone() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}

func main() {
	const workers, rows, columns, steps = 4, 130, 128, 1_500
	p, b := NewPlate(rows, columns), NewBarrier(workers)
	var wg sync.WaitGroup
	for g := range workers {
		wg.Go(func() {
			from, to := 1+g*(rows-2)/workers, 1+(g+1)*(rows-2)/workers
			for step := 0; ; step++ {
				p.changed(p.spread(from, to, step))
				b.Wait()
				if g == 0 {
					p.next(steps)
				}
				b.Wait()
				if p.isDone() {
					return
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(p.steps)
}
