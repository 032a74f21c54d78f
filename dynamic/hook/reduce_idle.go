package hook

import (
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// A frame that has ended within another one of its set may have been a part of that: if the outer function
// accesses the object itself, before or not too long after. So what the inner one has used stays in use, but
// idle, until the outer frame has ended or it is too late for that.

// reduceClock counts accesses of the program, in batches.
var reduceClock atomic.Uint64

const (
	batch = 256
	// window is after how many accesses it is too late: more than package units looks ahead, with room for the
	// batches of goroutines.
	window = 1<<13 + 64*batch
)

// stepped counts an access.
func (g *Goroutine) stepped() {
	g.steps++
	g.counted()
}

// counted tells the clock of what was counted, from time to time.
func (g *Goroutine) counted() {
	if g.steps >= batch {
		reduceClock.Add(g.steps)
		g.steps = 0
	}
}

// isExpired tells whether it is too late for an idle user to be a part of a unit that is open.
func (u *user) isExpired() bool {
	return u.idle.Load() && reduceClock.Load()-u.since.Load() > window
}

// idles notes what is idle when a frame has ended that was not the outermost one of its set.
func (g *Goroutine) idles(f *opened) {
	if g.withs > 0 || f.withs > 0 {
		return
	}
	for i := range g.frames {
		if o := &g.frames[i]; o.set == f.set && o.flags&(trace.SiteDirect|trace.SiteMethod) == 0 {
			return // everything in it is its own
		}
	}
	now := reduceClock.Load()
	for i := len(g.users) - 1; i >= max(0, len(g.users)-maxSearched); i-- {
		u := g.users[i]
		if u.joined < f.serial {
			break
		}
		if u.set == f.set && !u.idle.Load() && !g.isReceiver(u.object.number, u.set) {
			u.since.Store(now)
			u.idle.Store(true)
		}
	}
	if g.inConflict.has(f.set) {
		g.retire(f.set, false)
	}
}

// isReceiver tells whether a method on an object is open.
func (g *Goroutine) isReceiver(object uint32, set uint16) bool {
	for i := range g.frames {
		if f := &g.frames[i]; f.set == set && f.object == object && f.flags&trace.SiteMethod != 0 {
			return true
		}
	}
	return false
}

// retire sets idle users of a set apart, or all, whose records are firm: they do not keep the goroutine from leaving
// things out.
func (g *Goroutine) retire(set uint16, all bool) {
	left := g.users[:0]
	for _, u := range g.users {
		if (all || u.set == set) && u.idle.Load() {
			u.retired, u.last, u.site = true, 0, 0
			g.retirees = append(g.retirees, u)
		} else {
			left = append(left, u)
		}
	}
	clear(g.users[len(left):])
	g.users = left
	g.inConflict.keep(left)
	g.latent.keep(left)
	gone := 0
	for gone < len(g.retirees) && (!g.retirees[gone].retired || g.retirees[gone].isExpired()) {
		if u := g.retirees[gone]; u.retired {
			g.free(u)
		}
		gone++
	}
	if gone > 0 {
		n := copy(g.retirees, g.retirees[gone:])
		clear(g.retirees[n:])
		g.retirees = g.retirees[:n]
	}
}

// revive makes an idle user one that is not.
func (g *Goroutine) revive(u *user) {
	isExpired := u.isExpired()
	if isExpired {
		u.writes.Store(false)
	}
	u.idle.Store(false)
	u.joined = g.serial
	if u.retired {
		u.retired = false
		g.users = append(g.users, u)
		if !isExpired { // what it has done before is firm, and of the same unit
			g.expose(u.set)
		}
	}
	if u.slot < 0 {
		g.expose(u.set)
	}
	g.guarded(u.object, u.order, u.writes.Load())
	g.conflicts(u, u.writes.Load())
}

// free ends what a user is.
func (g *Goroutine) free(u *user) {
	if seats := u.object.seatsIn(u.order); u.slot >= 0 {
		platformForget(seats.slot(int(u.slot)))
	} else {
		seats.crowd.Add(-1)
	}
	u.object, u.at, u.retired = nil, nil, false
	g.spare = append(g.spare, u)
}

// freeRetirees ends those of a set, or all.
func (g *Goroutine) freeRetirees(set uint16, all bool) {
	left := g.retirees[:0]
	for _, u := range g.retirees {
		switch {
		case !u.retired:
		case all || u.set == set:
			g.free(u)
		default:
			left = append(left, u)
		}
	}
	clear(g.retirees[len(left):])
	g.retirees = left
}
