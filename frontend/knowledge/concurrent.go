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

// concurrently is what is known of one function that runs callbacks on other
// goroutines.
type concurrently struct {
	callbacks []Callback
	whole     bool // and it does nothing else that matters: its body is not entered
}

// Table is the functions that run a callback on another goroutine and whose bodies
// do not show it, or hide it behind much else. The nil Table is empty.
type Table struct{ extra map[string]concurrently }

// concurrentFunctions is the functions of the library, by name as for NewTable.
var concurrentFunctions = map[string]concurrently{
	"time.AfterFunc":    {[]Callback{{Argument: 1, AgainBy: "(*time.Timer).Reset"}}, true},
	"context.AfterFunc": {[]Callback{{Argument: 1}}, true},
}

// NewTable returns the functions of the standard library and further ones. An entry names a function and,
// after #, which argument it runs, counted from 1 without the receiver:
// "example.com/p.Submit#1", "example.com/p.Pool.Submit#2"; of an argument with
// methods also the one that is run, as "example.com/p.Handle#2.ServeHTTP". The
// function may run it any number of times. An interface's method stands for
// whatever implements it. It returns an error for an entry of another form.
func NewTable(entries []string) (*Table, error) {
	t := &Table{map[string]concurrently{}}
	for _, entry := range entries {
		function, argument, ok := strings.Cut(entry, "#")
		number, method, _ := strings.Cut(argument, ".")
		index, err := strconv.Atoi(number)
		if !ok || err != nil || index < 1 || !strings.Contains(function, ".") || strings.HasSuffix(argument, ".") {
			return nil, fmt.Errorf("%q is no function with an argument; write it as example.com/p.Pool.Submit#1", entry)
		}
		name := plainName(function)
		known := t.extra[name]
		known.callbacks = append(known.callbacks, Callback{Argument: index - 1, Method: method, Often: true})
		t.extra[name] = known
	}
	return t, nil
}

// Concurrent returns the arguments that fn runs on other goroutines, and whether
// that is all that it does.
func (t *Table) Concurrent(fn *ssa.Function) (callbacks []Callback, whole bool) {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil { // a wrapper: it calls the function
		return nil, false
	}
	return t.named(fn.String())
}

// ConcurrentMethod is Concurrent for a call of a method of an interface.
func (t *Table) ConcurrentMethod(method *types.Func) []Callback {
	callbacks, _ := t.named(method.FullName())
	return callbacks
}

func (t *Table) named(name string) (callbacks []Callback, whole bool) {
	if t == nil {
		return nil, false
	}
	name = plainName(name)
	known := concurrentFunctions[name]
	return append(slices.Clip(known.callbacks), t.extra[name].callbacks...), known.whole
}

// plainName drops what tells a pointer receiver from a value: (*p.T).M is p.T.M.
func plainName(name string) string {
	return withoutReceiverMarks.Replace(name)
}

var withoutReceiverMarks = strings.NewReplacer("(", "", "*", "", ")", "")
