// Command httpserver counts the requests of a net/http server, knows who has come, and
// counts what is logged. Each of the three types has a bug.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
)

// Hits counts requests in all and by path.
type Hits struct {
	mu    sync.Mutex
	total int
	paths map[string]int
}

// NewHits returns a count of nothing.
func NewHits() *Hits { return &Hits{paths: map[string]int{}} }

func (h *Hits) add(path string) {
	h.mu.Lock()
	h.total++
	h.mu.Unlock()
	h.mu.Lock() // the total is there to be seen without the path
	h.paths[path]++
	h.mu.Unlock()
}

func (h *Hits) counts() (total, paths int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total, len(h.paths)
}

// ServeHTTP counts the request and tells how many there were.
func (h *Hits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.add(r.URL.Path)
	total, paths := h.counts()
	fmt.Fprintln(w, total, paths)
}

// Visitors is who has come, and who came last.
type Visitors struct {
	mu   sync.RWMutex
	seen map[string]int
	last string
}

// NewVisitors returns a list of nobody.
func NewVisitors() *Visitors { return &Visitors{seen: map[string]int{}} }

func (v *Visitors) add(name string) {
	v.mu.RLock()
	_, known := v.seen[name]
	v.mu.RUnlock()
	if known {
		return
	}
	v.mu.Lock() // somebody else may have added the name since
	defer v.mu.Unlock()
	v.seen[name] = len(v.seen)
	v.last = name
}

// ServeHTTP notes who asks.
func (v *Visitors) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.add(r.RemoteAddr)
	v.mu.RLock()
	defer v.mu.RUnlock()
	fmt.Fprintln(w, v.last, v.seen[v.last])
}

// Lines counts what goes through it to another writer.
type Lines struct {
	mu           sync.Mutex
	lines, bytes int
	to           io.Writer
}

// NewLines returns a count of nothing.
func NewLines(to io.Writer) *Lines { return &Lines{to: to} }

// Write counts and writes a line.
func (l *Lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	l.lines++
	l.mu.Unlock()
	l.mu.Lock() // the line is there to be seen without its bytes
	l.bytes += len(line)
	l.mu.Unlock()
	return l.to.Write(line)
}

// ServeHTTP tells how much there is.
func (l *Lines) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	lines := l.lines
	bytes := l.bytes
	l.mu.Unlock()
	if lines > 0 {
		fmt.Fprintln(w, bytes/lines)
	}
}

func main() {
	lines := NewLines(os.Stderr)
	log.SetOutput(lines)
	http.Handle("/lines", lines)
	http.Handle("/visitors", NewVisitors())
	http.Handle("/", NewHits())
	log.Fatal(http.ListenAndServe(":8080", nil))
}
