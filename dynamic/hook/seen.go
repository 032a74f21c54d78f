package hook

import (
	"sync/atomic"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Seen is an access that a function has made, in a variable of the function: one like it, to the same address, is left
// out in the function itself, by two comparisons, as long as nothing has happened since but accesses of its own. The
// code that shares a Seen is of one function, and its accesses are of one kind, to one field, forget the same reads,
// and are forgotten by the same.
//
// The hook of the later access would have merged it with the first one, or noted it behind the first one's note, which
// is merged with that if it is ever taken over (see reduce_merge.go). For what could keep it from that changes the sum
// of what Seen is compared with:
//
//   - era, when the goroutine does anything else than to access, and when it forgets a read, or makes one, see minds;
//   - alarm, when somebody else, or the goroutine itself, finds it in a conflict, or takes over its notes, and when
//     somebody in a conflict with it records something;
//   - shifts, when the registry forgets an owner of memory, or a unit begins to do anything else than to increment
//     something of a set of which something is incremented (see turns);
//   - the collections of memory there have been: until the next one, what is at the address stays what it is.
//
// Each of them only grows, so the sum is the same only if all are. It is taken before the first access is looked at: an
// alarm that comes meanwhile is none of the past. What is not merged, for whatever reason, is not seen: see calm.
//
// # Rounds of loops
//
// In a loop over what a field holds each round may begin units anew and then read the field, and do nothing else. A
// round is left out as a whole if it would do what the one before has done, and nothing has happened since: its units
// would have that one read, at a place where nobody has come in between, so they would be part of the same matches.
// What is behind the loop begins units anew, too, so nothing else gets into those of the round that stands for the
// others; a jump out of the loop to anywhere else would let it, and then no round is left out. TestReduced has such
// loops.
type Seen struct {
	at  uintptr
	to  uintptr // what is there, if the field leads to memory and that is noted
	sum uint64
}

// nowhere is where no field leads.
const nowhere = ^uintptr(0)

var shifts atomic.Uint64

// sum changes with whatever keeps accesses from being like those before.
func (g *Goroutine) sum() uint64 {
	return g.era + g.alarm.Load() + shifts.Load() + uint64(platformCycle())
}

// minds keeps what was seen from meaning something else: a read that something forgets is not like the one before that,
// and what forgets a read is not like what has come before the read.
func (g *Goroutine) minds(s *trace.ReducedSite) {
	if s.Forgets|uint64(s.Token) != 0 {
		g.mindsReads(s)
	}
}

func (g *Goroutine) mindsReads(s *trace.ReducedSite) {
	read := uint64(1) << s.Token &^ 1
	if s.Forgets&g.reads|read&g.forgets != 0 {
		g.era++
		g.reads, g.forgets = 0, 0
	}
	g.reads, g.forgets = g.reads|read, g.forgets|s.Forgets
}

// access accesses, and notes what was seen.
func (s *Seen) access(g *Goroutine, op trace.Op, p unsafe.Pointer, ref Ref) {
	if g.off {
		return
	}
	sum := g.sum()
	g.calm = false
	g.access(op, p, ref)
	if s.at = 0; g.calm {
		s.at, s.to, s.sum = uintptr(p), nowhere, sum
	}
}

// accessLeading is access for a field that leads to memory.
func (s *Seen) accessLeading(g *Goroutine, p unsafe.Pointer, ref Ref, field uint16) {
	if g.off {
		return
	}
	sum := g.sum()
	g.calm = false
	g.accessLeading(p, ref, field)
	if s.at = 0; g.calm {
		s.at, s.to, s.sum = uintptr(p), *(*uintptr)(p), sum
	}
}

// Same tells whether an access to p is one that was seen.
func Same[F any](g *Goroutine, p *F, s *Seen) bool {
	return s.at == uintptr(unsafe.Pointer(p)) && s.sum == g.sum()
}

// SameLeading is Same for a field that leads to memory: it has not changed, either.
func SameLeading[F any](g *Goroutine, p *F, s *Seen) bool {
	return s.at == uintptr(unsafe.Pointer(p)) && s.to == *(*uintptr)(unsafe.Pointer(p)) && s.sum == g.sum()
}

// Sees records an access that is not the same as one that was seen. It returns true, to be part of a condition.
func Sees[F any](g *Goroutine, op uint8, p *F, ref Ref, s *Seen) bool {
	s.access(g, trace.Op(op), unsafe.Pointer(p), ref)
	return true
}

// SeesLeading is Sees for a read of a field that leads to memory.
func SeesLeading[F any](g *Goroutine, p *F, ref Ref, field uint16, s *Seen) bool {
	s.accessLeading(g, unsafe.Pointer(p), ref, field)
	return true
}

// Of is the address of a field that is about to be accessed, after a condition has been evaluated:
// *Of(&x.f, Same(g, &x.f, s) || Sees(g, op, &x.f, ref, s)). So what is seen costs no call: Go puts a function in the
// place of its call only if that is small, and one with the call of a hook in it is not.
func Of[F any](p *F, _ bool) *F { return p }

// Noted stands opposite _ in an assignment, after a condition has been evaluated.
func Noted(bool) None { return None{} }
