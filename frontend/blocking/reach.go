package blocking

// reach is objects that are led to, and those of them that are yet to be looked at.
type reach struct {
	lasting *tree[*object] // those that need no looking at
	seen    map[*object]bool
	queue   []*object
}

func newReach() *reach { return &reach{seen: map[*object]bool{}} }

func (r *reach) has(o *object) bool { return r.seen[o] || r.lasting.has(uint64(o.number)) }

func (r *reach) add(o *object) {
	if !r.has(o) {
		r.seen[o] = true
		r.queue = append(r.queue, o)
	}
}

// addStored adds what the memory of an object leads to.
func (r *reach) addStored(s *state, o *object) {
	for _, x := range s.contents(o) {
		each(x, r.add)
	}
}

// next returns the next object that is to be looked at; nil if there is none.
func (r *reach) next() *object {
	if len(r.queue) == 0 {
		return nil
	}
	o := r.queue[0]
	r.queue = r.queue[1:]
	return o
}

// addAll adds what the objects lead to that are yet to be looked at.
func (r *reach) addAll(s *state) {
	for o := r.next(); o != nil; o = r.next() {
		r.addStored(s, o)
		for _, parent := range o.parents {
			r.add(parent)
		}
	}
}

// lasting is the objects that package variables, and those that others may know, lead to in the memory of a state.
// Most of what there is when packages have been initialised is so, and little of it changes from one state to the next.
type lasting struct {
	store *tree[stored]
	led   *tree[*object]
	rest  *tree[*object] // the other objects that have memory
}

// lastingOf returns what lasts in a state: what is new since that was found out, if nothing was taken away.
func (l *lowerer) lastingOf(s *state) *lasting {
	old := s.lasting
	led, isLess := newReach(), false
	differences(old.store, s.store, func(_ uint64, a, b *stored) {
		isLess = isLess || a != nil && old.led.has(uint64(a.at.of.number)) && !leadsOn(a, b)
	})
	if isLess {
		old = &lasting{}
	}
	all := lasting{s.store, old.led, old.rest}
	led.lasting = old.led
	differences(old.store, s.store, func(_ uint64, _, b *stored) {
		switch {
		case b == nil:
		case led.has(b.at.of):
			each(b.value, led.add)
		case !all.rest.has(uint64(b.at.of.number)):
			all.rest = all.rest.with(uint64(b.at.of.number), b.at.of)
		}
	})
	for _, o := range all.rest.all {
		if o.isGlobal || l.known.escaped[o] {
			led.add(o)
		}
	}
	led.addAll(s)
	for o := range led.seen {
		all.led, all.rest = all.led.with(uint64(o.number), o), all.rest.without(uint64(o.number), 0)
	}
	s.lasting = &all
	return &all
}

// leadsOn tells whether what is in a cell now, nil for nothing, leads to all that what was in it led to.
func leadsOn(was, is *stored) bool {
	if is == nil {
		return false
	}
	led, all := newReach(), true
	each(is.value, led.add)
	each(was.value, func(o *object) { all = all && led.seen[o] })
	return all
}

// reached returns the objects that live registers, deferred calls and package variables lead to, and those that others
// may know.
func (l *lowerer) reached(s *state) *reach {
	led := newReach()
	led.lasting = l.lastingOf(s).led
	for _, a := range s.stack {
		for _, r := range l.order(a) {
			each(a.regs[r], led.add)
		}
		for _, d := range a.defers {
			each(d.fn, led.add)
			for _, v := range d.args {
				each(v, led.add)
			}
		}
	}
	led.addAll(s)
	return led
}

// collect drops what can not be used any more.
func (l *lowerer) collect(s *state) {
	reached := l.reached(s)
	left := *s.lasting
	for _, o := range s.lasting.rest.all {
		if !reached.seen[o] {
			left.store = left.store.without(o.cells(), anyPath)
			left.rest = left.rest.without(uint64(o.number), 0)
		}
	}
	s.store, s.lasting = left.store, &left
}
