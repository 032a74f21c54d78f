package relevance

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Reads is which reads of the atomic set still matter.
type Reads struct {
	*modref.Facts
	values    *mustalias.Values
	lockSets  *lockset.Locks
	strict    bool                                // every read counts
	nodes     map[*pointsto.Node]*Function        // as far as asked for
	functions map[*ssa.Function]*ssaflow.Function // theirs
}

// New returns the facts about a program; strict says that every read counts.
func New(values *mustalias.Values, locks *lockset.Locks, strict bool) *Reads {
	return &Reads{Facts: values.Facts, values: values, lockSets: locks, strict: strict,
		nodes: map[*pointsto.Node]*Function{}, functions: map[*ssa.Function]*ssaflow.Function{}}
}
