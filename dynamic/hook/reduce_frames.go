package hook

import (
	"github.com/empire-go/empire-go/dynamic/trace"
)

// opened is a frame of a unit of work that is open.
type opened struct {
	set       uint16
	flags     uint8
	outermost bool // of its set
	object    uint32
	function  uint32
	site      uint32
	start     int // where its beginning is in the block, or where the block begins
	exposures uint64
	serial    uint64
	withs     int
	users     int // how many there were before
}

// framed records where a frame begins or ends, or leaves it out with what is in it.
func (g *Goroutine) framed(op trace.Op, site, object uint32) {
	switch op {
	case trace.UnitBegin:
		g.begun(site, object)
	case trace.UnitEnd:
		g.ended()
	case trace.UnitSplit:
		g.split(site)
	default:
		g.put(op, site, object, nil)
		if n := len(g.frames); n > 0 {
			g.frames[n-1].withs++
			g.withs++
			g.renew(&g.frames[n-1])
		}
	}
}

// renew says that other units are open from here on.
func (g *Goroutine) renew(f *opened) {
	g.serial++
	f.serial, g.epoch = g.serial, g.serial
}

func (g *Goroutine) begun(site, object uint32) {
	if g.at == len(g.block) {
		g.full()
	}
	s := &reducedSites[site]
	f := opened{set: s.Set, flags: s.Flags, outermost: true, object: object, function: s.Function, site: site, start: g.at,
		users: len(g.users)}
	for i := range g.frames {
		if g.frames[i].set == f.set {
			f.outermost = false
		}
	}
	g.soft.lock()
	f.exposures = g.exposures
	if g.direct.Load() {
		g.soft.unlock()
		g.record(trace.UnitBegin, site, object, 0)
		f.exposures = noVersion
	} else {
		g.putSoft(trace.UnitBegin, site, object, nil)
		g.soft.unlock()
	}
	g.frames = append(g.frames, f)
	g.renew(&g.frames[len(g.frames)-1])
	if len(g.frames) == 1 {
		for _, l := range g.outside {
			g.put(l.op, l.site, l.object.number, l.object)
		}
	}
}

func (g *Goroutine) ended() {
	n := len(g.frames) - 1
	if n < 0 {
		g.record(trace.UnitEnd, 0, 0, 0)
		return
	}
	f := g.frames[n]
	g.frames = g.frames[:n]
	g.withs -= f.withs
	if g.epoch = 0; n > 0 {
		g.epoch = g.frames[n-1].serial
	}
	used := len(g.users)
	if f.outermost && !g.drop(&f, n == 0) || !f.outermost && !g.isEmpty(&f) {
		g.end(&f)
	}
	if n == 0 {
		g.fix()
	}
	if f.outermost {
		g.leave(f.set, n == 0)
	} else {
		g.idles(&f)
	}
	if used > len(g.users) {
		g.worked()
	}
}

// isEmpty takes back a frame that has ended if there is nothing in it.
func (g *Goroutine) isEmpty(f *opened) bool {
	g.soft.lock()
	defer g.soft.unlock()
	if g.direct.Load() || f.exposures != g.exposures || max(g.firm, g.hardened) > f.start {
		return false
	}
	for i := len(g.held) - (g.at-f.start)/trace.RecordSize; i < len(g.held); i++ {
		if g.held[i] != nil {
			return false
		}
	}
	g.truncate(f.start)
	return true
}

// end records the end of a frame, in the way in which its beginning is recorded.
func (g *Goroutine) end(f *opened) {
	if g.at == len(g.block) {
		g.full()
	}
	g.soft.lock()
	if f.exposures == g.exposures && !g.direct.Load() {
		g.putSoft(trace.UnitEnd, 0, 0, nil)
		g.soft.unlock()
		return
	}
	g.soft.unlock()
	g.record(trace.UnitEnd, 0, 0, 0)
}

// drop takes back what is soft of a frame that has ended, the outermost of its set. It tells whether the end
// of the frame is to be left out, too.
func (g *Goroutine) drop(f *opened, isLast bool) bool {
	g.soft.lock()
	defer g.soft.unlock()
	if g.direct.Load() {
		return false
	}
	if !isLast {
		for _, u := range g.users {
			if u.last > f.start && u.set != f.set && g.isOpen(u.set) {
				return false // what is soft of another set is among it: that set ends it
			}
		}
	}
	isWhole := f.exposures == g.exposures // the beginning is soft
	start, firm := f.start, max(g.firm, g.hardened)
	if !isWhole && firm > start {
		start = firm
	}
	if firm <= start && len(g.offers) == 0 {
		g.truncate(start)
		return isWhole
	}
	return g.compact(f.start, isWhole)
}

// truncate takes back the records from a place on; all are soft.
func (g *Goroutine) truncate(start int) {
	n := len(g.held) - (g.at-start)/trace.RecordSize
	clear(g.held[n:])
	g.held = g.held[:n]
	clear(g.block[start:g.at])
	g.at, g.high = start, min(g.high, start)
}

// compact takes back the soft records from a place on, some records of which are firm. Frames stay if one of them is
// that of a constructor: what it makes is known by that.
func (g *Goroutine) compact(start int, isWhole bool) (leftOut bool) {
	if len(g.offers) > 0 {
		return false
	}
	stays := false
	for at := start; at < g.at; at += trace.RecordSize {
		r := trace.GetRecord(g.block[at:])
		stays = stays || r.Op&^trace.Soft == trace.UnitBegin && reducedSites[r.Site].Flags&trace.SiteConstructor != 0
	}
	to, soft := start, 0
	for at := start; at < g.at; at += trace.RecordSize {
		op := trace.Op(g.block[at])
		if op&trace.Soft != 0 {
			soft++
			op &^= trace.Soft
			if !stays || op < trace.UnitBegin || op > trace.UnitEnd {
				continue
			}
		}
		copy(g.block[to:to+trace.RecordSize], g.block[at:at+trace.RecordSize])
		g.block[to] = byte(op)
		to += trace.RecordSize
	}
	clear(g.block[to:g.at])
	n := len(g.held) - soft
	clear(g.held[n:])
	g.held = g.held[:n]
	g.at, g.high, g.firm, g.hardened = to, min(g.high, to), to, min(g.hardened, to)
	if stays && isWhole {
		g.exposures++ // the end has to be firm
	}
	return isWhole && !stays
}

// leave ends the use of objects by the units of a set, or by all. What is soft of them is used until it
// is dropped.
func (g *Goroutine) leave(set uint16, all bool) {
	if !all && len(g.held) > 0 && !g.direct.Load() && g.isHeld(set) {
		return
	}
	left := g.users[:0]
	for _, u := range g.users {
		if !all && u.set != set && g.isOpen(u.set) {
			left = append(left, u)
			continue
		}
		g.free(u)
	}
	clear(g.users[len(left):])
	g.users = left
	if len(g.retirees) > 0 {
		g.freeRetirees(set, all)
	}
	if len(left) == 0 && g.direct.Load() {
		g.direct.Store(false)
	}
}

// isOpen tells whether a frame of a set is open.
func (g *Goroutine) isOpen(set uint16) bool {
	for i := range g.frames {
		if g.frames[i].set == set {
			return true
		}
	}
	return false
}

// isHeld tells whether something of a set is soft.
func (g *Goroutine) isHeld(set uint16) bool {
	for _, u := range g.users {
		if u.set == set && u.last > g.low && u.last <= g.high && u.version == noVersion {
			return true
		}
	}
	return false
}

// split ends the units of a frame for what its function accesses itself, and begins the next ones.
func (g *Goroutine) split(site uint32) {
	n := len(g.frames) - 1
	if n >= 0 && g.frames[n].site == site && g.frames[n].outermost && g.frames[n].flags&trace.SiteDirect != 0 &&
		g.frames[n].withs == 0 {
		f := g.frames[n]
		if g.restart(&g.frames[n]) {
			return
		}
		g.ended()
		g.begun(site, f.object)
		return
	}
	if n >= 0 && g.at > g.frames[n].start {
		if last := trace.GetRecord(g.block[g.at-trace.RecordSize:]); last.Op == trace.UnitSplit|trace.Soft && last.Site == site {
			return // nothing has happened since
		}
	}
	if n >= 0 && g.frames[n].site == site && !g.frames[n].outermost && g.frames[n].exposures == g.exposures {
		g.put(trace.UnitSplit, site, 0, nil)
		g.renew(&g.frames[n])
		return
	}
	g.fix()
	g.record(trace.UnitSplit, site, 0, 0)
	for i := n; i >= 0; i-- {
		if f := &g.frames[i]; f.site == site {
			if f.outermost && f.flags&trace.SiteDirect != 0 {
				g.leave(f.set, false)
			}
			g.renew(&g.frames[n])
			break
		}
	}
}

// restart is split for a frame of which nothing has to stay but its beginning.
func (g *Goroutine) restart(f *opened) bool {
	start := f.start + trace.RecordSize
	if g.direct.Load() || f.exposures != g.exposures || g.firm > f.start || len(g.offers) > 0 {
		return false
	}
	if g.at == start && len(g.users) == f.users && f.withs == 0 {
		return true
	}
	if f.withs > 0 || f.users > len(g.users) {
		return false
	}
	for _, u := range g.users[:f.users] {
		if u.last > start {
			return false
		}
	}
	for _, u := range g.users[f.users:] {
		if u.set != f.set {
			return false
		}
	}
	g.soft.lock()
	if g.direct.Load() || f.exposures != g.exposures {
		g.soft.unlock()
		return false
	}
	g.truncate(start)
	g.soft.unlock()
	for i, u := range g.users[f.users:] {
		g.free(u)
		g.users[f.users+i] = nil
	}
	g.users = g.users[:f.users]
	g.renew(f)
	g.worked()
	return true
}

// rest is called when nothing more is accessed in the innermost frames, before others are let in. It drops what is
// soft of them.
func (g *Goroutine) rest(frames int) {
	n := len(g.frames) - frames
	if !reducing || n < 0 || frames == 0 {
		return
	}
	for i := n; i < len(g.frames); i++ {
		if f := &g.frames[i]; !f.outermost || f.withs > 0 {
			return
		}
	}
	f := &g.frames[n]
	for i, u := range g.users {
		if i < f.users && u.last > f.start {
			return
		}
	}
	isFirm := g.direct.Load() || f.exposures != g.exposures || g.firm > f.start || len(g.offers) > 0 ||
		g.frames[len(g.frames)-1].exposures != f.exposures
	if !isFirm {
		g.soft.lock()
		if isFirm = g.direct.Load() || f.exposures != g.exposures; !isFirm {
			at := f.start
			for i := n; i < len(g.frames); i++ {
				copy(g.block[at:at+trace.RecordSize], g.block[g.frames[i].start:])
				g.frames[i].start = at
				at += trace.RecordSize
			}
			g.truncate(at)
		}
		g.soft.unlock()
	}
	if isFirm && len(g.held) > 0 {
		return
	}
	used := len(g.users)
	for len(g.users) > f.users {
		last := len(g.users) - 1
		g.free(g.users[last])
		g.users[last] = nil
		g.users = g.users[:last]
	}
	if len(g.users) == 0 && g.direct.Load() {
		g.direct.Store(false)
	}
	if used > len(g.users) {
		g.worked()
	}
}

// firmOf returns a copy of a block without what is soft.
func firmOf(block []byte) []byte {
	firm := append([]byte{}, block[:trace.BlockHeader]...)
	for at := trace.BlockHeader; at < len(block); at += trace.RecordSize {
		if trace.Op(block[at])&trace.Soft == 0 {
			firm = append(firm, block[at:at+trace.RecordSize]...)
		}
	}
	return firm
}
