// Command revision_of_first_look adds revisions to a document, up to a number of
// them.
package main

import (
	"strings"
	"sync"
)

const most = 10

// Document has a number of revisions.
type Document struct {
	mu       sync.RWMutex
	revision int
}

// Revision returns the number of the last revision.
func (d *Document) Revision() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.revision
}

// Edit adds a revision, if the text is different and there are not too many.
func (d *Document) Edit(before, after string) bool {
	revision := d.Revision()
	if revision >= most {
		return false
	}
	if strings.EqualFold(before, after) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.revision >= most {
		return false
	}
	d.revision = revision + 1 // BUG: that of the first look
	return true
}

func main() {
	document := &Document{revision: 1}
	var wg sync.WaitGroup
	for _, after := range []string{"a rose", "a rose is a rose"} {
		wg.Go(func() { document.Edit("rose", after) })
	}
	wg.Wait()
	if document.Revision() == 1 {
		panic("not edited")
	}
}
