package esl

import (
	"fmt"
	"slices"
)

// frame is a unit that an activation of a function has opened and not closed.
type frame struct {
	object int
	unit   string
	with   []int
}

func (f frame) equal(g frame) bool {
	return f.object == g.object && f.unit == g.unit && slices.Equal(f.with, g.with)
}

// frames is the open units of an activation: by object, and outermost first for
// each object, because frames on different objects are independent.
type frames []frame

func (fs frames) equal(gs frames) bool { return slices.EqualFunc(fs, gs, frame.equal) }

// after returns the open units after statement s.
func (fs frames) after(s Stmt) (frames, error) {
	// end is where the frames on the object end.
	end := 0
	for end < len(fs) && fs[end].object <= s.Arg {
		end++
	}
	switch s.Op {
	case UnitBegin:
		return slices.Insert(slices.Clone(fs), end, frame{s.Arg, s.Unit, s.With}), nil
	case UnitEnd:
		if end == 0 || fs[end-1].object != s.Arg {
			return nil, fmt.Errorf("unit-end without an open unit of this activation on the object; write unit-begin before " +
				"it on every path")
		}
		return slices.Delete(slices.Clone(fs), end-1, end), nil
	}
	return fs, nil
}

// Successors returns where control can go from statement i within the function;
// len(Body) is its end, which has none. A call is taken to return.
func (f *Function) Successors(i int) []int {
	if i == len(f.Body) {
		return nil
	}
	switch s := f.Body[i]; s.Op {
	case Goto, Choice, Select, SelectDefault:
		return s.Targets
	case Return, Exit:
		return nil
	}
	return []int{i + 1}
}

// nesting is the open units of an activation at each of its statements and at its
// end. reached is false where no path leads.
type nesting struct {
	open    []frames
	reached []bool
}

// nest computes the nesting of a function whose jump targets are in range, in
// O(statements x depth). If units are not balanced, it returns the statement at
// which that shows, and an error.
func (f *Function) nest() (n nesting, at int, err error) {
	n = nesting{make([]frames, len(f.Body)+1), make([]bool, len(f.Body)+1)}
	n.reached[0] = true
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == len(f.Body) || f.Body[i].Op == Return {
			if len(n.open[i]) > 0 {
				return n, i, fmt.Errorf("the function returns with unit %q open; write unit-end before it",
					n.open[i][len(n.open[i])-1].unit)
			}
			continue
		}
		open, err := n.open[i].after(f.Body[i])
		if err != nil {
			return n, i, err
		}
		for _, t := range f.Successors(i) {
			if !n.reached[t] {
				n.open[t], n.reached[t] = open, true
				work = append(work, t)
			} else if !n.open[t].equal(open) {
				return n, t, fmt.Errorf("different units are open here on different paths; write the same unit-begin and " +
					"unit-end on each")
			}
		}
	}
	return n, 0, nil
}
