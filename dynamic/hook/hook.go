// Package hook is compiled into instrumented programs: their rewritten source calls it at
// each access, at each operation on a synchronisation object, and where units of work
// begin and end. It records what happens (see package trace), adds noise, or lets a
// conductor decide who goes on.
//
// # Where it stops
//
// Every operation has a point directly before it. If steering is set, the goroutine calls
// steering.point there, with what it is about to do, and goes on when that returns. An
// operation that may block is then not called directly but handed to steering.perform, as a
// function that tries it and one that blocks. Without steering both cost one test of a flag
// of the goroutine. See conductor.
//
// # What it may use
//
// The standard library only. It becomes the package empire/hook of the program's GOROOT,
// beside empire/trace (the byte layout), with the file platform_runtime.go instead of
// platform_plain.go, and a file of its own in package runtime (RuntimeSource).
package hook

import (
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Goroutine is what the hooks know of one goroutine. Only that goroutine uses it. A function
// with hooks gets its own with Here when it begins.
type Goroutine struct {
	block    []byte // the block that is being filled; the next record goes to block[at:]
	at       int
	isSlot   bool
	slow     bool   // off or steering or noise is set: ask before each operation
	off      bool   // nothing is recorded
	named    uint32 // the object that it has accessed last by the name of a field, where it has to ask
	fresh    bool   // it has made objects since others could last learn of all that it had made
	number   uint32
	id       uint64 // the runtime's
	count    uint64 // records so far, up to the beginning of block
	last     int64  // when block was written last
	noise    noise
	worker   *worker              // what the conductor knows of it
	offers   []offer              // where in block a select that has not chosen yet offers to send
	operands []operand            // of the call that is about to be made
	owners   [maxOwners]ownership // see ownersOf
	reduction
	recent recent
	era    uint64        // see Seen
	alarm  atomic.Uint64 // likewise
	// the tokens of the reads since the era began, and of those that were forgotten, of all sets
	reads, forgets uint64
	calm           bool // the last access that may be left out was merged with one like it, or will be
}

// Ref is a site, with what leads from the address of an access to the object that it is an
// access to: site | class<<24 | offset<<40. The class tells objects of different types at
// one address apart; 0 is for synchronisation objects. Site number c names the type of class c.
type Ref uint64

func (r Ref) site() uint32    { return uint32(r) & 0xffffff }
func (r Ref) class() uint16   { return uint16(r >> 24) }
func (r Ref) offset() uintptr { return uintptr(r >> 40) }

// Child is a goroutine that is about to be started.
type Child struct{ number, parent uint32 }

var goroutineNumbers atomic.Uint32 // of goroutines

// Main is Here for the beginning of the main function.
func Main() *Goroutine { return Here() }

// Here returns the goroutine that calls it. One that no recorded go statement has started
// begins here.
func Here() *Goroutine {
	id := platformGoroutine()
	if g := goroutines.get(id); g != nil {
		return g
	}
	if !recording {
		return &idle
	}
	g := begin(id, goroutineNumbers.Add(1), 0)
	if steering == nil && g.number != 1 {
		strangers.Add(1)
		unannounced.add(g)
	}
	return g
}

// idle stands for every goroutine of a program that is not recorded.
var idle = Goroutine{slow: true, off: true}

// begin makes the calling goroutine known.
func begin(id uint64, number, parent uint32) *Goroutine {
	g := &Goroutine{number: number, id: id, slow: steering != nil || noiseSeed != 0}
	g.noise.seed(number)
	goroutines.set(id, g)
	if steering != nil {
		steering.begin(g)
	}
	g.record(trace.Start, 0, 0, uint64(parent))
	return g
}

// Fork announces a goroutine, before its go statement.
func (g *Goroutine) Fork(site uint32) Child {
	if g.off {
		return Child{}
	}
	c := Child{goroutineNumbers.Add(1), g.number}
	g.speaks()
	g.lets(trace.Go)
	if g.slow {
		g.point(trace.Go, site, c.number)
		if steering != nil {
			steering.fork(g, c)
		}
	}
	g.record(trace.Go, site, 0, uint64(c.number))
	return c
}

// Begin is Here at the beginning of a goroutine that Fork has announced.
func (c Child) Begin() *Goroutine {
	if c.number == 0 {
		return Here()
	}
	id := platformGoroutine()
	if old := goroutines.get(id); old != nil { // it left without End, and its number is used again
		old.speaks()
		old.flush()
	}
	return begin(id, c.number, c.parent)
}

// End is the end of the goroutine; it is deferred.
func (g *Goroutine) End() {
	if g.off {
		return
	}
	if reducing {
		g.speaks()
		g.fix()
		g.frames, g.unput, g.makers = g.frames[:0], 0, 0
		g.leave(0)
	}
	g.record(trace.End, 0, 0, 0)
	g.flush() // while closeOutput can find it
	goroutines.set(g.id, nil)
	g.release()
	if steering != nil {
		steering.end(g)
	}
}
