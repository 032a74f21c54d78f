package execute

import (
	"go/types"
	"reflect"
)

func (v reflected) canSet() bool { return v.flags&hasAddress != 0 && v.flags&ofAny == 0 }

// put writes the value: an access.
func (v reflected) put(g *goroutine, x value, what string) {
	v.mustBeExported(what)
	if v.flags&hasAddress == 0 {
		reflectPanic("reflect: " + what + " using unaddressable value")
	}
	g.store(v.at, x, g.handed)
}

// setter puts what it is handed into values of some kinds.
func setter(name string, convert func(t types.Type, x value) value, kinds ...reflect.Kind) ofValue {
	return func(_ mirror, g *goroutine, v reflected, a []value) value {
		v.mustBe("reflect.Value."+name, kinds...)
		v.put(g, convert(v.typ, a[0]), "reflect.Value."+name)
		return nil
	}
}

// setMethods are the methods of a Value that write it.
func setMethods() map[string]ofValue {
	same := func(_ types.Type, x value) value { return x }
	integer := func(t types.Type, x value) value { return wrap(t, x.(int64)) }
	return map[string]ofValue{
		"Set": func(_ mirror, g *goroutine, v reflected, a []value) value {
			x := takenApart(a[0])
			v.mustBeExported("reflect.Set")
			x.mustBeExported("reflect.Set")
			v.put(g, x.as(g, v.typ, "reflect.Set"), "reflect.Set")
			return nil
		},
		"SetBool":   setter("SetBool", same, reflect.Bool),
		"SetString": setter("SetString", same, reflect.String),
		"SetInt":    setter("SetInt", integer, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64),
		"SetUint": setter("SetUint", integer, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32,
			reflect.Uint64, reflect.Uintptr),
		"SetFloat": setter("SetFloat", func(t types.Type, x value) value {
			if kindOf(t) == reflect.Float32 {
				return float64(float32(x.(float64)))
			}
			return x
		}, reflect.Float32, reflect.Float64),
		"SetComplex": setter("SetComplex", same, reflect.Complex64, reflect.Complex128),
		"SetBytes":   setter("SetBytes", same, reflect.Slice),
		"SetPointer": setter("SetPointer", same, reflect.UnsafePointer),
		"SetZero": func(_ mirror, g *goroutine, v reflected, _ []value) value {
			v.put(g, zero(v.typ), "reflect.Value.SetZero")
			return nil
		},
		"SetLen": func(_ mirror, g *goroutine, v reflected, a []value) value {
			v.mustBe("reflect.Value.SetLen", reflect.Slice)
			s, n := v.get(g).(slice), int(a[0].(int64))
			if n < 0 || n > cap(s.cells) {
				reflectPanic("reflect: slice length out of range in SetLen")
			}
			v.put(g, slice{s.cells[:n]}, "reflect.Value.SetLen")
			return nil
		},
		"SetCap": func(_ mirror, g *goroutine, v reflected, a []value) value {
			v.mustBe("reflect.Value.SetCap", reflect.Slice)
			s, n := v.get(g).(slice), int(a[0].(int64))
			if n < len(s.cells) || n > cap(s.cells) {
				reflectPanic("reflect: slice capacity out of range in SetCap")
			}
			v.put(g, slice{s.cells[:len(s.cells):n]}, "reflect.Value.SetCap")
			return nil
		},
		"Grow": func(_ mirror, g *goroutine, v reflected, a []value) value {
			v.mustBe("reflect.Value.Grow", reflect.Slice)
			s, n := v.get(g).(slice), int(a[0].(int64))
			if n < 0 {
				reflectPanic("reflect.Value.Grow: negative len")
			}
			if need := len(s.cells) + n; need > cap(s.cells) {
				v.put(g, slice{g.grown(s, elementOf(v.typ), need)[:len(s.cells)]}, "reflect.Value.Grow")
			}
			return nil
		},
		"Clear": func(_ mirror, g *goroutine, v reflected, _ []value) value {
			v.mustBe("reflect.Value.Clear", reflect.Slice, reflect.Map)
			g.clear(v.get(g))
			return nil
		},
	}
}

// grown returns memory for more elements, which begins with those of a slice.
func (g *goroutine) grown(s slice, elem types.Type, need int) []*cell {
	cells := g.array(elem, max(2*cap(s.cells), need, 4))
	for i, c := range s.cells {
		x, t := g.load(c)
		cells[i].set(x)
		cells[i].taint = t
	}
	return cells
}

// appended is append.
func (g *goroutine) appended(v reflected, more []value) value {
	s := v.get(g).(slice)
	cells := s.cells
	if need := len(cells) + len(more); need > cap(cells) {
		cells = g.grown(s, elementOf(v.typ), need)[:len(cells)]
	}
	n := len(cells)
	cells = cells[:n+len(more)]
	for i, x := range more {
		g.store(cells[n+i], x, g.handed)
	}
	return g.reflect(v.typ, slice{cells}, v.flags).value(g)
}

// valuesIn reads a slice of reflect.Values.
func (g *goroutine) valuesIn(v value) (all []reflected) {
	for _, c := range v.(slice).cells {
		x, t := g.load(c)
		g.handed = g.handed.union(t)
		all = append(all, takenApart(x))
	}
	return all
}

// valueList makes a slice of reflect.Values.
func (m mirror) valueList(g *goroutine, all []reflected) value {
	if len(all) == 0 {
		return slice{}
	}
	cells := g.array(m.named(g, "Value"), len(all))
	for i, v := range all {
		cells[i].set(v.value(g))
	}
	return slice{cells}
}

// callFunctions are the functions that work on slices and functions.
func callFunctions() map[string]ofMirror {
	return map[string]ofMirror{
		"Append": func(_ mirror, g *goroutine, a []value) value {
			v := takenApart(a[0])
			v.mustBe("reflect.Append", reflect.Slice)
			var more []value
			for _, x := range g.valuesIn(a[1]) {
				more = append(more, x.as(g, elementOf(v.typ), "reflect.Append"))
			}
			return g.appended(v, more)
		},
		"AppendSlice": func(_ mirror, g *goroutine, a []value) value {
			v, w := takenApart(a[0]), takenApart(a[1])
			v.mustBe("reflect.AppendSlice", reflect.Slice)
			w.mustBe("reflect.AppendSlice", reflect.Slice)
			var more []value
			for _, c := range w.get(g).(slice).cells {
				x, t := g.load(c)
				g.handed = g.handed.union(t)
				more = append(more, x)
			}
			return g.appended(v, more)
		},
		"Copy": func(_ mirror, g *goroutine, a []value) value {
			list := func(v reflected) value {
				v.mustBe("reflect.Copy", reflect.Slice, reflect.Array, reflect.String)
				if v.kind() == reflect.Array {
					return slice{v.at.parts}
				}
				return v.get(g)
			}
			return g.copyTo([]value{list(takenApart(a[0])), list(takenApart(a[1]))})
		},
		"Swapper": func(_ mirror, g *goroutine, a []value) value {
			s, ok := a[0].(iface).val.(slice)
			if !ok {
				reflectPanic("reflect: call of Swapper on a value that is no slice")
			}
			return &closure{native: func(g *goroutine, a []value) value {
				c, d := s.cells[checkIndex(a[0], len(s.cells))], s.cells[checkIndex(a[1], len(s.cells))]
				x, xt := g.load(c)
				y, yt := g.load(d)
				g.store(c, y, yt)
				g.store(d, x, xt)
				return nil
			}}
		},
		"MakeFunc": func(m mirror, g *goroutine, a []value) value {
			t, fn := typeIn(a[0]), a[1].(*closure)
			s := mustHave[*types.Signature](t, "MakeFunc")
			return g.reflect(t, &closure{env: []value{fn}, native: func(g *goroutine, a []value) value {
				var in []reflected
				for i, x := range a {
					in = append(in, g.reflect(s.Params().At(i).Type(), x, 0))
				}
				list, _ := g.invoke(fn, []value{m.valueList(g, in)}, nil)
				out := g.valuesIn(list)
				if len(out) != s.Results().Len() {
					reflectPanic("reflect: wrong return count from function created by MakeFunc")
				}
				results := make(aggregate, len(out))
				for i, v := range out {
					results[i] = v.as(g, s.Results().At(i).Type(), "reflect: function created by MakeFunc")
				}
				switch len(results) {
				case 0:
					return nil
				case 1:
					return results[0]
				}
				return results
			}}, 0).value(g)
		},
	}
}
