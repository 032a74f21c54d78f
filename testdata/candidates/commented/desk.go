// Package commented has a lock that is mostly not held, and comments that say what it is for.
package commented

import "sync"

// Desk has papers.
type Desk struct {
	mu     sync.Mutex // protects papers, owner
	papers []string
	owner  string

	// These are nobody's business.
	moved int

	chairMu sync.Mutex
	// The following fields are guarded by chairMu.
	chair string
	wheel int
}

// New returns an empty desk.
func New() *Desk { return &Desk{} }

// Put adds a paper.
func (d *Desk) Put(paper, owner string) {
	d.mu.Lock()
	d.papers = append(d.papers, paper)
	d.mu.Unlock()
	d.owner = owner
}

// Clear takes all papers away.
func (d *Desk) Clear() {
	d.papers = nil
	d.owner = ""
}

// Papers returns the papers.
func (d *Desk) Papers() ([]string, string) { return d.papers, d.owner }

// Sit puts a chair there.
func (d *Desk) Sit(chair string, wheel int) {
	d.chair = chair
	d.chairMu.Lock()
	d.wheel = wheel
	d.chairMu.Unlock()
}

// Chair returns the chair.
func (d *Desk) Chair() (string, int) { return d.chair, d.wheel }
