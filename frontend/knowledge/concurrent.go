package knowledge

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Callback is an argument that a function runs on another goroutine.
type Callback struct {
	Argument int    // index; the receiver does not count
	Method   string // of the argument, if it is no function
	Often    bool   // any number of times for one call
	AgainBy  string // a function by whose calls it runs any number of times, by its full name
}

// Table is the functions of the user that run a callback on another goroutine and whose
// bodies do not show it, or hide it behind much else. The nil Table
// knows no callbacks, not even those of the library.
type Table struct{ extra map[string][]Callback }

// NewTable returns a table of functions. An entry names a function and,
// after #, which argument it runs, counted from 1 without the receiver:
// "example.com/p.Submit#1", "example.com/p.Pool.Submit#2"; of an argument with
// methods also the one that is run, as "example.com/p.Handle#2.ServeHTTP". The
// function may run it any number of times. An interface's method stands for
// whatever implements it. It returns an error for an entry of another form.
func NewTable(entries []string) (*Table, error) {
	t := &Table{map[string][]Callback{}}
	for _, entry := range entries {
		function, argument, ok := strings.Cut(entry, "#")
		number, method, _ := strings.Cut(argument, ".")
		index, err := strconv.Atoi(number)
		if !ok || err != nil || index < 1 || !strings.Contains(function, ".") || strings.HasSuffix(argument, ".") {
			return nil, fmt.Errorf("%q is no function with an argument; write it as example.com/p.Pool.Submit#1", entry)
		}
		name := plainName(function)
		t.extra[name] = append(t.extra[name], Callback{Argument: index - 1, Method: method, Often: true})
	}
	return t, nil
}

// Concurrent returns the arguments that fn runs on other goroutines, and whether
// that is all that it does.
func (t *Table) Concurrent(fn *ssa.Function) (callbacks []Callback, whole bool) {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if t == nil || fn.Pkg == nil { // a wrapper: it calls the function
		return nil, false
	}
	known := Of(fn).Starts
	return append(slices.Clip(known), t.named(fn.String())...), len(known) > 0
}

// ConcurrentMethod is Concurrent for a call of a method of an interface.
func (t *Table) ConcurrentMethod(method *types.Func) []Callback { return t.named(method.FullName()) }

// named returns what the user has said of a function.
func (t *Table) named(name string) []Callback {
	if t == nil || len(t.extra) == 0 {
		return nil
	}
	return t.extra[plainName(name)]
}

// plainName drops what tells a pointer receiver from a value: (*p.T).M is p.T.M.
func plainName(name string) string { return withoutReceiverMarks.Replace(name) }

var withoutReceiverMarks = strings.NewReplacer("(", "", "*", "", ")", "")
