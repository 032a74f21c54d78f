// Command page_template renders a page with a template while somebody edits it. Edit lets
// go of the lock between its steps.
package main

import (
	"io"
	"sync"
	"text/template"
)

// Page is a text with its title.
type Page struct {
	mu    sync.Mutex
	Title string
	Body  string
}

var layout = template.Must(template.New("page").Parse("{{.Title}}\n{{.Body}}\n"))

// Edit replaces the text and the title.
func (p *Page) Edit(title, body string) {
	p.mu.Lock()
	p.Title = title
	p.mu.Unlock()

	p.mu.Lock() // others may have been here
	p.Body = body
	p.mu.Unlock()
}

// Render writes the page.
func (p *Page) Render(w io.Writer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return layout.Execute(w, p)
}

func main() {
	page := &Page{}
	done := make(chan struct{})
	go func() {
		page.Edit("gopher", "an animal")
		close(done)
	}()
	if err := page.Render(io.Discard); err != nil {
		panic(err)
	}
	<-done
}
