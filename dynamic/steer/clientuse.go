package steer

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// What the two calls of a counterexample meet depends on what the object holds. From its second
// round on, each goroutine of a client first uses the object: it makes all calls that it can, but
// not those that end it or are likely to wait for ever.

// endings are words in the names of methods that a client does not call to use an object.
var endings = []string{"close", "stop", "shutdown", "release", "start", "run", "serve", "wait", "lock"}

// useRounds is how many rounds there are before the object is used.
const useRounds = 1

// uses returns the calls that use the object, with round as their number.
func (w *clientWriter) uses() []string {
	if w.object == nil {
		return nil
	}
	var all []string
	methods := types.NewMethodSet(w.object)
	for i := range methods.Len() {
		fn, ok := methods.At(i).Obj().(*types.Func)
		name := strings.ToLower(fn.Name())
		if !ok || !fn.Exported() || slices.ContainsFunc(endings, func(word string) bool {
			return strings.Contains(name, word)
		}) {
			continue
		}
		if call, err := w.arguments("object."+fn.Name(), methods.At(i).Type().(*types.Signature), "round"); err == nil {
			all = append(all, call)
		}
	}
	return all
}

// useText declares the function that uses the object.
func useText(uses []string) string {
	var b strings.Builder
	b.WriteString("use := func(round int) {\nfor _, call := range []func(){\n")
	for _, u := range uses {
		fmt.Fprintf(&b, "func() { %s },\n", u)
	}
	b.WriteString("} {\nfunc() {\ndefer func() { _ = recover() }()\ncall()\n}()\n}\n}\n")
	return b.String()
}
