package blocking

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// A program is searched in parts. What an instance can do depends on those that use the same objects, on those that
// start it, and on those that it joins; on nothing else. So a part is a piece of the program with all that it depends
// on, directly or through others: the cone of influence, or slice (Weiser, TSE 1984; for models Clarke, Grumberg and
// Peled, Model Checking, 1999, section 13.1). What is blocked in the program is blocked in a part and the other way
// round: whatever is left out can be added to a run of the part at any place, or left undone. The states of parts
// are added up where those of the program would be multiplied.
//
// A piece is a process. Of a client, which calls one function after the other, it is one call: clients that do not
// call what has nothing to do with a part are clients, too, as there is always another one that does.
//
// The end of the program is everybody's business: what can end it by Exit, or by an operation that ends it as was
// found, belongs to all parts.

// piece is what is in a part or not.
type piece struct {
	process int
	entry   int // of a call of a client: its first statement in the function of the process; -1: the process
	uses    map[object]bool
	starts  map[int]bool
	joins   map[int]bool
	exits   bool
	waits   bool // it has an operation that may wait, or end the program if it is a mistake
}

// division is the pieces of a program.
type division struct {
	program *esl.Program
	pieces  []piece
	idle    map[int]map[int]bool // by client: the statements between its calls
	clients []int
	isUse   func(esl.Pos) bool
	loop    func(process int, at esl.Pos) int // see Options.Loop
	always  map[int]bool                      // processes that are in all parts
}

func newDivision(p *esl.Program, o Options) *division {
	d := &division{program: p, idle: map[int]map[int]bool{}, clients: o.Clients, isUse: o.isUse, loop: o.Loop,
		always: map[int]bool{}}
	for q := range p.Processes {
		entry := p.Processes[q].Entry
		if !slices.Contains(o.Clients, q) || d.isShared(q) {
			d.pieces = append(d.pieces, d.pieceOf(q, -1, map[int]bool{}, d.body(entry)))
			continue
		}
		idle, calls := d.idleOf(entry)
		if !slices.ContainsFunc(slices.Collect(maps.Keys(idle)), func(at int) bool { return d.isRound(entry, idle, at) }) {
			d.pieces = append(d.pieces, d.pieceOf(q, -1, map[int]bool{}, d.body(entry)))
			continue // it would be made to call what is kept
		}
		d.idle[q] = idle
		d.pieces = append(d.pieces, piece{process: q, entry: -1})
		for _, at := range calls {
			d.pieces = append(d.pieces, d.pieceOf(q, at, idle, []int{at}))
		}
	}
	return d
}

// isShared tells whether the function of a process is that of others, too, or called.
func (d *division) isShared(process int) bool {
	entry := d.program.Processes[process].Entry
	for q, other := range d.program.Processes {
		if q != process && other.Entry == entry {
			return true
		}
	}
	for _, f := range d.program.Functions {
		for _, s := range f.Body {
			if s.Op == esl.Call && s.Arg == entry {
				return true
			}
		}
	}
	return false
}

func (d *division) body(function int) (all []int) {
	for i := range d.program.Functions[function].Body {
		all = append(all, i)
	}
	return all
}

// idleOf returns the statements at which a client has not called anything yet, or again, and the first ones of calls.
func (d *division) idleOf(function int) (idle map[int]bool, calls []int) {
	body := d.program.Functions[function].Body
	idle = map[int]bool{}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if idle[at] || slices.Contains(calls, at) {
			continue
		}
		if at < len(body) && body[at].Op != esl.Goto && body[at].Op != esl.Choice && !chooses(body[at]) {
			calls = append(calls, at)
			continue
		}
		idle[at] = true
		queue = append(queue, d.program.Functions[function].Successors(at)...)
	}
	return idle, calls
}

// isRound tells whether a client can come from a choice of what to do to the same one without calling anything.
func (d *division) isRound(function int, idle map[int]bool, at int) bool {
	if body := d.program.Functions[function].Body; at >= len(body) || !chooses(body[at]) {
		return false
	}
	seen := map[int]bool{}
	for queue := d.program.Functions[function].Successors(at); len(queue) > 0; queue = queue[1:] {
		if next := queue[0]; idle[next] && !seen[next] {
			seen[next] = true
			queue = append(queue, d.program.Functions[function].Successors(next)...)
		}
	}
	return seen[at]
}

// pieceOf makes a piece of what can be executed from some statements of a process on, up to others.
func (d *division) pieceOf(process, entry int, until map[int]bool, from []int) piece {
	p := piece{process: process, entry: entry, uses: map[object]bool{}, starts: map[int]bool{}, joins: map[int]bool{}}
	type place struct{ function, index int }
	seen := map[place]bool{}
	var queue []place
	function := d.program.Processes[process].Entry
	for _, i := range from {
		queue = append(queue, place{function, i})
	}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if seen[at] || at.function == function && until[at.index] || at.index >= len(d.program.Functions[at.function].Body) {
			continue
		}
		seen[at] = true
		s := d.program.Functions[at.function].Body[at.index]
		p.waits = p.waits || d.mayWait(at.function, at.index) || d.loop != nil && d.loop(process, s.Pos) != 0
		switch s.Op {
		case esl.Start:
			p.starts[s.Arg] = true
		case esl.Join:
			p.joins[s.Arg] = true
		case esl.Exit:
			p.exits = true
		case esl.Call:
			queue = append(queue, place{s.Arg, 0})
		default:
			if o, ok := objectOf(use{op: s.Op, arg: s.Arg}); ok {
				p.uses[o] = true
			}
		}
		for _, next := range d.program.Functions[at.function].Successors(at.index) {
			queue = append(queue, place{at.function, next})
		}
	}
	return p
}

// mayWait tells whether an instance may have to wait at a statement, or end the program there by mistake. At a select
// that has a case for each value of a variable it need not wait.
func (d *division) mayWait(function, index int) bool {
	s := d.program.Functions[function].Body[index]
	switch s.Op {
	case esl.Exit:
		return d.isUse(s.Pos)
	case esl.Choice:
		return len(s.Targets) == 0
	case esl.Add:
		return s.Count < 0
	case esl.Test, esl.Swap:
		return !d.hasAllValues(function, index)
	case esl.Skip, esl.Goto, esl.Call, esl.Return, esl.Access, esl.UnitBegin, esl.UnitEnd, esl.Start, esl.Done, esl.Forget,
		esl.Select, esl.SelectDefault, esl.Enlist, esl.Signal, esl.Broadcast, esl.Assign:
		return false
	}
	return true
}

// hasAllValues tells whether a statement is only come to by a select that has a case for each value of its variable.
func (d *division) hasAllValues(function, index int) bool {
	body := d.program.Functions[function].Body
	selects := 0
	for at, s := range body {
		comes := slices.Contains(d.program.Functions[function].Successors(at), index)
		switch {
		case s.Op == esl.Select && comes:
			values := map[int]bool{}
			for _, t := range s.Targets {
				if other := body[t]; (other.Op == esl.Test || other.Op == esl.Swap) && other.Arg == body[index].Arg {
					values[other.Count] = true
				}
			}
			if len(values) < d.program.Variables[body[index].Arg].Values {
				return false
			}
			selects++
		case comes:
			return false
		}
	}
	return selects > 0
}

// dependsOn tells whether a piece depends on another one.
func (d *division) dependsOn(a, b *piece) bool {
	switch {
	case b.exits, d.always[b.process], b.starts[a.process], a.joins[b.process],
		a.process == b.process && b.entry < 0:
		return true
	case a.process == b.process && a.entry < 0:
		return false
	}
	few, many := a.uses, b.uses
	if len(few) > len(many) {
		few, many = many, few
	}
	for o := range few {
		if many[o] {
			return true
		}
	}
	return false
}

// part is pieces that depend on no others.
type part struct {
	pieces  []int // ascending
	program *esl.Program
}

// parts returns the parts, but those that are within others and those in which nobody waits or ends the program by
// mistake; of those that are the same program one.
func (d *division) parts() []part {
	sets := map[string][]int{}
	for i := range d.pieces {
		if d.pieces[i].entry < 0 && d.idle[d.pieces[i].process] != nil {
			continue // a client that calls nothing
		}
		if set := d.closure(i); len(set) > 0 {
			sets[string(numbers(set))] = set
		}
	}
	all := slices.SortedFunc(maps.Values(sets), func(a, b []int) int {
		return cmp.Or(len(a)-len(b), slices.Compare(a, b))
	})
	var some []part
	seen := map[string]bool{}
	for i, set := range all {
		if !slices.ContainsFunc(set, func(i int) bool { return d.pieces[i].waits }) {
			continue
		}
		if slices.ContainsFunc(all[i+1:], func(other []int) bool { return contains(other, set) }) {
			continue
		}
		p := part{set, d.slice(set)}
		if key := string(signature(p.program)); !seen[key] {
			seen[key] = true
			some = append(some, p)
		}
	}
	return some
}

// closure returns a piece and what it depends on.
func (d *division) closure(i int) []int {
	set := map[int]bool{i: true}
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		for j := range d.pieces {
			if !set[j] && d.dependsOn(&d.pieces[queue[0]], &d.pieces[j]) {
				set[j] = true
				queue = append(queue, j)
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func contains(all, some []int) bool {
	for _, n := range some {
		if _, ok := slices.BinarySearch(all, n); !ok {
			return false
		}
	}
	return true
}

func numbers(all []int) (key []byte) {
	for _, n := range all {
		key = binary.AppendUvarint(key, uint64(n))
	}
	return key
}

// slice makes the program of a part. The numbers of all that is in it stay the same: of what is left out there are no
// copies, what starts it goes on, and what a client would choose in order to call it is not chosen.
func (d *division) slice(set []int) *esl.Program {
	kept, calls := map[int]bool{}, map[int]map[int]bool{}
	for _, i := range set {
		p := &d.pieces[i]
		switch {
		case p.entry >= 0:
			if calls[p.process] == nil {
				calls[p.process] = map[int]bool{}
			}
			calls[p.process][p.entry] = true
			kept[p.process] = true
		case d.idle[p.process] == nil:
			kept[p.process] = true
		}
	}
	var others []int
	for i := range d.program.Processes {
		if !kept[i] {
			others = append(others, i)
		}
	}
	q := d.without(others)
	for process, entries := range calls {
		d.choose(q, q.Processes[process].Entry, d.idle[process], entries)
	}
	return q
}

// without makes the program without some processes: what starts them goes on.
func (d *division) without(some []int) *esl.Program {
	q := d.program.Rewritten(func(at esl.Place, s esl.Stmt) esl.Stmt {
		if s.Op == esl.Start && slices.Contains(some, s.Arg) {
			return esl.Stmt{Op: esl.Goto, Targets: []int{at.Index + 1}, Pos: s.Pos}
		}
		return s
	})
	q.Processes = slices.Clone(q.Processes)
	for _, i := range some {
		q.Processes[i].Copies, q.Processes[i].Initial = 0, false
	}
	return q
}

// choose leaves out what leads neither to a call of a client that is kept nor round.
func (d *division) choose(q *esl.Program, function int, idle, entries map[int]bool) {
	leads := maps.Clone(entries)
	for at := range idle {
		leads[at] = d.isRound(function, idle, at)
	}
	isLeading := func(to int) bool { return leads[to] }
	for changed := true; changed; {
		changed = false
		for at := range idle {
			if !leads[at] && slices.ContainsFunc(d.program.Functions[function].Successors(at), isLeading) {
				leads[at], changed = true, true
			}
		}
	}
	body := q.Functions[function].Body
	for at := range idle {
		if at < len(body) && body[at].Op == esl.Choice && leads[at] {
			body[at].Targets = slices.DeleteFunc(slices.Clone(body[at].Targets), func(to int) bool { return !leads[to] })
		}
	}
}

// whole returns a run of the program for one of a part: what the part leaves out is started where that is due.
func (d *division) whole(p part, run []esl.Step) []esl.Step {
	all := slices.Clone(run)
	started := map[int]bool{}
	for i, step := range all {
		body := d.program.Functions[step.Function].Body
		if step.Index == len(body) || body[step.Index].Op != esl.Start {
			continue
		}
		if process := body[step.Index].Arg; p.program.Processes[process].Copies == 0 {
			if all[i].Target = 1; started[process] {
				all[i].Target = 0
			}
			started[process] = true
		}
	}
	return all
}

// signature is the same for programs that are the same but for the numbers of processes and objects.
func signature(p *esl.Program) []byte {
	w := &signer{program: p, objects: map[object]int{}, processes: map[int]int{}, places: map[esl.Place]int{}}
	for i, q := range p.Processes {
		if q.Initial {
			w.process(i)
		}
	}
	for i := 0; i < len(w.order); i++ {
		w.key = append(w.key, '\n')
		w.key = binary.AppendUvarint(w.key, uint64(p.Processes[w.order[i]].Copies))
		w.walk(p.Processes[w.order[i]].Entry)
	}
	return w.key
}

// signer writes a program as text, in the order in which it can be executed.
type signer struct {
	program   *esl.Program
	key       []byte
	objects   map[object]int
	processes map[int]int
	order     []int
	places    map[esl.Place]int
}

func (w *signer) number(n int) { w.key = binary.AppendVarint(w.key, int64(n)) }

func (w *signer) process(i int) int {
	n, ok := w.processes[i]
	if !ok {
		n = len(w.order)
		w.processes[i] = n
		w.order = append(w.order, i)
	}
	return n
}

// at is where a jump leads to.
func (w *signer) at(function, index int) esl.Place {
	body := w.program.Functions[function].Body
	for range len(body) {
		if index >= len(body) || body[index].Op != esl.Goto {
			break
		}
		index = body[index].Targets[0]
	}
	return esl.Place{Function: function, Index: index}
}

// walk writes a function, and those that it calls.
func (w *signer) walk(function int) {
	w.places = map[esl.Place]int{}
	var queue []esl.Place
	visit := func(function, index int) {
		at := w.at(function, index)
		n, ok := w.places[at]
		if !ok {
			n = len(queue)
			w.places[at] = n
			queue = append(queue, at)
		}
		w.number(n)
	}
	visit(function, 0)
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		body := w.program.Functions[at.Function].Body
		if at.Index >= len(body) {
			w.number(-1)
			continue
		}
		s := body[at.Index]
		w.number(int(s.Op))
		w.number(s.Count)
		w.number(s.Value)
		w.key = append(append(w.key, s.Pos.String()...), 0)
		switch s.Op {
		case esl.Call:
			visit(s.Arg, 0)
		case esl.Start, esl.Join:
			w.number(w.process(s.Arg))
		default:
			if o, ok := objectOf(use{op: s.Op, arg: s.Arg}); ok {
				w.object(o)
			}
		}
		next := w.program.Functions[at.Function].Successors(at.Index)
		w.number(len(next))
		for _, to := range next {
			visit(at.Function, to)
		}
	}
}

// object writes which object is used, and of what kind it is.
func (w *signer) object(o object) {
	n, ok := w.objects[o]
	if !ok {
		n = len(w.objects)
		w.objects[o] = n
	}
	w.number(n)
	w.number(o.kind)
	switch p := w.program; o.kind {
	case lockKind:
		w.number(int(p.Locks[o.number].Kind))
	case channelKind:
		w.number(p.Channels[o.number].Capacity)
	case variableKind:
		w.number(p.Variables[o.number].Values)
	}
}
