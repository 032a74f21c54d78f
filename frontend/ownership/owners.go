package ownership

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Owners is who alone can reach an object, and from where to where.
type Owners struct {
	*modref.Facts
	values *mustalias.Values
	Maker  makerOf

	carriers     map[int]*carriers         // by star, as far as asked for: see carriersOf
	storedOnceOf map[int]bool              // by star, as far as asked for: see storedOnce
	inPlaceOf    map[int]bool              // likewise: see staysInPlace
	completed    map[*pointsto.Object]bool // see isCompleted
	taken        map[isolate.Location]bool // see canBeTaken
}

// makerOf returns the instruction that made star k that v, a value of the node, is or captures,
// nil if that is not known.
type makerOf func(k int, star *isolate.Star, n *pointsto.Node, v ssa.Value) ssa.Instruction

// New returns the facts about a program.
func New(values *mustalias.Values) *Owners {
	return &Owners{
		Facts: values.Facts, values: values, carriers: map[int]*carriers{}, storedOnceOf: map[int]bool{},
		inPlaceOf: map[int]bool{},
		completed: map[*pointsto.Object]bool{}, taken: map[isolate.Location]bool{},
	}
}
