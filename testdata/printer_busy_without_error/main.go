// Command printer_busy_without_error prints documents. Who finds the printer busy
// for too long gives up.
package main

import (
	"context"
	"sync"
	"time"
)

const patience = time.Millisecond

// Printer prints one document at a time.
type Printer struct {
	busy     chan struct{}
	document string
	copies   int
}

// NewPrinter returns a printer.
func NewPrinter() *Printer {
	return &Printer{busy: make(chan struct{}, 1)}
}

// acquire waits for the printer.
func (p *Printer) acquire(ctx context.Context) error {
	select {
	case p.busy <- struct{}{}:
		return nil
	case <-time.After(patience):
		return ctx.Err() // BUG: may be nil
	}
}

// release lets others print.
func (p *Printer) release() {
	select {
	case <-p.busy:
	default:
	}
}

// Print prints a document.
func (p *Printer) Print(ctx context.Context, document string, copies int) error {
	if err := p.acquire(ctx); err != nil {
		return err
	}
	defer p.release()
	p.document = document
	time.Sleep(5 * patience) // warm up
	p.copies = copies
	return nil
}

// Letters returns how many letters have been printed of the last document.
func (p *Printer) Letters(ctx context.Context) (int, error) {
	if err := p.acquire(ctx); err != nil {
		return 0, err
	}
	defer p.release()
	letters := len(p.document)
	copies := p.copies
	return letters * copies, nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	printer := NewPrinter()
	var wg sync.WaitGroup
	for i, document := range []string{"a will", "a bill"} {
		wg.Go(func() {
			if err := printer.Print(ctx, document, i+1); err != nil {
				panic(err)
			}
		})
	}
	wg.Go(func() {
		if letters, err := printer.Letters(ctx); err != nil || letters < 0 {
			panic("no letters")
		}
	})
	wg.Wait()
}
