package harness

import (
	"fmt"
	"go/types"
	"slices"
)

// Who is handed a context.CancelFunc has to call it: what waits for the end of the context waits for ever else, which
// is the fault of the client, and not of the library. It may be called at any time, by any goroutine: what came with
// the object is called by one of its own.

// endsContext tells whether functions of a type are handed out to be called in the end.
func endsContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "context" {
		return false
	}
	return named.Obj().Name() == "CancelFunc" || named.Obj().Name() == "CancelCauseFunc"
}

// end writes the call of such a function, if there is one: it comes with an error else. It begins with a keyword, or
// with nothing.
func end(keyword, name string, t types.Type) string {
	args := ""
	if t.Underlying().(*types.Signature).Params().Len() > 0 {
		args = "nil"
	}
	return fmt.Sprintf("if %s != nil {\n%s%s(%s)\n}\n", name, keyword, name, args)
}

// declareEnds declares variables for what ends contexts, of what makes the object, which is called later. It returns
// what the results are assigned to, the others to nothing.
func (w *clientWriter) declareEnds(m maker) []string {
	if m.fn == nil {
		return nil
	}
	signature, _ := instantiated(m.fn, w.object)
	names := slices.Repeat([]string{"_"}, signature.Results().Len())
	for i := range names {
		if t := signature.Results().At(i).Type(); endsContext(t) {
			names[i] = w.values.fresh("end")
			fmt.Fprintf(&w.body, "\tvar %s %s\n", names[i], w.values.typeName(t))
			w.ends = append(w.ends, end("go ", names[i], t))
		}
	}
	return names
}
