package main

import "sync"

// Document is a text with a title.
type Document struct {
	mu    sync.Mutex
	title string
	body  string
}

// CopyFrom replaces the document by a copy of src. It locks src, but not the
// document that it writes.
func (d *Document) CopyFrom(src *Document) {
	src.mu.Lock() // d.mu is missing
	defer src.mu.Unlock()
	d.title = src.title
	d.body = src.body
}

// Text returns the title and the body.
func (d *Document) Text() (title, body string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	title = d.title
	body = d.body
	return title, body
}
