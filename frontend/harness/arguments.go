package harness

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// argument is a value that is written out.
type argument struct {
	text   string
	shared bool   // it leads to memory that whoever is handed it can keep
	calls  bool   // a function: takesCalls in its text is the variable that takes what it is called with
	plain  string // as one would write it; "": the text
}

// alone returns the argument as part of another value: nothing notes what a function is called with.
func (a argument) alone() argument {
	if a.calls {
		return argument{text: a.plain}
	}
	return a
}

// isMade tells whether code runs that makes the argument.
func (a argument) isMade() bool {
	return !a.calls && strings.Contains(a.text, "(") && !strings.HasPrefix(a.text, "func(")
}

// takesCalls stands for a variable.
const takesCalls = "CALLS"

// trialCall is a call with arguments.
type trialCall struct {
	before string // statements that make arguments
	text   string // the call
	plain  string // with the arguments in it, as one would write it
	handed []handed
	needs  string // without which it cannot be made, as the condition that it is not there
}

// handed is an argument whose contents show what the call has done.
type handed struct{ variable, what string }

// calls returns calls of a function with the arguments that are nearest to the first ones of
// each type: so many at most.
func (w *trialWriter) calls(fn *types.Func, name string, s *types.Signature, most int) []trialCall {
	var choices [][]argument
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			choices = append(choices, w.variadic(t.(*types.Slice).Elem()))
			continue
		}
		choices = append(choices, w.withWords(w.arguments(t), fn, i, t))
	}
	var all []trialCall
	for _, at := range nearest(choices, most) {
		var call trialCall
		var args, plain []string
		for i, choice := range at {
			l := choices[i][choice]
			if l.text != "" {
				plain = append(plain, cmp.Or(l.plain, l.text))
			}
			if l.calls {
				variable := fmt.Sprintf("calls%d", i)
				call.before += fmt.Sprintf("\tvar %s []any\n", variable)
				// By address: it may be called after the call has returned.
				call.handed = append(call.handed, handed{"&" + variable, CalledWith})
				l.text = strings.ReplaceAll(l.text, takesCalls, variable)
			}
			if l.shared || l.isMade() {
				variable := fmt.Sprintf("a%d", i)
				call.before += fmt.Sprintf("\t%s := %s\n", variable, l.text)
				l.text = variable
			}
			if l.shared {
				call.handed = append(call.handed, handed{l.text, fmt.Sprintf("argument %d", i+1)})
			}
			if l.text != "" {
				args = append(args, l.text)
			}
		}
		call.text, call.plain = name+"("+strings.Join(args, ", ")+")", name+"("+strings.Join(plain, ", ")+")"
		all = append(all, call)
	}
	return all
}

// nearest returns choices of one element of each list, by their distance from the first ones: so many at most.
func nearest(lists [][]argument, most int) [][]int {
	furthest := 0
	for _, l := range lists {
		if len(l) == 0 {
			return nil
		}
		furthest += len(l) - 1
	}
	var all [][]int
	for distance := 0; distance <= furthest && len(all) < most; distance++ {
		at := make([]int, len(lists))
		var choose func(i, left int)
		choose = func(i, left int) {
			switch {
			case len(all) == most:
			case i == len(lists):
				if left == 0 {
					all = append(all, slices.Clone(at))
				}
			default:
				for k := 0; k <= left && k < len(lists[i]); k++ {
					at[i] = k
					choose(i+1, left-k)
				}
			}
		}
		choose(0, distance)
	}
	return all
}

// variadic is what the last arguments of a function can be.
func (w *trialWriter) variadic(element types.Type) []argument {
	all := []argument{{}}
	for i, l := range w.arguments(element) {
		if i < 2 && !l.calls && !l.shared {
			all = append(all, l)
		}
	}
	if len(all) > 1 {
		all[0], all[1] = all[1], all[0]
	}
	return all
}

// argument is the first one of a type, its zero value if there is none.
func (w *trialWriter) argument(t types.Type) argument {
	if all := w.arguments(t); len(all) > 0 {
		return all[0].alone()
	}
	return argument{text: "*new(" + w.typeName(t) + ")"}
}

// arguments returns values of a type, those first that are met most: none if none can be written.
func (w *trialWriter) arguments(t types.Type) []argument {
	key := types.TypeString(t, nil)
	if all, ok := w.shapes[key]; ok {
		for _, l := range all { // they may name packages
			w.note(l.text)
		}
		return all
	}
	if w.pending[key] {
		return nil
	}
	w.pending[key] = true
	all := w.newArguments(t)
	delete(w.pending, key)
	w.shapes[key] = all
	return all
}

// note notes that a text names packages.
func (w *trialWriter) note(text string) {
	for path, name := range w.names {
		if strings.Contains(text, name+".") {
			w.used[path] = true
		}
	}
}

func (w *trialWriter) newArguments(t types.Type) []argument {
	if c := w.clients; w.hasObject && c.isObject(t) && types.AssignableTo(w.static, t) {
		return []argument{{text: "o"}}
	}
	if text := w.standard(t); text != nil {
		return text
	}
	if named := namedOf(t); named != nil && named.Obj().Pkg() != nil && !w.clients.values.isObject(named) {
		if made := w.returned(t, named.Obj().Pkg()); len(made) > 0 {
			if s, ok := t.Underlying().(*types.Struct); ok && isNameable(t) && isWritten(s) {
				made = append(made, argument{text: w.structure(t, s)})
			}
			return made
		}
	}
	if u, ok := t.Underlying().(*types.Basic); ok {
		return w.basic(t, u)
	}
	if !isNameable(t) {
		if isNillable(t) {
			return []argument{{text: "nil"}}
		}
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return w.slices(t, u)
	case *types.Map:
		entry := w.argument(u.Key()).text + ": " + w.argument(u.Elem()).text
		return []argument{{text: w.typeName(t) + "{" + entry + "}", shared: true},
			{text: w.typeName(t) + "{}", shared: true}}
	case *types.Array:
		return []argument{{text: w.typeName(t) + "{}"}}
	case *types.Struct:
		return []argument{{text: w.structure(t, u)}}
	case *types.Pointer:
		if s, ok := u.Elem().Underlying().(*types.Struct); ok {
			return []argument{{text: "&" + w.structure(u.Elem(), s), shared: true}}
		}
		return []argument{{text: "new(" + w.typeName(u.Elem()) + ")", shared: true}}
	case *types.Chan:
		return []argument{{text: "make(chan " + w.typeName(u.Elem()) + ", 1)"}}
	case *types.Signature:
		return w.functions(u)
	case *types.Interface:
		if u.NumMethods() == 0 {
			return []argument{{text: `"a"`}, {text: `"b"`}}
		}
		return w.stub(t, u)
	}
	return nil
}

// basic returns values of a basic type.
func (w *trialWriter) basic(t types.Type, u *types.Basic) []argument {
	var texts []string
	switch {
	case u.Info()&types.IsString != 0:
		texts = []string{`"a"`, `"b"`, `""`}
	case u.Info()&types.IsBoolean != 0:
		texts = []string{"true", "false"}
	case u.Info()&types.IsUnsigned != 0:
		texts = []string{"1", "2", "0"}
	case u.Info()&types.IsInteger != 0:
		texts = []string{"1", "2", "0", "-1"}
	case u.Info()&types.IsNumeric != 0:
		texts = []string{"1", "2"}
	default:
		return []argument{{text: "nil"}}
	}
	var all []argument
	for _, text := range texts {
		all = append(all, argument{text: text}) // an untyped constant
	}
	return all
}

// slices returns values of a slice type.
func (w *trialWriter) slices(t types.Type, u *types.Slice) []argument {
	name := w.typeName(t)
	elements := w.arguments(u.Elem())
	if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
		return []argument{{text: name + `("a")`, shared: true}, {text: name + `("b")`, shared: true}}
	}
	var all []argument
	for _, e := range elements {
		if len(all) < 2 {
			all = append(all, argument{text: name + "{" + e.alone().text + "}", shared: true})
		}
	}
	return append(all, argument{text: "nil"})
}

// isWritten tells whether a struct is meant to be written out, as most of its fields are exported: what a function
// returns, such as the default configuration, is one of many then.
func isWritten(u *types.Struct) bool {
	exported := 0
	for f := range u.Fields() {
		if f.Exported() {
			exported++
		}
	}
	return 2*exported > u.NumFields()
}

// structure writes a struct, with those exported fields that are of little use unset.
func (w *trialWriter) structure(t types.Type, u *types.Struct) string {
	var list []string
	for f := range u.Fields() {
		if !f.Exported() || isFromSync(f.Type()) {
			continue
		}
		switch f.Type().Underlying().(type) {
		case *types.Interface, *types.Map, *types.Signature, *types.Basic:
			if l := w.arguments(f.Type()); len(l) > 0 {
				list = append(list, f.Name()+": "+l[0].alone().text)
			}
		}
	}
	return w.typeName(t) + "{" + strings.Join(list, ", ") + "}"
}

// CalledWith is the name, in TrialStep.Shown, of what a function that is handed over was called with.
const CalledWith = "what it is called with"

// functions returns a function literal: it notes what it is called with, and returns something else
// than the first parameter of the type that it has to return, or a literal.
func (w *trialWriter) functions(s *types.Signature) []argument {
	var params, noted, results, values []string
	for i := range s.Params().Len() {
		t := w.typeName(s.Params().At(i).Type())
		if s.Variadic() && i == s.Params().Len()-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		name := fmt.Sprintf("p%d", i)
		params, noted = append(params, name+" "+t), append(noted, name)
	}
	for r := range s.Results().Variables() {
		results = append(results, w.typeName(r.Type()))
		value := ""
		for i := range s.Params().Len() {
			if value == "" && types.Identical(s.Params().At(i).Type(), r.Type()) {
				value = fmt.Sprintf("p%d", i)
				if b, ok := r.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 {
					value += " + 1"
				} else if ok && b.Info()&types.IsString != 0 {
					value += ` + "a"`
				}
			}
		}
		if value == "" && r.Type().String() == "error" {
			value = "nil"
		}
		if value == "" {
			value = w.argument(r.Type()).text
		}
		values = append(values, value)
	}
	note := "true"
	if len(noted) > 0 {
		note = "[...]any{" + strings.Join(noted, ", ") + "}"
	}
	head := "func(" + strings.Join(params, ", ") + ")"
	if len(results) == 1 {
		head += " " + results[0]
	} else if len(results) > 1 {
		head += " (" + strings.Join(results, ", ") + ")"
	}
	literal := func(values []string) argument {
		plain, tail := head+" {}", ""
		if len(values) > 0 {
			plain = head + " { return " + strings.Join(values, ", ") + " }"
			tail = "; return " + strings.Join(values, ", ")
		}
		return argument{text: fmt.Sprintf("%s { %s = append(%s, %s)%s }", head, takesCalls, takesCalls, note, tail),
			plain: plain, calls: true}
	}
	all := []argument{literal(values)}
	if failing := w.failing(s, values); failing != nil {
		all = append(all, literal(failing))
	}
	// Who takes a function often takes none, too: what was set is taken back.
	return append(all, argument{text: "nil"})
}

// failing returns what a function returns that fails, or says no; nil if it can do neither.
func (w *trialWriter) failing(s *types.Signature, values []string) []string {
	failing, differs := slices.Clone(values), false
	for i := range s.Results().Len() {
		switch t := s.Results().At(i).Type(); {
		case t.String() == "error" && w.hasErrors():
			failing[i], differs = w.failure(), true
		case values[i] == "true":
			failing[i], differs = "false", true
		}
	}
	if !differs {
		return nil
	}
	return failing
}

// hasErrors tells whether the program has package errors.
func (w *trialWriter) hasErrors() bool { return w.clients.reach["errors"] != nil }

// failure is an error, where there is the package.
func (w *trialWriter) failure() string {
	return w.qualify(types.NewPackage("errors", "errors")) + `.New("failed")`
}

// returned returns what the exported functions of a package make that return the type, and, of the type of a function,
// those that are of it themselves.
func (w *trialWriter) returned(t types.Type, pkg *types.Package) []argument {
	if b, isBasic := t.Underlying().(*types.Basic); isBasic && b != nil {
		return nil
	}
	var all []argument
	for _, fn := range exportedFunctions(w.clients.loaded, []*types.Package{pkg}) {
		s := fn.Signature()
		if isOfType(fn, t) && len(all) < 3 {
			all = append(all, argument{text: w.qualify(fn.Pkg()) + "." + fn.Name()})
		}
		if s.TypeParams().Len() > 0 || s.Results().Len() != 1 || !types.Identical(s.Results().At(0).Type(), t) ||
			len(all) >= 3 || isFunction(t) && s.Params().Len() == 0 { // as options are made; what is only handed out may be nil
			continue
		}
		for _, call := range w.calls(fn, w.qualify(fn.Pkg())+"."+fn.Name(), s, maxVariants) {
			if call.before == "" {
				all = append(all, argument{text: call.text, shared: isNillable(t) && !isFunction(t)})
				break
			}
		}
	}
	return all
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isOfType tells whether a function is itself of a type, as an option is.
func isOfType(fn *types.Func, t types.Type) bool {
	return isFunction(t) && fn.Signature().TypeParams().Len() == 0 && types.AssignableTo(fn.Signature(), t)
}

// stub declares a type that implements an interface and does nothing, and one whose methods fail.
func (w *trialWriter) stub(t types.Type, u *types.Interface) []argument {
	key := types.TypeString(t, nil)
	if all, ok := w.stubs[key]; ok {
		return all
	}
	for m := range u.Methods() {
		if !m.Exported() || !areNameable(m.Signature().Params()) || !areNameable(m.Signature().Results()) {
			return []argument{{text: "nil"}}
		}
	}
	name := fmt.Sprintf("stub%d", len(w.stubs))
	all := []argument{{text: name + "{}"}}
	w.stubs[key] = all
	fails := false
	var b, failing strings.Builder
	fmt.Fprintf(&b, "type %s struct{}\n\n", name)
	fmt.Fprintf(&failing, "type %sFailing struct{}\n\n", name)
	for m := range u.Methods() {
		s := m.Signature()
		var values []string
		for r := range s.Results().Variables() {
			if r.Type().String() == "error" {
				values = append(values, "nil")
			} else {
				values = append(values, w.argument(r.Type()).text)
			}
		}
		parameters := strings.TrimPrefix(w.typeName(unnamed(s)), "func")
		writeMethod(&b, name, m.Name(), parameters, values)
		if other := w.failing(s, values); other != nil {
			values, fails = other, true
		}
		writeMethod(&failing, name+"Failing", m.Name(), parameters, values)
	}
	w.body.WriteString(b.String())
	if fails {
		w.body.WriteString(failing.String())
		all = append(all, argument{text: name + "Failing{}"})
		w.stubs[key] = all
	}
	return all
}

// writeMethod writes a method that returns the values.
func writeMethod(b *strings.Builder, receiver, name, parameters string, values []string) {
	body := ""
	if len(values) > 0 {
		body = "\treturn " + strings.Join(values, ", ") + "\n"
	}
	fmt.Fprintf(b, "func (%s) %s%s {\n%s}\n\n", receiver, name, parameters, body)
}

// standard returns values of types of the standard library that are no use as they come.
func (w *trialWriter) standard(t types.Type) []argument {
	if all := w.standIns(t); all != nil {
		return all
	}
	of := func(path, text string) argument {
		return argument{text: w.qualify(types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])) + "." + text}
	}
	switch t.String() {
	case "error":
		all := []argument{{text: "nil"}}
		if w.hasErrors() {
			all = append(all, argument{text: w.failure()})
		}
		return all
	case "time.Duration":
		return []argument{of("time", "Hour"), {text: "0"}}
	case "time.Time": // who asks for a time asks the clock, as the function itself may do
		return []argument{of("time", "Now()")}
	}
	return nil
}
