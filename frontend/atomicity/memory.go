package atomicity

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// numberOf returns the field or package variable that an address is of, 0 if it is of none.
func (p *pool) numberOf(address term) rune {
	op := p.nodes[address].op
	for _, prefix := range []string{"&", "global "} {
		if text, ok := strings.CutPrefix(op, prefix); ok {
			n, _ := strconv.Atoi(text)
			return rune(n)
		}
	}
	return 0
}

// termPlace returns the pointer that an address is computed from, and the fields from there.
func (p *pool) termPlace(address term) (root term, fields path) {
	if n := p.nodes[address]; strings.HasPrefix(n.op, "&") {
		root, fields = p.termPlace(n.args[0])
		return root, fields + path(p.numberOf(address))
	}
	return address, ""
}

// rootOf returns the memory that an address is in: of what a map has in it, the map.
func (p *pool) rootOf(address term) term {
	for {
		n := p.nodes[address]
		if !strings.HasPrefix(n.op, "&") && n.op != "has" && n.op != "elem" && n.op != "[]" {
			return address
		}
		address = n.args[0]
	}
}

// classOf returns the class of the memory at an address.
func (r *run) classOf(address term) class {
	if n := r.nodes[address]; n.op == "has" || n.op == "elem" {
		return class{r.numberOf(r.holders[n.args[0]]), true}
	}
	return class{of: r.numberOf(address)}
}

// guard tells whether a lock that is held is among some relations to the memory at an address.
func (r *run) guards(h hold, address term, among relations) bool {
	if n := r.nodes[address]; n.op == "has" || n.op == "elem" {
		address = r.holders[n.args[0]]
	}
	root, fields := r.termPlace(address)
	lockRoot, lock := r.termPlace(h.lock)
	global := rune(0)
	if strings.HasPrefix(r.nodes[lockRoot].op, "global ") {
		global = r.numberOf(lockRoot)
	}
	for _, rel := range relate(fields, lock, root == lockRoot, global) {
		if among[rel] {
			return true
		}
	}
	return false
}

// since returns the time from which on nobody else has written the memory at an address; -1 if nobody
// ever does.
func (r *run) since(address term, held []hold, time int) int {
	d := r.of(r.classOf(address))
	if !d.written {
		return -1
	}
	for _, h := range held {
		if r.guards(h, address, d.writers) {
			time = min(time, h.since)
		}
	}
	return time
}

// leavesAt calls f for the parts of a variable, with their types.
func (r *run) leavesAt(address term, t types.Type, f func(term, types.Type)) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || isAtomicType(t) || isSyncType(t) {
		f(address, t)
		return
	}
	for field := range s.Fields() {
		r.leavesAt(r.field(address, field), field.Type(), f)
	}
}

// field returns the address of a field.
func (r *run) field(address term, field *types.Var) term {
	return r.apply("&"+strconv.Itoa(int(r.number(field))), address)
}

// separate tells whether it is known what is at an address. It decides which of the unit's own writes
// are there.
func (r *run) separate(s *state, address term, t types.Type) bool {
	ok := true
	r.leavesAt(address, t, func(at term, _ types.Type) { ok = ok && r.separateLeaf(s, at) })
	return ok
}

func (r *run) separateLeaf(s *state, address term) bool {
	root := r.rootOf(address)
	c := r.classOf(address)
	if r.isMade(root) {
		return !s.made[root] || c.of != 0 && !r.of(c).written && !r.of(c).escapes
	}
	if c.of == 0 {
		return false
	}
	if d := r.of(c); d.escapes || !d.isOrdered() {
		return false
	}
	for _, w := range s.writes {
		if w.class == c {
			r.isSame(s, w.address, address)
		}
	}
	return true
}

// isSame decides whether two addresses of one class are the same.
func (r *run) isSame(s *state, a, b term) bool {
	if a == b {
		return true
	}
	x, y := r.nodes[a], r.nodes[b]
	if x.op != y.op || len(x.args) != len(y.args) {
		return false
	}
	for i := range x.args {
		if !r.decide(s, r.equal(x.args[i], y.args[i])) {
			return false
		}
	}
	return true
}

// tick lets others come before an access.
func (r *run) tick(s *state, address term, at ssa.Instruction) {
	if r.moment == nil && r.why == nil && !r.isMade(r.rootOf(address)) {
		s.time++
		s.moments = append(s.moments, moment{s.time, slices.Clone(s.held), at})
	}
}

// peek is what is at an address at the next time.
func (r *run) peek(s *state, address term, t types.Type) term {
	s.time++
	value := r.loadLeaf(s, address, t)
	s.time--
	return value
}

// load returns what is at an address.
func (r *run) load(s *state, address term, t types.Type) term {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || isAtomicType(t) || isSyncType(t) {
		return r.loadLeaf(s, address, t)
	}
	var all []term
	for f := range u.Fields() {
		all = append(all, r.load(s, r.field(address, f), f.Type()))
	}
	return r.apply("struct", all...)
}

func (r *run) loadLeaf(s *state, address term, t types.Type) term {
	if r.isMade(r.rootOf(address)) {
		if value, ok := s.locals[address]; ok {
			return value
		}
		return r.zero(t)
	}
	held, time := s.held, s.time
	if r.moment != nil {
		held, time = r.moment.held, r.moment.time
	}
	since := r.since(address, held, time)
	for i := len(s.writes) - 1; i >= 0; i-- {
		w := s.writes[i]
		if w.class == r.classOf(address) && r.isSame(s, w.address, address) {
			if r.moment != nil || w.time > since {
				return w.value
			}
			break
		}
	}
	value, isStamped := r.stamped(s, address, held, time, since)
	if !isStamped {
		value = r.apply("mem "+strconv.Itoa(since), address)
		r.stick(s, address, value, since)
		r.note(s, address, value, since)
	}
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		if _, ok := r.holders[value]; !ok {
			r.holders[value] = address
		}
	}
	return value
}

// store writes what is at an address.
func (r *run) store(s *state, address term, t types.Type, value term) {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || isAtomicType(t) || isSyncType(t) {
		r.storeLeaf(s, address, value)
		return
	}
	for i := range u.NumFields() {
		r.store(s, r.field(address, u.Field(i)), u.Field(i).Type(), r.part(value, i))
	}
}

func (r *run) storeLeaf(s *state, address, value term) {
	if r.isMade(r.rootOf(address)) {
		s.locals[address] = value
		return
	}
	at := s.top().block.Instrs[s.top().index]
	s.writes = append(s.writes, write{address, r.classOf(address), value, s.time, slices.Clone(s.held), at})
	r.note(s, address, value, s.time)
	for made := range r.reachable(s, value) {
		s.made[made] = true
	}
}

// reachable returns the memory that the unit has made to which a value leads.
func (r *run) reachable(s *state, values ...term) map[term]bool {
	found, seen := map[term]bool{}, map[term]bool{}
	work := slices.Clone(values)
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		work = append(work, r.nodes[t].args...)
		if r.isMade(t) && !found[t] {
			found[t] = true
			for address, value := range s.locals {
				if r.rootOf(address) == t {
					work = append(work, address, value)
				}
			}
		}
	}
	return found
}

// part returns a field of a struct that is in no memory.
func (r *run) part(value term, i int) term {
	if n := r.nodes[value]; n.op == "struct" || n.op == "tuple" {
		return n.args[i]
	}
	return r.apply("part "+strconv.Itoa(i), value)
}

// zero returns the zero value of a type.
func (r *run) zero(t types.Type) term {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return falseTerm
		case u.Info()&types.IsString != 0:
			return r.constant(constant.MakeString(""))
		case u.Info()&types.IsInteger != 0:
			return r.constant(constant.MakeInt64(0))
		}
		return r.apply("zero " + u.String())
	case *types.Struct:
		var all []term
		for f := range u.Fields() {
			all = append(all, r.zero(f.Type()))
		}
		return r.apply("struct", all...)
	case *types.Array:
		return r.apply("zero " + u.String())
	}
	return nilTerm
}

// nilPanics tells whether a path ends as a pointer is nil.
func (r *run) nilPanics(s *state, pointer ssa.Value, at ssa.Instruction) bool {
	t := r.value(s, pointer)
	if r.why != nil {
		return true
	}
	if r.isNotNil(t) || !r.decide(s, r.equal(t, nilTerm)) {
		return false
	}
	r.end(s, panics, nil, at)
	return true
}

// mapOperation looks a key up in a map, or writes an entry. It tells whether the path goes on.
func (r *run) mapOperation(s *state, instr ssa.Instruction) bool {
	var in, keyOf ssa.Value
	lookup, isLookup := instr.(*ssa.Lookup)
	update, isUpdate := instr.(*ssa.MapUpdate)
	switch {
	case isLookup:
		in, keyOf = lookup.X, lookup.Index
	case isUpdate:
		in, keyOf = update.Map, update.Key
	default: // delete
		in, keyOf = instr.(*ssa.Call).Call.Args[0], instr.(*ssa.Call).Call.Args[1]
	}
	of, isMap := in.Type().Underlying().(*types.Map)
	m, key := r.value(s, in), r.value(s, keyOf)
	if r.why != nil {
		return false
	}
	if !isMap || !isScalar(of.Key()) || r.holders[m] == 0 && !r.isMade(m) {
		return r.unknown(s, "uses what is in a map that is not told apart")
	}
	if isUpdate && !r.isMade(m) && r.decide(s, r.equal(m, nilTerm)) {
		r.end(s, panics, nil, instr)
		return false
	}
	has, elem := r.apply("has", m, key), r.apply("elem", m, key)
	if !r.separateLeaf(s, has) || !r.separateLeaf(s, elem) {
		return r.unknown(s, "uses what is in a map that is not told apart")
	}
	if !isLookup {
		r.tick(s, has, instr)
		r.storeLeaf(s, has, r.boolean(isUpdate))
		value := r.zero(of.Elem())
		if isUpdate {
			value = r.value(s, update.Value)
		}
		r.storeLeaf(s, elem, value)
		return true
	}
	is := r.decide(s, r.peek(s, has, types.Typ[types.Bool]))
	r.tick(s, has, instr)
	value := r.zero(of.Elem())
	if is {
		value = r.loadLeaf(s, elem, of.Elem())
	}
	if lookup.CommaOk {
		value = r.apply("tuple", value, r.boolean(is))
	}
	s.top().env[lookup] = value
	return true
}

// isScalar tells whether values of a type are compared by themselves, and lead to no memory.
func isScalar(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
}
