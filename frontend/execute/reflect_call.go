package execute

import (
	"go/types"
	"reflect"
	"slices"
)

// callMethods are the methods of a Value that call functions, and those of channels.
func callMethods() map[string]ofValue {
	communicate := func(f func(m mirror, g *goroutine, v reflected, ch *channel, a []value) value) ofValue {
		return func(m mirror, g *goroutine, v reflected, a []value) value {
			v.mustBe("a method of channels", reflect.Chan)
			v.mustBeExported("a method of channels")
			return f(m, g, v, v.get(g).(*channel), a)
		}
	}
	receive := func(g *goroutine, v reflected, ch *channel, p *parked) value {
		p.cases = []channelCase{{ch, false, nil}}
		g.communicate(p)
		if p.chosen < 0 {
			return aggregate{reflected{}.value(g), false}
		}
		return aggregate{g.reflect(elementOf(v.typ), p.received, 0).value(g), p.ok}
	}
	return map[string]ofValue{
		"Call": func(m mirror, g *goroutine, v reflected, a []value) value {
			return v.call(m, g, g.valuesIn(a[0]), false)
		},
		"CallSlice": func(m mirror, g *goroutine, v reflected, a []value) value {
			return v.call(m, g, g.valuesIn(a[0]), true)
		},
		"NumMethod": func(_ mirror, g *goroutine, v reflected, _ []value) value {
			if v.flags == 0 {
				v.wrongKind("reflect.Value.NumMethod")
			}
			return int64(len(g.m.methodsOf(v.typ)))
		},
		"Method": func(_ mirror, g *goroutine, v reflected, a []value) value {
			if v.flags == 0 {
				v.wrongKind("reflect.Value.Method")
			}
			all := g.m.methodsOf(v.typ)
			return v.method(g, all[checkIndex(a[0], len(all))]).value(g)
		},
		"MethodByName": func(_ mirror, g *goroutine, v reflected, a []value) value {
			if v.flags == 0 {
				v.wrongKind("reflect.Value.MethodByName")
			}
			for _, s := range g.m.methodsOf(v.typ) {
				if s.Obj().Name() == a[0] && s.Obj().Exported() {
					return v.method(g, s).value(g)
				}
			}
			return reflected{}.value(g)
		},
		"Send": communicate(func(_ mirror, g *goroutine, v reflected, ch *channel, a []value) value {
			g.send(ch, takenApart(a[0]).as(g, elementOf(v.typ), "reflect.Value.Send"))
			return nil
		}),
		"TrySend": communicate(func(_ mirror, g *goroutine, v reflected, ch *channel, a []value) value {
			x := takenApart(a[0]).as(g, elementOf(v.typ), "reflect.Value.TrySend")
			p := &parked{hasDefault: true, cases: []channelCase{{ch, true, x}}}
			return g.communicate(p).chosen == 0
		}),
		"Recv": communicate(func(_ mirror, g *goroutine, v reflected, ch *channel, _ []value) value {
			return receive(g, v, ch, &parked{})
		}),
		"TryRecv": communicate(func(_ mirror, g *goroutine, v reflected, ch *channel, _ []value) value {
			return receive(g, v, ch, &parked{hasDefault: true})
		}),
		"Close": communicate(func(_ mirror, g *goroutine, _ reflected, ch *channel, _ []value) value {
			g.closeChannel(ch)
			return nil
		}),
	}
}

// method returns the function that calls a method of the value.
func (v reflected) method(g *goroutine, s *types.Selection) reflected {
	receiver := v.get(g)
	fn := (*closure)(nil)
	if x, ok := receiver.(iface); ok && types.IsInterface(v.typ) {
		if x.typ == nil {
			reflectPanic("reflect: Method on nil interface value")
		}
		receiver, fn = x.val, &closure{fn: g.m.method(x.typ, s.Obj().Pkg(), s.Obj().Name())}
	} else {
		fn = &closure{fn: g.m.function(s)}
	}
	bound := &closure{env: []value{receiver}, native: func(g *goroutine, a []value) value {
		r, t := g.invoke(fn, append([]value{receiver}, a...), nil)
		g.returned = g.returned.union(t)
		return r
	}}
	return g.reflect(withReceiver(nil, s.Type().(*types.Signature)), bound, v.flags)
}

// call calls the function.
func (v reflected) call(m mirror, g *goroutine, in []reflected, isSlice bool) value {
	v.mustBe("reflect.Value.Call", reflect.Func)
	v.mustBeExported("reflect.Value.Call")
	fn := v.get(g).(*closure)
	if fn == nil {
		reflectPanic("reflect: call of reflect.Value.Call on zero Value")
	}
	s := v.typ.Underlying().(*types.Signature)
	fixed := s.Params().Len()
	if s.Variadic() && !isSlice {
		fixed--
	}
	switch {
	case len(in) < fixed:
		reflectPanic("reflect: Call with too few input arguments")
	case len(in) > fixed && (isSlice || !s.Variadic()):
		reflectPanic("reflect: Call with too many input arguments")
	}
	handed := g.handed
	var args []value
	for i := range fixed {
		args = append(args, in[i].as(g, s.Params().At(i).Type(), "reflect: Call using"))
	}
	if s.Variadic() && !isSlice {
		elem := elementOf(s.Params().At(fixed).Type())
		more := slice{}
		if len(in) > fixed {
			more.cells = g.array(elem, len(in)-fixed)
		}
		for i, c := range more.cells {
			c.set(in[fixed+i].as(g, elem, "reflect: cannot use"))
			c.taint = handed
		}
		args = append(args, more)
	}
	taints := make([]taint, len(args))
	for i := range taints {
		taints[i] = handed
	}
	result, t := g.invoke(fn, args, taints)
	g.returned = g.returned.union(t)
	var out []reflected
	switch s.Results().Len() {
	case 0:
	case 1:
		out = append(out, g.reflect(s.Results().At(0).Type(), result, 0))
	default:
		for i, x := range result.(aggregate) {
			out = append(out, g.reflect(s.Results().At(i).Type(), x, 0))
		}
	}
	return m.valueList(g, out)
}

// mapMethods are the methods of a Value that is a map.
func mapMethods() map[string]ofValue {
	return map[string]ofValue{
		"MapIndex": func(_ mirror, g *goroutine, v reflected, a []value) value {
			v.mustBe("reflect.Value.MapIndex", reflect.Map)
			of := v.typ.Underlying().(*types.Map)
			m, key := v.get(g).(*mapping), takenApart(a[0]).as(g, of.Key(), "reflect.Value.MapIndex")
			if m == nil {
				return reflected{}.value(g)
			}
			if m.mem.shared {
				g.pointAt(m, Read)
			}
			g.returned = g.returned.union(g.accessEntry(m, Read, hash(key)))
			e := m.index[hash(key)]
			if e == nil {
				return reflected{}.value(g)
			}
			return g.reflect(of.Elem(), e.val, v.flags).value(g)
		},
		"SetMapIndex": func(_ mirror, g *goroutine, v reflected, a []value) value {
			v.mustBe("reflect.Value.SetMapIndex", reflect.Map)
			v.mustBeExported("reflect.Value.SetMapIndex")
			of := v.typ.Underlying().(*types.Map)
			m, key := v.get(g).(*mapping), takenApart(a[0]).as(g, of.Key(), "reflect.Value.SetMapIndex")
			if x := takenApart(a[1]); x.flags != 0 {
				g.mapUpdate(m, key, x.as(g, of.Elem(), "reflect.Value.SetMapIndex"), g.handed)
			} else if m != nil {
				g.deleteFrom(m, key)
			}
			return nil
		},
		"MapKeys": func(m mirror, g *goroutine, v reflected, _ []value) value {
			v.mustBe("reflect.Value.MapKeys", reflect.Map)
			var all []reflected
			for _, e := range g.entries(v.get(g).(*mapping)) {
				all = append(all, g.reflect(v.typ.Underlying().(*types.Map).Key(), e.key, v.flags))
			}
			return m.valueList(g, all)
		},
		"MapRange": func(m mirror, g *goroutine, v reflected, _ []value) value {
			v.mustBe("reflect.Value.MapRange", reflect.Map)
			c := g.allocate(m.named(g, "MapIter"))
			c.state = &mapIterator{m: v}
			return c
		},
		"SetIterKey": func(_ mirror, g *goroutine, v reflected, a []value) value {
			key, _ := iteratorOf(g, a[0]).entry(g)
			v.put(g, key.as(g, v.typ, "reflect.MapIter.SetKey"), "reflect.Value.SetIterKey")
			return nil
		},
		"SetIterValue": func(_ mirror, g *goroutine, v reflected, a []value) value {
			_, x := iteratorOf(g, a[0]).entry(g)
			v.put(g, x.as(g, v.typ, "reflect.MapIter.SetValue"), "reflect.Value.SetIterValue")
			return nil
		},
	}
}

// entries reads the entries of a map.
func (g *goroutine) entries(m *mapping) []*entry {
	if m == nil {
		return nil
	}
	if m.mem.shared {
		g.pointAt(m, Read)
	}
	g.returned = g.returned.union(g.accessMap(m, Read))
	return slices.DeleteFunc(slices.Clone(m.order), func(e *entry) bool { return e.gone })
}

// mapIterator is the state of the cell of a reflect.MapIter.
type mapIterator struct {
	m     reflected
	at    int // of the next entry
	e     *entry
	begun bool
}

func iteratorOf(g *goroutine, v value) *mapIterator { return state[mapIterator](g, v) }

func (it *mapIterator) entry(g *goroutine) (key, val reflected) {
	if it.e == nil {
		reflectPanic("MapIter.Key called before Next, or on an exhausted iterator")
	}
	of := it.m.typ.Underlying().(*types.Map)
	return g.reflect(of.Key(), it.e.key, it.m.flags), g.reflect(of.Elem(), it.e.val, it.m.flags)
}

// iterators are the methods of a reflect.MapIter.
func iterators() map[string]native {
	return map[string]native{
		"(*reflect.MapIter).Next": func(g *goroutine, a []value) value {
			it := iteratorOf(g, a[0])
			if it.m.flags == 0 {
				reflectPanic("MapIter.Next called on an iterator that does not have an associated map Value")
			}
			if it.begun && it.e == nil {
				reflectPanic("MapIter.Next called on exhausted iterator")
			}
			it.begun, it.e = true, nil
			m := it.m.get(g).(*mapping)
			if m == nil {
				return false
			}
			if m.mem.shared {
				g.pointAt(m, Read)
			}
			g.returned = g.returned.union(g.accessMap(m, Read))
			for it.e == nil && it.at < len(m.order) {
				if e := m.order[it.at]; !e.gone {
					it.e = e
				}
				it.at++
			}
			return it.e != nil
		},
		"(*reflect.MapIter).Key": func(g *goroutine, a []value) value {
			key, _ := iteratorOf(g, a[0]).entry(g)
			return key.value(g)
		},
		"(*reflect.MapIter).Value": func(g *goroutine, a []value) value {
			_, x := iteratorOf(g, a[0]).entry(g)
			return x.value(g)
		},
		"(*reflect.MapIter).Reset": func(g *goroutine, a []value) value {
			*iteratorOf(g, a[0]) = mapIterator{m: takenApart(a[1])}
			return nil
		},
	}
}

// deep is reflect.DeepEqual of two values.
type deep struct {
	g    *goroutine
	seen map[[3]any]bool // what is compared already
}

func (d deep) equal(a, b value) bool {
	switch a := a.(type) {
	case iface:
		b := b.(iface)
		if a.typ == nil || b.typ == nil {
			return a.typ == nil && b.typ == nil
		}
		return types.Identical(a.typ, b.typ) && d.equal(a.val, b.val)
	case aggregate:
		for i, x := range a {
			if !d.equal(x, b.(aggregate)[i]) {
				return false
			}
		}
		return true
	case *cell:
		b, ok := b.(*cell)
		if !ok || a == nil || b == nil || a == b {
			return ok && a == b
		}
		return d.again(a, b, -1) || d.equal(d.load(a), d.load(b))
	case slice:
		b := b.(slice)
		if (a.cells == nil) != (b.cells == nil) || len(a.cells) != len(b.cells) {
			return false
		}
		if len(a.cells) == 0 || a.cells[0] == b.cells[0] || d.again(a.cells[0], b.cells[0], len(a.cells)) {
			return true
		}
		for i, c := range a.cells {
			if !d.equal(d.load(c), d.load(b.cells[i])) {
				return false
			}
		}
		return true
	case *mapping:
		return d.maps(a, b.(*mapping))
	case *closure:
		return a == nil && b.(*closure) == nil
	}
	return a == b
}

func (d deep) load(c *cell) value {
	v, t := d.g.load(c)
	d.g.returned = d.g.returned.union(t)
	return v
}

// again tells whether the two are compared already; n elements, if they are slices.
func (d deep) again(a, b any, n int) bool {
	key := [3]any{a, b, n}
	was := d.seen[key]
	d.seen[key] = true
	return was
}

func (d deep) maps(a, b *mapping) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	if d.again(a, b, -1) {
		return true
	}
	x, y := d.g.entries(a), d.g.entries(b)
	if len(x) != len(y) {
		return false
	}
	for _, e := range x {
		if other := b.index[e.hash]; other == nil || !d.equal(e.val, other.val) {
			return false
		}
	}
	return true
}
