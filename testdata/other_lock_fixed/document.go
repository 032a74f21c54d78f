package main

import "sync"

// Document is a text with a title.
type Document struct {
	mu    sync.Mutex
	title string
	body  string
}

// CopyFrom replaces the document by a copy of src. It holds the lock of the
// document while it writes both fields.
func (d *Document) CopyFrom(src *Document) {
	title, body := src.Text()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.title = title
	d.body = body
}

// Text returns the title and the body.
func (d *Document) Text() (title, body string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	title = d.title
	body = d.body
	return title, body
}
