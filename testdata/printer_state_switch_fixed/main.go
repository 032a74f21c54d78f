// Command printer_state_switch_fixed has a printer that is idle, printing, or out of order.
package main

import "sync"

// The states of a printer.
const (
	idle = iota
	printing
	broken
)

// Printer has a state, and pages.
type Printer struct {
	mu    sync.Mutex
	state int
	pages []string
}

// Print prints what is rendered, if the printer is idle then.
func (p *Printer) Print(render func() string) bool {
	p.mu.Lock()
	switch p.state {
	case printing, broken:
		p.mu.Unlock()
		return false
	}
	p.mu.Unlock()

	page := render()

	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.state {
	case printing, broken:
		return false
	}
	p.state = printing
	p.pages = append(p.pages, page)
	return true
}

// Jam says that paper is jammed.
func (p *Printer) Jam() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = broken
}

func main() {
	printer := &Printer{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { printer.Print(func() string { return "page" }) })
	}
	wg.Go(printer.Jam)
	wg.Wait()
}
