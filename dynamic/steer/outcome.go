package steer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/snapshot"
)

// outcomes are what the orders of two calls come to from one start, each of them several times:
// what differs then hangs on the clock or on chance, and only which of it is equal counts.
type outcomes struct {
	first  [2]*observation // of each order
	varied map[string]bool // paths
	all    map[string]bool // as text
	calls  map[string]bool // the parts that the program itself can see
	orders []*observation  // all
}

// orderKinds are the two orders, and whether what the first call has started goes on after both.
var orderKinds = []struct {
	reversed, late bool
}{{false, false}, {true, false}, {false, true}, {true, true}}

// noOrder says why the orders of two calls have no outcome.
type noOrder struct{ why string }

func (e *noOrder) Error() string { return e.why }

// newOutcomes compares the repetitions of the two orders.
func newOutcomes(repeated [][]*observation) (*outcomes, error) {
	o := &outcomes{varied: map[string]bool{}}
	for kind, all := range repeated {
		for _, one := range all {
			if len(one.lines) != len(all[0].lines) {
				return nil, &noOrder{"what an order of the calls comes to varies"}
			}
			for i, l := range one.lines {
				switch first := all[0].lines[i]; {
				case l.Path != first.Path:
					return nil, &noOrder{"what an order of the calls comes to varies"}
				case l.Value != first.Value:
					o.varied[l.Path] = true
				}
			}
		}
		at := 0
		if orderKinds[kind].reversed {
			at = 1
		}
		o.orders = append(o.orders, all...)
		if o.first[at] == nil {
			o.first[at] = all[0]
		}
	}
	o.sum()
	return o, nil
}

// sum notes what the orders come to.
func (o *outcomes) sum() {
	o.all, o.calls = map[string]bool{}, map[string]bool{}
	for _, one := range o.orders {
		o.all[o.text(one.lines)] = true
		o.calls[o.text(seenByCalls(one.lines))] = true
	}
}

// with returns the outcomes of the orders where what differs between repetitions of a run is not
// told apart either; false if the run does not do the same each time.
func (o *outcomes) with(repeated []*observation) (*outcomes, bool) {
	with := &outcomes{first: o.first, orders: o.orders, varied: maps.Clone(o.varied)}
	first := repeated[0]
	for _, one := range repeated[1:] {
		if len(one.lines) != len(first.lines) {
			return nil, false
		}
		for i, l := range one.lines {
			switch {
			case l.Path != first.lines[i].Path:
				return nil, false
			case l.Value != first.lines[i].Value:
				with.varied[l.Path] = true
			}
		}
	}
	with.sum()
	for _, one := range repeated[1:] {
		if with.text(one.lines) != with.text(first.lines) {
			return nil, false
		}
	}
	return with, true
}

// text writes an outcome so that two that are alike are equal.
func (o *outcomes) text(lines []snapshot.Line) string {
	var b strings.Builder
	names := map[string]int{}
	for _, l := range lines {
		value := l.Value
		if o.varied[l.Path] {
			if names[value] == 0 {
				names[value] = len(names) + 1
			}
			value = fmt.Sprint("value ", names[value])
		}
		fmt.Fprintf(&b, "%q %q\n", l.Path, value)
	}
	return b.String()
}

// hold tells whether an outcome is that of an order.
func (o *outcomes) hold(one *observation) bool { return o.all[o.text(one.lines)] }

// isObserved tells whether the calls themselves show that an outcome is of no order.
func (o *outcomes) isObserved(one *observation) bool { return !o.calls[o.text(seenByCalls(one.lines))] }

// The names of the roots in an answer; see package hook.
const (
	objectRoot = "o"
	callRoot   = "call"
	afterRoot  = "after"
)

// seenByCalls returns the lines of what calls return, or how they or the program end.
func seenByCalls(lines []snapshot.Line) []snapshot.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l snapshot.Line) bool { return !isOfCalls(l.Path) })
}

func isOfCalls(path string) bool {
	root, _, _ := strings.Cut(path, ".")
	return root == crashRoot || strings.HasPrefix(root, callRoot) && len(root) == len(callRoot)+1 ||
		strings.HasPrefix(root, afterRoot) && len(root) == len(afterRoot)+1
}

const notReturned = "does not return"

// isWaiting tells whether a call has not returned.
func (o *observation) isWaiting() bool {
	return slices.ContainsFunc(o.lines, func(l snapshot.Line) bool { return isOfCalls(l.Path) && l.Value == notReturned })
}
