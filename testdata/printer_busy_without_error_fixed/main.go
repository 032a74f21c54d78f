// Command printer_busy_without_error_fixed prints documents. Who waits for the
// printer gives up when its context ends.
package main

import (
	"context"
	"sync"
	"time"
)

const warmUp = time.Millisecond

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
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release lets others print.
func (p *Printer) release() {
	<-p.busy
}

// Print prints a document.
func (p *Printer) Print(ctx context.Context, document string, copies int) error {
	if err := p.acquire(ctx); err != nil {
		return err
	}
	defer p.release()
	p.document = document
	time.Sleep(warmUp)
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
