// Command owned_buffer_fixed counts the bytes of a journal; a page that is printed beside it
// has a buffer of its own.
package main

import (
	"bytes"
	"fmt"
	"sync"
)

// Journal is text and how many entries it has.
type Journal struct {
	mu      sync.Mutex
	text    bytes.Buffer
	entries int
}

// Add adds an entry.
func (j *Journal) Add(entry string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.text.WriteString(entry)
	j.entries++
}

// Read returns the text and the number of entries.
func (j *Journal) Read() (string, int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	text := j.text.String()
	entries := j.entries
	return text, entries
}

// page is text for one reader.
type page struct {
	text  bytes.Buffer
	lines int
}

func (p *page) line(s string) {
	p.text.WriteString(s)
	p.text.WriteByte('\n')
	p.lines++
}

func printPage(title string) {
	p := &page{}
	p.line(title)
	p.line("--")
	fmt.Print(p.text.String(), p.lines, "\n")
}

func main() {
	j := &Journal{}
	var done sync.WaitGroup
	done.Go(func() { j.Add("a") })
	done.Go(func() { fmt.Println(j.Read()) })
	done.Go(func() { printPage("first") })
	done.Go(func() { printPage("second") })
	done.Wait()
}
