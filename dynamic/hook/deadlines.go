package hook

import (
	"context"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// deadline is a context that ends by itself, when its time has come. A goroutine that is forked where the context is
// made stands for its timer. No hook is in the step in which the channel is closed; so whoever sees that it is closed
// has the record made before that of the look, and whoever saw it open has held the channel while that was recorded.
// What nobody looks at is recorded when package context says that it has happened.
type deadline struct {
	Ended
	ctx   context.Context
	own   unsafe.Pointer // its channel
	from  unsafe.Pointer // that of the context that it was made of
	up    *deadline      // the one by which that ends, nil if it does not end by itself
	timer Child
	stop  func() bool // asking package context
	told  bool        // that it has ended; children are locked
}

// watched is how many contexts end by themselves and have not ended, telling of how many the end is being recorded.
var watched, telling atomic.Int64

// watch keeps that a context ends by itself, if it does, and not only with the one that it was made of.
func (e Ended) watch(g *Goroutine, ctx context.Context, own, from unsafe.Pointer) {
	at, ok := ctx.Deadline()
	if !ok {
		return
	}
	children.Lock()
	up := children.deadlines[from]
	children.Unlock()
	if up != nil {
		if before, _ := up.ctx.Deadline(); before.Equal(at) {
			children.Lock()
			children.deadlines[own] = up
			children.Unlock()
			return
		}
	}
	d := &deadline{Ended: e, ctx: ctx, own: own, from: from, up: up, timer: g.Fork(e.site)}
	watched.Add(1)
	children.Lock()
	defer children.Unlock()
	children.deadlines[own] = d
	d.stop = context.AfterFunc(ctx, d.end)
}

// seen has the record made of the end of a context that its channel tells of, if it has ended by itself and there is
// none.
func seen(channel unsafe.Pointer) {
	if channel == nil {
		return
	}
	defer awaitTold()
	if watched.Load() == 0 {
		return
	}
	children.Lock()
	d := children.deadlines[channel]
	children.Unlock()
	var all []*deadline
	for ; d != nil; d = d.up {
		all = append(all, d)
	}
	for i := len(all) - 1; i >= 0; i-- { // those that the others were made of end first
		all[i].end()
	}
}

// awaitTold waits until the ends are recorded that others are recording: those are none of what is watched any more.
func awaitTold() {
	for telling.Load() > 0 {
		runtime.Gosched()
	}
}

// isWatched tells whether a channel is that of a context that ends by itself and has not ended yet, as far as is
// recorded.
func isWatched(channel unsafe.Pointer) bool {
	if watched.Load() == 0 {
		return false
	}
	children.Lock()
	defer children.Unlock()
	return children.deadlines[channel] != nil
}

// end records that the context has ended, if it has, and nobody else has recorded it.
func (d *deadline) end() {
	if d.ctx.Err() == nil {
		return
	}
	g := &Goroutine{number: d.timer.number}
	o := g.objectAt(d.own, 0)
	if o == nil {
		return
	}
	o.exact.lock()
	defer o.exact.unlock()
	if d.isTold() { // somebody who saw it, and package context, both come here
		return
	}
	telling.Add(1)
	defer telling.Add(-1)
	all, isMine := ending(d.own, d.from)
	if !isMine {
		return
	}
	g.record(trace.Start, 0, 0, uint64(d.timer.parent))
	g.closes(d.site, o, all)
	g.record(trace.End, 0, 0, 0)
	g.release()
}

func (d *deadline) isTold() bool {
	children.Lock()
	defer children.Unlock()
	return d.told
}

// closes records that a context ends whose channel is held, and with it others.
func (g *Goroutine) closes(site uint32, o *object, with []unsafe.Pointer) {
	g.numbered(trace.Close, site, o)
	for _, p := range with {
		if child := g.objectAt(p, 0); child != nil {
			child.exact.lock()
			g.numbered(trace.Close, site, child)
			child.exact.unlock()
		}
	}
}
