package hook

import (
	"slices"

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
	start     int  // where its beginning is in the block, or where the block begins
	split     int  // before that place in the block nothing that is soft is of its set
	flushed   bool // its beginning is not in the block any more
	touched   bool // it may be a unit on what was accessed since it began or was split last
	crossed   bool // a soft record of the split of an outer frame is behind its beginning: see crosses
	pending   bool // its split, or what has joined it, may be soft
	exposures uint64
	serial    uint64
	withs     int
	users     int // how many there were before
}

// framed records where a frame begins or ends, or leaves it out with what is in it.
func (g *Goroutine) framed(op trace.Op, site, object uint32) {
	g.era++
	if g.hush.state.Load() != loud {
		if g.notesFrame(op, site, object) {
			return
		}
		g.speaks()
	}
	switch op {
	case trace.UnitBegin:
		g.begun(site, object)
	case trace.UnitEnd:
		g.ended()
	case trace.UnitSplit:
		g.split(site)
	default:
		g.joined(site, object)
	}
}

// begunAll is framed for the beginnings of frames whose sites follow each other, some on an object.
func (g *Goroutine) begunAll(site, object uint32, on uint16, n int) {
	g.era++
	if g.hush.state.Load() != loud {
		if g.notesBegins(site, object, on, n) {
			return
		}
		g.speaks()
	}
	g.begunEach(site, object, on, n)
}

// begunEach is begunAll for a goroutine that is loud, or whose notes are taken over.
func (g *Goroutine) begunEach(site, object uint32, on uint16, n int) {
	for i := range n {
		if on>>i&1 != 0 {
			g.begun(site+uint32(i), object)
		} else {
			g.begun(site+uint32(i), 0)
		}
	}
}

// joined records that an object has joined the innermost frame.
func (g *Goroutine) joined(site, object uint32) {
	g.put(trace.UnitWith, site, object, nil)
	if n := len(g.frames); n > 0 {
		g.frames[n-1].pending = true
		g.frames[n-1].withs++
		g.withs++
		g.renew(&g.frames[n-1])
	}
}

// renew says that other units are open from here on.
func (g *Goroutine) renew(f *opened) {
	g.serial++
	f.serial, g.epoch = g.serial, g.serial
}

// begun begins a frame. It is in the block from the next record on.
func (g *Goroutine) begun(site, object uint32) {
	s := &reducedSites[site]
	outermost := true
	for i := range g.frames {
		if g.frames[i].set == s.Set {
			outermost = false
			break
		}
	}
	if s.Flags&trace.SiteConstructor != 0 {
		g.makers++
	}
	g.serial++
	g.epoch = g.serial
	g.frames = append(g.frames, opened{set: s.Set, flags: s.Flags, outermost: outermost, object: object,
		function: s.Function, site: site, serial: g.serial, users: len(g.users)})
	g.unput++
	if len(g.frames) == 1 {
		for _, l := range g.outside {
			g.lockedInside(l.op, l.site, l.object)
		}
	}
}

// putFrames puts the frames into the block that are not there yet, before a record is. In most frames that end with
// nothing in them nothing ever is: they cost no record.
func (g *Goroutine) putFrames() {
	for g.unput > 0 {
		if g.at == len(g.block) {
			g.full()
		}
		g.soft.lock()
		g.putRoomFor(0)
		g.soft.unlock()
	}
}

// putRoomFor is putFrames as long as there is room for them and for so many bytes more.
func (g *Goroutine) putRoomFor(more int) {
	for g.unput > 0 && g.at+more < len(g.block) {
		f := &g.frames[len(g.frames)-g.unput]
		f.start, f.split, f.exposures = g.at, g.at, g.exposuresOf(f.set)
		g.putSoft(trace.UnitBegin, f.site, f.object, nil)
		g.unput--
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
	if g.withs -= f.withs; f.flags&trace.SiteConstructor != 0 {
		g.makers--
	}
	if g.epoch = 0; n > 0 {
		g.epoch = g.frames[n-1].serial
	}
	isThere := g.unput == 0
	if !isThere {
		g.unput--
	}
	if f.outermost && isThere {
		g.resolve(n, &f)
	}
	switch {
	case !f.outermost:
		if isThere {
			g.end(&f)
		}
		g.idles(&f)
		return
	case !isThere:
	case !g.purge(f.start, n, f.set, f.crossed):
		g.fix()
		g.record(trace.UnitEnd, 0, 0, 0)
	case !g.isWhole(&f) || g.stays:
		g.record(trace.UnitEnd, 0, 0, 0)
	}
	g.leave(f.set)
	if n == 0 {
		g.fix()
		g.inside = g.inside[:0]
	}
}

// dropsFrames is ended for the innermost frames, where none of them is in the block, and the goroutine uses nothing. It
// tells whether it was so.
func (g *Goroutine) dropsFrames(n int) bool {
	first := len(g.frames) - n
	if first < 0 || g.unput < n || len(g.users)+len(g.retirees) > 0 || g.hush.state.Load() != loud ||
		!g.inConflict.isEmpty() || !g.latent.isEmpty() {
		return false
	}
	for i := first; i < len(g.frames); i++ {
		f := &g.frames[i]
		if g.withs -= f.withs; f.flags&trace.SiteConstructor != 0 {
			g.makers--
		}
	}
	g.frames = g.frames[:first]
	g.unput -= n
	g.resume()
	return true
}

// endsAtOnce is ended for all of the innermost frames, where each is the outermost one of its set, and all that is in
// them is soft and theirs: then it is dropped at once. It tells whether it was so.
func (g *Goroutine) endsAtOnce(n int) bool {
	first := len(g.frames) - n
	if first < 0 || g.unput > 0 || len(g.offers) > 0 || g.hush.state.Load() != loud {
		return false
	}
	for i := len(g.frames) - 1; i >= first; i-- {
		f := &g.frames[i]
		if !f.outermost || f.flushed || f.crossed || f.withs > 0 || f.flags&trace.SiteConstructor != 0 {
			return false
		}
		g.resolve(i, f)
	}
	start := g.frames[first].start
	for _, u := range g.users {
		if u.last > start && !g.isPurged(u.set, first, 0) {
			return false
		}
	}
	g.soft.lock()
	isSoft := max(g.firm, g.hardened) <= start && g.block[start] == byte(trace.UnitBegin|trace.Soft)
	if isSoft {
		g.truncate(start)
	}
	g.soft.unlock()
	if !isSoft {
		return false
	}
	for i := len(g.frames) - 1; i >= first; i-- {
		set := g.frames[i].set
		g.frames = g.frames[:i]
		g.leave(set)
	}
	g.resume()
	return true
}

// resume sets what is known of the innermost frame that is left, when others have ended.
func (g *Goroutine) resume() {
	if g.epoch = 0; len(g.frames) > 0 {
		g.epoch = g.frames[len(g.frames)-1].serial
	} else {
		g.fix()
		g.inside = g.inside[:0]
	}
}

// hasOnlyFrames tells whether all of a frame, which is the last one in the block, is soft and neither an access nor
// an operation on a lock.
func (g *Goroutine) hasOnlyFrames(f *opened) bool {
	if !g.isWhole(f) || max(g.firm, g.hardened) > f.start || f.crossed {
		return false
	}
	for i := len(g.held) - (g.at-f.start)/trace.RecordSize; i < len(g.held); i++ {
		if g.held[i] != nil {
			return false
		}
	}
	return true
}

// maxOthers is how many records behind the beginning of a frame are looked at when it has ended.
const maxOthers = 32

// hasOnlyOthers tells whether nothing is in a frame of its set: what is firm of other sets stays.
func (g *Goroutine) hasOnlyOthers(f *opened) bool {
	if !g.isWhole(f) || f.flushed || f.crossed || f.withs > 0 || len(g.offers) > 0 ||
		f.flags&trace.SiteConstructor != 0 || g.at-f.start > maxOthers*trace.RecordSize {
		return false
	}
	for at := f.start + trace.RecordSize; at < g.at; at += trace.RecordSize {
		if site := g.siteAt(at); site != 0 && reducedSites[site].Set == f.set {
			return false
		}
	}
	return true
}

// remove takes back the soft record of the beginning of a frame, and leaves what is behind it.
func (g *Goroutine) remove(start int) {
	h := len(g.held)
	for at := start; at < g.at; at += trace.RecordSize {
		if trace.Op(g.block[at])&trace.Soft != 0 {
			h--
		}
	}
	g.held = slices.Delete(g.held, h, h+1)
	copy(g.block[start:g.at], g.block[start+trace.RecordSize:g.at])
	g.at -= trace.RecordSize
	clear(g.block[g.at : g.at+trace.RecordSize])
	g.high = g.at
	for _, at := range []*int{&g.firm, &g.hardened, &g.behind} {
		if *at > start {
			*at -= trace.RecordSize
		}
	}
	g.splitBy(start)
	for _, u := range g.users {
		if u.last > start {
			u.last -= trace.RecordSize
		}
	}
}

// end records the end of a frame, in the way in which its beginning is recorded, or takes that back if there is nothing
// in it.
func (g *Goroutine) end(f *opened) {
	if g.at == len(g.block) {
		g.full()
	}
	g.soft.lock()
	isWhole := g.isWhole(f)
	switch {
	case g.hasOnlyFrames(f):
		g.truncate(f.start)
		isWhole = true
	case g.hasOnlyOthers(f):
		g.remove(f.start)
		isWhole = true
	case isWhole:
		g.putSoft(trace.UnitEnd, 0, 0, nil)
	}
	g.soft.unlock() // a deferred call would cost as much as all of this
	if !isWhole {
		g.record(trace.UnitEnd, 0, 0, 0)
	}
}

// purge takes back what is soft from a place on of a set that no frame is open of, or of those of the innermost
// frames, from frame n on, which stay. If outer frames' splits have crossed these, what is of other sets stays, too. It
// tells whether it could.
func (g *Goroutine) purge(start, n int, set uint16, crossed bool) bool {
	g.soft.lock()
	could := g.purged(start, n, set, crossed)
	g.soft.unlock()
	return could
}

func (g *Goroutine) purged(start, n int, set uint16, crossed bool) bool {
	g.stays = false
	if len(g.offers) > 0 {
		return false
	}
	isAlone := true
	for i := len(g.users) - 1; i >= 0 && isAlone; i-- {
		u := g.users[i]
		isAlone = u.last <= start || g.isPurged(u.set, n, set)
	}
	isSoft := max(g.firm, g.hardened) <= start
	if isAlone && isSoft && n == len(g.frames) && !crossed && g.block[start] == byte(trace.UnitBegin|trace.Soft) {
		g.truncate(start)
		return true
	}
	if isAlone && isSoft && n < len(g.frames) && !crossed {
		at := start
		for i := n; i < len(g.frames); i++ {
			copy(g.block[at:at+trace.RecordSize], g.block[g.frames[i].start:])
			g.frames[i].start = at
			at += trace.RecordSize
		}
		g.truncate(at)
		return true
	}
	g.compact(start, n, set, isAlone)
	return true
}

// isPurged tells whether a set is one of those that purge is about.
func (g *Goroutine) isPurged(s uint16, n int, set uint16) bool {
	if n == len(g.frames) {
		return s == set
	}
	for i := n; i < len(g.frames); i++ {
		if g.frames[i].set == s {
			return true
		}
	}
	return false
}

// truncate takes back the records from a place on; all are soft.
func (g *Goroutine) truncate(start int) {
	n := len(g.held) - (g.at-start)/trace.RecordSize
	clear(g.held[n:])
	g.held = g.held[:n]
	clear(g.block[start:g.at])
	g.at, g.high, g.behind = start, min(g.high, start), min(g.behind, start)
	g.splitBy(start)
}

// compact is purge where some records stay. Frames do if one of them is that of a constructor and something is
// firm: what it makes is known by that.
func (g *Goroutine) compact(start, n int, set uint16, isAlone bool) {
	for at := start; at < g.at; at += trace.RecordSize {
		r := trace.GetRecord(g.block[at:])
		g.stays = g.stays || r.Op&^trace.Soft == trace.UnitBegin &&
			reducedSites[r.Site].Flags&trace.SiteConstructor != 0
	}
	g.stays = g.stays && max(g.firm, g.hardened) > start
	open, hardened := n, g.hardened
	to, h := start, len(g.held)
	for at := start; at < g.at; at += trace.RecordSize {
		if trace.Op(g.block[at])&trace.Soft != 0 {
			h--
		}
	}
	keptHeld := h
	nested := g.nested[:0] // of the frames in it: whether they are left out
	for at := start; at < g.at; at += trace.RecordSize {
		r := trace.GetRecord(g.block[at:])
		isSoft, left := r.Op&trace.Soft != 0, false
		op := r.Op &^ trace.Soft
		of := reducedSites[r.Site].Set
		isOpen := false
		switch op {
		case trace.Read, trace.Write, trace.RMW, trace.AtomicRead, trace.AtomicWrite:
			left = isSoft && g.isPurged(of, n, set)
		case trace.Lock, trace.Unlock, trace.RLock, trace.RUnlock, trace.TryLockFailed:
			left = isSoft && isAlone
		case trace.UnitBegin:
			if isOpen = open < len(g.frames) && g.frames[open].start == at; isOpen {
				open++
			} else {
				left = isSoft && g.isPurged(of, n, set)
				nested = append(nested, left)
			}
		case trace.UnitSplit:
			left = isSoft && g.isPurged(of, n, set)
		case trace.UnitWith: // it goes with its frame
			if left = isSoft && g.isPurged(of, n, set); isSoft && len(nested) > 0 {
				left = nested[len(nested)-1]
			}
		case trace.UnitEnd:
			if last := len(nested) - 1; last >= 0 {
				left = nested[last]
				nested = nested[:last]
			}
		}
		isFrame := op >= trace.UnitBegin && op <= trace.UnitEnd
		if left && g.stays && isFrame {
			left, isSoft = false, false // it becomes firm
			g.block[at] = byte(op)
			h++
		}
		var o *object
		if r.Op&trace.Soft != 0 && (isSoft || left) {
			o = g.held[h]
			h++
		}
		if left || isOpen {
			continue
		}
		if isSoft {
			g.held[keptHeld] = o
			keptHeld++
		}
		copy(g.block[to:to+trace.RecordSize], g.block[at:at+trace.RecordSize])
		to += trace.RecordSize
	}
	g.nested = nested
	clear(g.block[to:g.at])
	clear(g.held[keptHeld:])
	for i := n; i < len(g.frames); i++ { // those that stay begin where nothing of them is left
		f := &g.frames[i]
		f.start, f.crossed = to, false
		trace.PutRecord(g.block[to:], trace.Record{Op: trace.UnitBegin | trace.Soft, Site: f.site, Object: f.object})
		keptHeld++
		to += trace.RecordSize
	}
	g.held = g.held[:keptHeld]
	g.splitBy(start)
	g.at, g.high, g.firm, g.hardened = to, to, min(g.firm, to), min(hardened, to)
	g.behind = min(g.behind, to)
	if n < len(g.frames) {
		g.firm, g.hardened = min(g.firm, g.frames[n].start), min(hardened, g.frames[n].start)
	}
	if g.stays {
		g.firm = max(g.firm, to-(len(g.frames)-n)*trace.RecordSize)
	}
	if len(g.held) > 0 {
		g.low = min(g.low, to)
	}
	for _, u := range g.users {
		u.last = min(u.last, to)
	}
}

// leave ends the use of objects by the units of a set; where no frame is open, of all.
func (g *Goroutine) leave(set uint16) {
	all, used := len(g.frames) == 0, len(g.users)
	left := g.users[:0]
	for _, u := range g.users {
		if all || u.set == set {
			g.free(u)
		} else {
			left = append(left, u)
		}
	}
	clear(g.users[len(left):])
	g.users = left
	if len(g.retirees) > 0 {
		g.freeRetirees(set, all)
	}
	if all || g.inConflict.has(set) || g.latent.has(set) {
		g.inConflict.keep(left)
		g.latent.keep(left)
	}
	if used > len(left) {
		g.worked()
	}
}

// Rest is rest before a goroutine waits for what the next units are about.
func (g *Goroutine) Rest(frames int) {
	if !g.off {
		g.rest(frames)
	}
}

// rest is called when nothing more is accessed in the innermost frames until they end or are split, before others
// are let in. It drops what is soft of them, and ends their use of objects: who comes next is in no conflict with them,
// even if they have been in one with somebody else. Else each conflict would lead to the next one, as long as somebody
// waits.
func (g *Goroutine) rest(frames int) {
	n := len(g.frames) - frames
	if !reducing || n < 0 || frames == 0 {
		return
	}
	g.era++
	g.speaks()
	g.putFrames()
	for i := n; i < len(g.frames); i++ {
		if f := &g.frames[i]; !f.outermost || f.withs > 0 {
			return
		}
	}
	for i := n; i < len(g.frames); i++ {
		g.resolve(i, &g.frames[i])
	}
	if g.rested(n) {
		return
	}
	for i := n; i < len(g.frames); i++ {
		f := &g.frames[i]
		if g.inConflict.has(f.set) || len(g.offers) == 0 && g.dropSet(max(f.split, trace.BlockHeader), f.set, false) {
			g.leave(f.set)
		}
	}
}

// rested is rest for the frames from n on. It tells whether nothing is left of them but their beginnings.
func (g *Goroutine) rested(n int) bool {
	f := &g.frames[n]
	for i := n; i < len(g.frames); i++ {
		if !g.isWhole(&g.frames[i]) {
			return false
		}
	}
	if !g.purge(f.start, n, 0, f.crossed) {
		return false
	}
	for i := n; i < len(g.frames); i++ {
		g.leave(g.frames[i].set)
	}
	return !g.stays
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
