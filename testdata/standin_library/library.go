// Package library has owners of pairs.
package library

import (
	"sync"

	"github.com/empire-go/empire-go/testdata/standin_library/internal/part"
	"github.com/empire-go/empire-go/testdata/standin_library/plain"
)

// Owner has a pair of each kind.
type Owner struct {
	mu    sync.Mutex
	right *part.Right
	wrong *part.Wrong
	zero  part.Zero // not made by NewZero
	spare *part.Zero
	plain *plain.Wrong
}

// New returns an owner.
func New() *Owner {
	return &Owner{right: part.NewRight(), wrong: part.NewWrong(), spare: part.NewZero(), plain: plain.NewWrong()}
}

// Set sets the pairs.
func (o *Owner) Set(v int) {
	o.right.Set(v)
	o.spare.Set(v)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wrong.Set(v)
	o.plain.Set(v)
	o.zero.Set(v)
}

// AreSame tells whether the numbers of each pair are the same.
func (o *Owner) AreSame() bool {
	if !o.right.IsSame() {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.wrong.IsSame() && o.zero.IsSame() && o.plain.IsSame()
}

// IsEven tells whether the numbers of a pair of anybody's are the same.
func IsEven(p *plain.Wrong) bool { return p.IsSame() }
