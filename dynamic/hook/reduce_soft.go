package hook

import (
	"encoding/binary"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Records that may still be taken back are soft; a conflict makes them firm.

// expose makes firm what is soft of a goroutine, which is the calling one or in conflict with it.
func (g *Goroutine) expose() {
	if !reducing {
		return
	}
	g.soft.lock()
	if len(g.held) > 0 {
		g.harden()
	}
	g.exposures++
	g.direct.Store(true)
	g.soft.unlock()
}

// harden gives soft records their versions.
func (g *Goroutine) harden() {
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

// put appends a record that is soft, unless the goroutine is in a conflict: then it returns the next version of
// the object.
func (g *Goroutine) put(op trace.Op, site, object uint32, o *object) (next uint64) {
	if g.pending > 0 {
		g.pend()
	}
	if g.at == len(g.block) {
		g.full()
	}
	g.soft.lock()
	if g.direct.Load() {
		g.soft.unlock()
		arg := uint64(0)
		if o != nil {
			if op <= trace.AtomicWrite {
				op |= o.sharedBit()
			}
			arg = o.version.Add(1) - 1
		}
		g.record(op, site, object, arg)
		return arg + 1
	}
	g.putSoft(op, site, object, o)
	g.soft.unlock()
	return noVersion
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
		g.expose()
		g.retire()
	}
}
