// Package knowledge is what is known of the functions of libraries, for all who ask: the
// stages of the front end, its interpreter, and the instrumentation. It is one table with a
// row for each function (see the files table_*.go), of packages (see packages.go), and the
// questions that the rows answer. A function without a row is what its body does.
//
// What the user says of functions of his own, in empire.yaml, is a Table; what he says of
// types is put into their source by package load. Package dynamic/hook does not ask: it is
// compiled into other people's programs, and knows packages only, not functions.
package knowledge

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Function is the row of a function or method. Its zero value says nothing.
type Function struct {
	// Synchronisation.
	Lock      LockOp      // on a lock
	Shared    bool        // the lock has readers, too
	Semaphore LockOp      // on a weighted semaphore, as those of a lock
	Group     WaitGroupOp // on a group of goroutines
	Cond      CondOp      // on a condition variable
	Flight    FlightOp    // on a singleflight.Group
	Atomic    AtomicOp    // of package sync/atomic
	Container ContainerOp // on a concurrent container
	Once      bool        // runs its argument, unless that has been done
	Channel   bool        // operates on the channel in a reflect.Value

	// The rest of what it does.
	Effect   Effect     // to the memory of its arguments
	Starts   []Callback // what it runs on other goroutines
	Parallel bool       // it runs its argument on several goroutines, and waits for them
	Time     TimeOp
	Makes    MakeOp
	Ends     EndOp
	Output   OutputOp
	Input    bool // blocks until input comes
	Pure     bool // computes its results from its arguments and the clock, and neither keeps nor changes them
	Forgets  bool // keeps nothing of what it is handed

	// How points-to analysis treats it.
	Flow    Flow     // where pointers go, in place of its body
	Audited bool     // its unsafe conversions keep pointers where they are looked for
	Wraps   bool     // it is small and starts, calls or wraps what it is handed: analysed once per call
	Visits  []string // it hands all parts of its second argument to these functions, by reflection
	Deep    bool     // through all pointers

	// Why it may say less than the body does: the place in the library's source or documentation.
	Evidence string
}

// Of returns the row of a function, of its generic origin if it is an instance. Wrappers
// (promoted and bound methods) have none: they call what they are made for.
func Of(fn *ssa.Function) *Function {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return &unknown
	}
	return behind(fn)
}

// behind is Of for wrappers, too: the row of what they are made for.
func behind(fn *ssa.Function) *Function {
	if obj, ok := fn.Object().(*types.Func); ok {
		return OfObject(obj)
	}
	return &unknown
}

// Called returns the row of what a call calls, if that is known: of the method of the
// interface if it is called through one.
func Called(call *ssa.CallCommon) *Function {
	if call.IsInvoke() {
		return OfObject(call.Method)
	}
	if fn := call.StaticCallee(); fn != nil {
		return Of(fn)
	}
	return &unknown
}

// OfObject is Of for a function as the type checker knows it.
func OfObject(fn *types.Func) *Function {
	fn = fn.Origin()
	if fn.Pkg() == nil {
		return &unknown
	}
	rows := index[fn.Pkg().Path()]
	if rows == nil {
		return &unknown
	}
	receiver := receiverName(fn)
	if row := rows.exact[rowKey{receiver, fn.Name()}]; row != nil {
		return row
	}
	if row := rows.exact[rowKey{anyReceiver, fn.Name()}]; row != nil && receiver != "" {
		return row
	}
	for _, p := range rows.prefixes {
		if strings.HasPrefix(fn.Name(), p.prefix) {
			return p.row
		}
	}
	return &unknown
}

var unknown Function

// receiverName returns the name of the type that a method is declared for, "" of a function.
func receiverName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return "?" // an interface without a name
}

// table is rows by package and function: "Func" or "Type.Method". "*.Method" is that of
// any type of the package; "Name*" stands for the functions and methods of any type whose
// names begin so. The most special row holds.
type table map[string]map[string]Function

// index is all tables, as they are looked up.
var index = newIndex(
	synchronisation, atomics, extended, timeAndEnds, contexts, formats, inputs, reflections, computations, numbers,
)

const anyReceiver = "*"

type rowKey struct{ receiver, name string }

type prefixed struct {
	prefix string
	row    *Function
}

// indexed is the rows of a package.
type indexed struct {
	exact    map[rowKey]*Function
	prefixes []prefixed // longest first
}

func newIndex(tables ...table) map[string]*indexed {
	all := map[string]*indexed{}
	for _, t := range tables {
		for path, functions := range t {
			if all[path] == nil {
				all[path] = &indexed{exact: map[rowKey]*Function{}}
			}
			for name, row := range functions {
				all[path].add(name, &row)
			}
		}
	}
	for _, rows := range all {
		slices.SortFunc(rows.prefixes, func(a, b prefixed) int {
			return cmp.Or(cmp.Compare(len(b.prefix), len(a.prefix)), strings.Compare(a.prefix, b.prefix))
		})
	}
	return all
}

// add adds the row of a function; two rows of one name in different tables are a mistake.
func (rows *indexed) add(name string, row *Function) {
	if prefix, ok := strings.CutSuffix(name, "*"); ok {
		rows.prefixes = append(rows.prefixes, prefixed{prefix, row})
		return
	}
	receiver, method, ok := strings.Cut(name, ".")
	key := rowKey{receiver, method}
	if !ok {
		key = rowKey{"", name}
	}
	if rows.exact[key] != nil {
		panic("knowledge: two rows for " + name)
	}
	rows.exact[key] = row
}
