package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// waitfor.go makes the wait-for picture of an interleaving: which goroutine holds which locks, and which one has
// to wait for whom, at each step. Who waits is told by what comes next in the interleaving: a goroutine whose next
// step takes a lock that another one holds, or joins one that has not ended, or receives what has not been sent.

// waitKind is how a goroutine has to do with a lock or another goroutine.
type waitKind uint8

const (
	holdsLock  waitKind = iota // a goroutine holds a lock
	sharesLock                 // likewise, as a reader
	waitsForLock
	waitsForGoroutine
)

// waitEdge is an arrow of the picture: from a goroutine to a lock, or to another goroutine.
type waitEdge struct {
	kind     waitKind
	from, to int // lanes, or to the index of a lock
}

// waitPicture is all arrows that the picture has at some step, and which of them each step that has a row shows.
type waitPicture struct {
	lanes []int // the goroutines in it
	locks []heldLock
	edges []waitEdge
	at    map[int][]int // by the index of a step: the edges after it
}

// waitsOf makes the picture; nil if nobody holds a lock or waits.
func waitsOf(st *story) *waitPicture {
	p := &waitPicture{at: map[int][]int{}}
	held := make([]map[heldLock]waitKind, len(st.lanes))
	for i := range held {
		held[i] = map[heldLock]waitKind{}
	}
	for i, s := range st.steps {
		if s.Lock != "" && !slices.Contains(p.locks, heldLock{s.Lock, s.Object}) {
			p.locks = append(p.locks, heldLock{s.Lock, s.Object})
		}
		st.hold(held, s)
		// What happens without a row counts with the last step that has one.
		if at := st.lastShown(i); at >= 0 && (i+1 == len(st.steps) || st.steps[i+1].shown) {
			p.note(st, at, i, held)
		}
	}
	if len(p.edges) == 0 {
		return nil
	}
	p.lanes = slices.Clone(st.columns)
	for _, e := range p.edges {
		for _, lane := range []int{e.from, e.to} {
			if (lane == e.from || e.kind == waitsForGoroutine) && !slices.Contains(p.lanes, lane) {
				p.lanes = append(p.lanes, lane)
			}
		}
	}
	return p
}

// lastShown returns the last step up to i that has a row, -1 if there is none.
func (st *story) lastShown(i int) int {
	for ; i >= 0; i-- {
		if st.steps[i].shown {
			return i
		}
	}
	return -1
}

// hold does what a step does to what is held.
func (st *story) hold(held []map[heldLock]waitKind, s storyStep) {
	l := heldLock{s.Lock, s.Object}
	switch s.Action {
	case "lock":
		held[s.lane][l] = holdsLock
	case "rlock":
		held[s.lane][l] = sharesLock
	case "unlock", "runlock":
		for _, owner := range append([]int{s.lane}, indicesOf(held)...) {
			if _, has := held[owner][l]; has {
				delete(held[owner], l)
				return
			}
		}
	}
}

func indicesOf[T any](all []T) []int {
	indices := make([]int, len(all))
	for i := range all {
		indices[i] = i
	}
	return indices
}

// note notes, for the step at, the arrows after step i.
func (p *waitPicture) note(st *story, at, i int, held []map[heldLock]waitKind) {
	var now []int
	add := func(e waitEdge) {
		k := slices.Index(p.edges, e)
		if k < 0 {
			k = len(p.edges)
			p.edges = append(p.edges, e)
		}
		now = append(now, k)
	}
	for lane := range held {
		for k, l := range p.locks {
			if kind, has := held[lane][l]; has {
				add(waitEdge{kind, lane, k})
			}
		}
	}
	for lane := range st.lanes {
		if next := st.nextOf(lane, i); next >= 0 {
			p.addWait(st, i, next, held, add)
		}
	}
	slices.Sort(now)
	p.at[at] = slices.Compact(now)
}

// nextOf returns the next step of a goroutine after step i, -1 if it has none, or has not begun.
func (st *story) nextOf(lane, i int) int {
	if at := st.lanes[lane].startedAt; at > i {
		return -1
	}
	for k := i + 1; k < len(st.steps); k++ {
		if st.steps[k].lane == lane {
			return k
		}
	}
	return -1
}

// addWait adds what a goroutine waits for after step i, whose next step is given.
func (p *waitPicture) addWait(st *story, i, next int, held []map[heldLock]waitKind, add func(waitEdge)) {
	s := st.steps[next]
	switch s.Action {
	case "lock", "rlock":
		l := heldLock{s.Lock, s.Object}
		for owner := range held {
			kind, has := held[owner][l]
			if k := slices.Index(p.locks, l); has && owner != s.lane && k >= 0 && (kind == holdsLock || s.Action == "lock") {
				add(waitEdge{waitsForLock, s.lane, k})
			}
		}
	case "wait":
		for lane := range st.lanes {
			if st.lanes[lane].name == s.Target && st.nextOf(lane, i) >= 0 && st.nextOf(lane, i) < next {
				add(waitEdge{waitsForGoroutine, s.lane, lane})
			}
		}
	case "recv":
		for k := i + 1; k < next; k++ {
			other := st.steps[k]
			if (other.Action == "send" || other.Action == "close") && other.Channel == s.Channel && other.Object == s.Object &&
				other.lane != s.lane {
				add(waitEdge{waitsForGoroutine, s.lane, other.lane})
				return
			}
		}
	}
}

// inWords tells what the picture shows after a step.
func (p *waitPicture) inWords(st *story, at int) string {
	var parts []string
	for _, k := range p.at[at] {
		e := p.edges[k]
		from := st.lanes[e.from].name
		switch e.kind {
		case holdsLock:
			parts = append(parts, from+" holds "+p.locks[e.to].name)
		case sharesLock:
			parts = append(parts, from+" holds "+p.locks[e.to].name+" for reading")
		case waitsForLock:
			parts = append(parts, from+" has to wait for "+p.locks[e.to].name)
		case waitsForGoroutine:
			parts = append(parts, from+" has to wait for "+st.lanes[e.to].name)
		}
	}
	if len(parts) == 0 {
		return "Nobody holds a lock or waits."
	}
	return sentence(strings.Join(parts, "; ")) + "."
}

// htmlWaits is the picture as it is drawn: goroutines on the left, locks on the right.
type htmlWaits struct {
	Height int
	Nodes  []htmlWaitNode
	Edges  []htmlWaitEdge
}

type htmlWaitNode struct {
	X, Y, TextX, TextY int
	Label, Name        string // as there is room for it, and in full
	IsLock             bool
}

type htmlWaitEdge struct {
	Path, Class string
	Arrow       string // the points of its head
}

// Measures of the picture, in units of its view box, which is waitWidth wide.
const (
	waitWidth      = 320
	waitNodeWidth  = 118
	waitNodeHeight = 26
	waitRow        = 40
	waitLetters    = 15 // that a node has room for
)

// drawn returns the picture with places, and what each step that has a row changes: JSON of the arrows that it
// shows, and of the words.
func (p *waitPicture) drawn(st *story) (*htmlWaits, map[int]string) {
	if p == nil {
		return nil, nil
	}
	w := &htmlWaits{Height: waitRow * max(len(p.lanes), len(p.locks))}
	middle := func(row int) int { return waitRow*row + waitRow/2 }
	node := func(name string, x, row int, isLock bool) {
		w.Nodes = append(w.Nodes, htmlWaitNode{X: x, Y: middle(row) - waitNodeHeight/2, TextX: x + waitNodeWidth/2,
			TextY: middle(row) + 4, Label: shortened(name, waitLetters), Name: name, IsLock: isLock})
	}
	const right = waitWidth - waitNodeWidth - 2
	for row, lane := range p.lanes {
		node(st.lanes[lane].name, 2, row, false)
	}
	for row, l := range p.locks {
		node(l.name, right, row, true)
	}
	classes := map[waitKind]string{holdsLock: "held", sharesLock: "held shared", waitsForLock: "blocked",
		waitsForGoroutine: "blocked"}
	for _, e := range p.edges {
		from := middle(slices.Index(p.lanes, e.from))
		drawn := htmlWaitEdge{Class: classes[e.kind]}
		switch e.kind {
		case waitsForGoroutine:
			to := middle(slices.Index(p.lanes, e.to))
			const x = waitNodeWidth + 2
			drawn.Path = fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x, from-5, x+44, from-5, x+44, to+5, x+7, to+5)
			drawn.Arrow = fmt.Sprintf("%d,%d %d,%d %d,%d", x, to+5, x+9, to, x+9, to+10)
		case waitsForLock:
			to := middle(e.to) + 5
			drawn.Path = fmt.Sprintf("M%d %d L%d %d", waitNodeWidth+2, from+5, right-7, to)
			drawn.Arrow = fmt.Sprintf("%d,%d %d,%d %d,%d", right, to, right-9, to-5, right-9, to+5)
		default: // the lock is with the goroutine
			to := middle(e.to) - 5
			drawn.Path = fmt.Sprintf("M%d %d L%d %d", right, to, waitNodeWidth+9, from-5)
			drawn.Arrow = fmt.Sprintf("%d,%d %d,%d %d,%d", waitNodeWidth+2, from-5, waitNodeWidth+11, from-10,
				waitNodeWidth+11, from)
		}
		w.Edges = append(w.Edges, drawn)
	}
	changes, before := map[int]string{}, "[]"
	for _, i := range st.shownIndices() {
		edges, err := json.Marshal(append([]int{}, p.at[i]...))
		if err != nil || string(edges) == before {
			continue
		}
		before = string(edges)
		if text, err := json.Marshal([]any{json.RawMessage(edges), plainSpaces(p.inWords(st, i))}); err == nil {
			changes[i] = string(text)
		}
	}
	return w, changes
}

// shortened returns the end of a name, which tells most, as far as there is room for it.
func shortened(name string, letters int) string {
	runes := []rune(name)
	if len(runes) <= letters {
		return name
	}
	return "…" + string(runes[len(runes)-letters+1:])
}

// releaseBefore returns the step with which another goroutine releases the lock that step i takes, where that had to
// wait for it: the last one since the step before it in its goroutine. It is -1 if there is none.
func (st *story) releaseBefore(i int) int {
	s := st.steps[i]
	if s.Action != "lock" && s.Action != "rlock" {
		return -1
	}
	for k := i - 1; k >= 0 && st.steps[k].lane != s.lane; k-- {
		other := st.steps[k]
		if other.Lock == s.Lock && other.Object == s.Object &&
			(other.Action == "unlock" || other.Action == "runlock" && s.Action == "lock") {
			return k
		}
	}
	return -1
}

// wait draws the edge into step k of a drawing from that for which it had to wait.
func (d *dotWriter) wait(drawn drawing, st *story, k int) {
	release := st.releaseBefore(drawn[k].index)
	for _, from := range drawn[:k] {
		if from.index == release {
			d.graph.Edge(from.node, drawn[k].node).Attr("color", "firebrick").Attr("fontcolor", "firebrick").Attr(
				"weight", 0).Attr("fontname", "Helvetica").Attr("fontsize", 9).Attr("label", fmt.Sprintf("%s waits for %s",
				st.lanes[st.steps[drawn[k].index].lane].name, st.lanes[st.steps[release].lane].name))
		}
	}
}
