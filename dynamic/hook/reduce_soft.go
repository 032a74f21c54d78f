package hook

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Records that may still be taken back are soft; a conflict makes them firm.

// setBits is sets of a plan. Some may share a bit.
type setBits [4]atomic.Uint64

func (b *setBits) has(set uint16) bool { return b[set>>6&3].Load()>>(set&63)&1 != 0 }

func (b *setBits) add(set uint16) { b[set>>6&3].Or(1 << (set & 63)) }

// keep leaves only the sets of users.
func (b *setBits) keep(users []*user) {
	if b[0].Load()|b[1].Load()|b[2].Load()|b[3].Load() == 0 {
		return
	}
	var used [4]uint64
	for _, u := range users {
		used[u.set>>6&3] |= 1 << (u.set & 63)
	}
	for i, bits := range used {
		b[i].And(bits)
	}
}

// expose says that a goroutine, which is the calling one or in conflict with it, is in a conflict about a set.
func (g *Goroutine) expose(set uint16) {
	g.soft.lock()
	g.harden()
	g.inConflict.add(set)
	g.soft.unlock()
}

// harden gives soft records their versions.
func (g *Goroutine) harden() {
	if len(g.held) == 0 {
		return
	}
	g.exposures++
	n := 0
	for at := g.low; at < g.high; at += trace.RecordSize {
		op := trace.Op(g.block[at])
		if op&trace.Soft == 0 {
			continue
		}
		o := g.held[n]
		n++
		if op &^= trace.Soft; o != nil {
			if op <= trace.AtomicWrite {
				op |= o.sharedBit()
			}
			binary.LittleEndian.PutUint64(g.block[at+8:], o.version.Add(1)-1)
		}
		g.block[at] = byte(op)
	}
	clear(g.held)
	g.held, g.hardened = g.held[:0], g.high
}

// put appends a record that is soft, unless it is of a set that the goroutine is in a conflict about: then it makes
// firm what is before it, and returns the next version of the object.
func (g *Goroutine) put(op trace.Op, site, object uint32, o *object, set uint16) (next uint64) {
	if g.at == len(g.block) {
		g.full()
	}
	g.soft.lock()
	if set == 0 || !g.inConflict.has(set) {
		g.putSoft(op, site, object, o)
		g.soft.unlock()
		return noVersion
	}
	g.harden()
	g.soft.unlock()
	if op <= trace.AtomicWrite {
		op |= o.sharedBit()
	}
	version := o.version.Add(1) - 1
	g.record(op, site, object, version)
	return version + 1
}

// putSoft appends a soft record; there is room.
func (g *Goroutine) putSoft(op trace.Op, site, object uint32, o *object) {
	if len(g.held) == 0 {
		g.low = g.at
	}
	b := g.block[g.at : g.at+trace.RecordSize : len(g.block)]
	binary.LittleEndian.PutUint64(b, uint64(op|trace.Soft)|uint64(site)<<8|uint64(object)<<32)
	g.held = append(g.held, o)
	g.at += trace.RecordSize
	g.high = g.at
}

// settle makes firm what is soft, before something else takes a version. Frames take none.
func (g *Goroutine) settle() {
	for _, o := range g.held {
		if o != nil {
			g.fix()
			return
		}
	}
}

// fix makes firm all that is soft.
func (g *Goroutine) fix() {
	if len(g.held) > 0 {
		g.soft.lock()
		g.harden()
		g.soft.unlock()
		g.retire()
	}
}
