// Command marshaled_by_method_fixed writes records as XML and as gob. They have methods for
// that, which tell the meter.
package main

import (
	"encoding/gob"
	"encoding/xml"
	"fmt"
	"io"
	"sync"
)

// Meter counts what was written.
type Meter struct {
	mu    sync.Mutex
	count int
	bytes int
}

// Add counts a piece of output.
func (m *Meter) Add(size int) {
	m.mu.Lock()
	m.count++
	m.bytes += size
	m.mu.Unlock()
}

// Show returns both numbers.
func (m *Meter) Show() (count, bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count = m.count
	bytes = m.bytes
	return count, bytes
}

// Title is a text that counts itself when it is written as XML.
type Title struct {
	meter *Meter
	text  string
}

// MarshalText is called by encoding/xml.
func (t *Title) MarshalText() ([]byte, error) {
	t.meter.Add(len(t.text))
	return []byte(t.text), nil
}

// Blob is bytes that count themselves when they are written as gob.
type Blob struct {
	meter *Meter
	bytes []byte
}

// GobEncode is called by encoding/gob.
func (b *Blob) GobEncode() ([]byte, error) {
	b.meter.Add(len(b.bytes))
	return b.bytes, nil
}

func main() {
	first, second := &Meter{}, &Meter{}
	page := struct{ Title *Title }{&Title{first, "none"}}
	file := struct{ Blob *Blob }{&Blob{second, []byte("none")}}
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := xml.Marshal(page.Title); err != nil {
			fmt.Println(err)
		}
	})
	wg.Go(func() {
		if err := gob.NewEncoder(io.Discard).Encode(file); err != nil {
			fmt.Println(err)
		}
	})
	fmt.Println(first.Show())
	fmt.Println(second.Show())
	wg.Wait()
}
