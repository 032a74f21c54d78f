// Package passed_on has messages and scratch objects, which belong to who has them.
package passed_on

import "sync"

// Press prints jobs.
type Press struct {
	mu      sync.Mutex
	jobs    chan *job
	pool    sync.Pool
	printed []string
	last    string
}

// A job is sent to who prints it.
type job struct {
	text   string
	copies int
}

// A page is put back into the pool.
type page struct {
	line  string
	lines int
}

// New returns a press.
func New() *Press { return &Press{jobs: make(chan *job)} }

// Order sends a job.
func (p *Press) Order(text string) {
	j := &job{}
	p.mu.Lock()
	j.text = text
	j.copies++
	p.mu.Unlock()
	p.jobs <- j
}

// Print prints a job.
func (p *Press) Print() {
	j := <-p.jobs
	p.mu.Lock()
	defer p.mu.Unlock()
	j.copies--
	sheet, _ := p.pool.Get().(*page)
	if sheet == nil {
		sheet = &page{}
	}
	sheet.line = j.text
	sheet.lines++
	p.printed = append(p.printed, sheet.line)
	p.last = sheet.line
	p.pool.Put(sheet)
}

// Last returns what was printed last.
func (p *Press) Last() (string, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last, len(p.printed)
}
