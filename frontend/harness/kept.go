package harness

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// What the calls of an object hand out is kept, so that further calls can be made on it: a pool
// hands out resources, which are released, a store transactions, which are committed. The pieces
// of a trial that use it are steps like others: they take what was handed out first, or last.

// maxKept bounds the types of values that are kept, maxUses the steps for a method of one of them.
const (
	maxKept = 6
	maxUses = 3
)

// kept is what is handed out of one type.
type kept struct {
	name        string     // of the variable, a slice
	typ         types.Type // of the elements
	declaration string     // of the variable
}

// keep returns the variable that keeps values of a type, "" if they are no use for further calls.
func (w *trialWriter) keep(t types.Type) string {
	for _, k := range w.kept {
		if types.Identical(k.typ, t) {
			return k.name
		}
	}
	named := namedOf(t)
	if len(w.kept) >= maxKept || named == nil || !w.clients.values.isDriven(t) || !isNameable(t) ||
		len(callable(t)) == 0 {
		return ""
	}
	first, size := utf8.DecodeRuneInString(named.Obj().Name())
	name := string(unicode.ToLower(first)) + named.Obj().Name()[size:] + "s"
	for w.isTaken(name) {
		name += "s"
	}
	declaration := fmt.Sprintf("var %s []%s /* what calls hand out, in order */", name, w.typeName(t))
	w.kept = append(w.kept, kept{name, t, declaration})
	fmt.Fprintf(&w.variables, "%s\n\n", declaration)
	return name
}

// callable returns the exported methods of a type, without those of package sync.
func callable(t types.Type) []*types.Selection {
	var all []*types.Selection
	for m := range types.NewMethodSet(t).Methods() {
		if fn := m.Obj().(*types.Func); fn.Exported() && (fn.Pkg() == nil || fn.Pkg().Path() != "sync") {
			all = append(all, m)
		}
	}
	return all
}

// keeping returns the statement that keeps result i of a function.
func (w *trialWriter) keeping(s *types.Signature, i int, result string) string {
	t := s.Results().At(i).Type()
	name := w.keep(t)
	switch {
	case name == "":
		return ""
	case isNillable(t):
		return fmt.Sprintf("\tif %s != nil {\n\t\t%s = append(%s, %s)\n\t}\n", result, name, name, result)
	}
	return fmt.Sprintf("\t%s = append(%s, %s)\n", name, name, result)
}

// keptOf returns the variables that keep results of a function.
func (w *trialWriter) keptOf(s *types.Signature) (names []string) {
	for v := range s.Results().Variables() {
		if name := w.keep(v.Type()); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// writeUses writes the steps that use what is kept. They are further than others: what they need
// has to be handed out first.
func (w *trialWriter) writeUses() {
	for i := 0; i < len(w.kept); i++ { // they may hand out more
		for _, m := range callable(w.kept[i].typ) {
			w.writeUse(w.kept[i], m.Obj().(*types.Func), m.Type().(*types.Signature))
		}
	}
}

// writeUse writes the steps that call a method of what is kept.
func (w *trialWriter) writeUse(k kept, fn *types.Func, s *types.Signature) {
	ends := knowledge.IsGivenBack(fn, types.NewMethodSet(k.typ))
	for _, last := range []bool{false, true} {
		w.begin()
		element, needed := k.name+"[0]", 1
		if last {
			element, needed = fmt.Sprintf("%s[len(%s)-1]", k.name, k.name), 2
		}
		calls := w.calls(fn, element+"."+fn.Name(), s, maxVariants)
		used, locks := maps.Clone(w.used), w.callerLocksOf(fn)
		for variant, call := range calls {
			if variant == maxUses || last && variant > 0 {
				break
			}
			maps.Copy(w.used, used)
			call.needs = fmt.Sprintf("len(%s) < %d", k.name, needed)
			step := TrialStep{Name: fmt.Sprintf("step%d", len(w.trial.Steps)), Callee: fn, Text: call.plain,
				Imports: w.imports(), Variant: variant + needed, Waits: w.waits(fn),
				Uses: k.declaration, Alone: isForOne(k.typ), Keeps: w.keptOf(s),
				Simultaneous: w.isSimultaneous(fn), UnderLocks: locks.areHeld,
				LeavesLocks: locks.areLeft, Phase: w.phaseOf(fn), Of: Element{k.name, last}, GivesBack: ends}
			step.Shown = w.writeFunction(step.Name, call, s)
			w.trial.Steps = append(w.trial.Steps, step)
		}
	}
}

// isForOne tells whether a value of the type is one for one goroutine at a time: a struct, or a pointer to one, in
// which nothing synchronises.
func isForOne(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		named := namedOf(f.Type())
		_, isChannel := f.Type().Underlying().(*types.Chan)
		if isChannel || named != nil && named.Obj().Pkg() != nil &&
			(named.Obj().Pkg().Path() == "sync" || named.Obj().Pkg().Path() == "sync/atomic") || f.Embedded() {
			return false
		}
	}
	return true
}

// Shares tells whether two steps use what is for one goroutine at a time, and was handed out by a package: that its
// variables are shared does not mean that what it hands out is. (What an object hands out may be part of it.)
func (t *Trial) Shares(u, v int) bool {
	return len(t.Makers) == 0 && u >= 0 && v >= 0 && t.Steps[u].Alone && t.Steps[u].Uses == t.Steps[v].Uses
}

// Element is one of the values that are kept in a variable: the first one, or the last one, if there are more.
type Element struct {
	Variable string
	IsLast   bool
}

// IsGivenBack tells whether a step uses what was handed out and the steps before have ended: that is the client's
// mistake, whatever other clients do at the time. It may be ended again, as by a deferred call.
func (t *Trial) IsGivenBack(before []int, step int) bool {
	if step < 0 || t.Steps[step].Of == (Element{}) || t.Steps[step].GivesBack || t.Steps[step].Phase == knowledge.End {
		return false
	}
	of, isOver := t.Steps[step].Of, false
	for _, i := range before {
		switch {
		case i < 0:
		case t.Steps[i].Of == of && t.Steps[i].GivesBack:
			isOver = true
		case of.IsLast && slices.Contains(t.Steps[i].Keeps, of.Variable):
			isOver = false // another one is the last one
		}
	}
	return isOver
}

// IsTooEarly tells whether one of two steps begins the life of the object that the other one uses.
func (t *Trial) IsTooEarly(u, v int) bool {
	return t.Steps[u].Phase.IsTooEarly(t.Steps[v].Phase)
}

// Uses returns the declarations of what some steps use of what others hand out; steps without a
// number stand for the passing of time.
func (t *Trial) Uses(steps []int) (all []string) {
	for _, i := range steps {
		if i >= 0 && t.Steps[i].Uses != "" && !slices.Contains(all, t.Steps[i].Uses) {
			all = append(all, t.Steps[i].Uses)
		}
	}
	return all
}
