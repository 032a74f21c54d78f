package relevance

import (
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Reads is which reads of the atomic set still matter.
type Reads struct {
	*modref.Facts
	values   *mustalias.Values
	lockSets *lockset.Locks
	strict   bool                         // every read counts
	nodes    map[*pointsto.Node]*Function // as far as asked for
}

// New returns the facts about a program; strict says that every read counts.
func New(values *mustalias.Values, locks *lockset.Locks, strict bool) *Reads {
	return &Reads{Facts: values.Facts, values: values, lockSets: locks, strict: strict,
		nodes: map[*pointsto.Node]*Function{}}
}
