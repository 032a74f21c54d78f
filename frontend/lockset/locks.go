package lockset

import (
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Locks is which locks are held where.
type Locks struct {
	*modref.Facts
	ownLocks map[*pointsto.Object]*ownLocks // nil until it is asked for: see ownLocksOf
	// that operate on a lock, or call those that do, as far as asked for
	lockers  map[pointsto.Cell]map[*pointsto.Node]bool
	balanced map[pointsto.Cell]bool   // answers of isReleasedByHolders
	loggers  map[int]*pointsto.Object // answers of LoggerOf
}

// New returns the facts about a program.
func New(facts *modref.Facts) *Locks {
	return &Locks{
		Facts: facts, lockers: map[pointsto.Cell]map[*pointsto.Node]bool{}, balanced: map[pointsto.Cell]bool{},
		loggers: map[int]*pointsto.Object{},
	}
}
