package steer

import (
	"fmt"
	"go/format"
	"go/types"
	"strings"

	empire "github.com/empire-go/empire-go"
	"golang.org/x/tools/go/packages"
)

// clientRounds is how many times each goroutine of a client makes its call, with other
// arguments each time.
const clientRounds = 4

// clientsPrefix begins QueryResult.Entry where a library is called by clients.
const clientsPrefix = "clients"

// hookedClient returns the text of a client with the hooks that tell the scheduler of its
// goroutines. It has no accesses of its own to be recorded.
func hookedClient(text string) string {
	text = strings.Replace(text, "import (\n", "import (\n\tempirehook \"empire/hook\"\n", 1)
	text = strings.Replace(text, "func main() {\n",
		"func main() {\n\tempireG := empirehook.Here()\n\tdefer empireG.End()\n", 1)
	for i := range 2 {
		child := fmt.Sprintf("empireC%d", i)
		text = strings.Replace(text, "\tgo func() {\n",
			"\t"+child+" := empireG.Fork(0)\n\tgo  func() {\n\t\tempireG := "+child+".Begin()\n\t\tdefer empireG.End()\n", 1)
	}
	return text
}

// Client returns the text of a main package that makes an object of a library and lets two
// goroutines make the two calls of the counterexample. Where one of these is made by a goroutine
// that the library itself starts, the client only uses the object. The error says what it cannot write.
func Client(v Violation, pkgs []*packages.Package) (string, error) {
	w := &clientWriter{packages: pkgs, imports: map[string]string{}}
	entry := strings.TrimPrefix(v.Query.Entry, clientsPrefix+" of ")
	made, maker, _ := strings.Cut(entry, " made by ")
	if v.Query.Type != "" {
		if err := w.makeObject(made, maker, v); err != nil {
			return "", err
		}
	}
	calls, err := clientCalls(v)
	if err != nil {
		return "", err
	}
	var roles [2][]string
	for role, name := range calls {
		if name == "" {
			continue
		}
		if roles[role], err = w.call(name); err != nil {
			return "", err
		}
	}
	return w.source(v, roles, w.uses())
}

// clientCalls returns the functions of the library that the two goroutines call; "" for one
// that the library itself starts.
func clientCalls(v Violation) ([2]string, error) {
	var calls [2]string
	var isOwn [2]bool
	var first empire.Step
	inLibrary := map[string]bool{} // goroutines that are not started by a client
	for _, s := range v.Scenario.Counterexample {
		if s.Action == "start" {
			inLibrary[s.Target] = s.Pos != "" && s.Pos != "-"
		}
		if s.Event == 0 {
			continue
		}
		if s.Event == 1 {
			first = s
		}
		name := s.Function
		if len(s.Stack) > 0 {
			name = s.Stack[0][:strings.LastIndex(s.Stack[0], " ")]
		}
		role := roleOf(s, first)
		if isOwn[role] = inLibrary[s.Goroutine]; !isOwn[role] && calls[role] == "" {
			calls[role] = name
		}
	}
	for role, name := range calls {
		if name == "" && !isOwn[role] {
			return calls, fmt.Errorf("the counterexample does not say which two functions are called")
		}
	}
	return calls, nil
}

// clientWriter writes a client.
type clientWriter struct {
	packages []*packages.Package
	imports  map[string]string // names by path
	object   types.Type        // what is shared: a pointer, or an interface
	makes    string            // expression that makes it; variables of its own stand before
	setup    []string
	stubs    []string // declarations of types
}

// makeObject finds out how the object is made.
func (w *clientWriter) makeObject(made, maker string, v Violation) error {
	named, args, err := w.lookType(cmpOr(made, v.Query.Type))
	if err != nil {
		return err
	}
	if maker == "" {
		w.makes = "&" + w.typeText(named) + "{" + w.exportedFields(named) + "}"
		w.object = types.NewPointer(named)
		return nil
	}
	fn, ok := named.Obj().Pkg().Scope().Lookup(maker).(*types.Func)
	if !ok {
		return fmt.Errorf("no function %s makes the object", maker)
	}
	signature, text := w.instance(fn, args)
	call, err := w.arguments(text, signature, "1")
	if err != nil {
		return err
	}
	results := signature.Results()
	var names []string
	for i := range results.Len() {
		names = append(names, "_")
		if names[i] = "_"; w.object == nil && w.leadsTo(results.At(i).Type(), named) {
			names[i], w.object = "object", results.At(i).Type()
		}
	}
	if w.object == nil {
		return fmt.Errorf("%s does not return the object", maker)
	}
	w.setup = append(w.setup, strings.Join(names, ", ")+" := "+call)
	if types.Identical(w.object, named) {
		w.setup, w.object = append(w.setup, "shared := &object"), types.NewPointer(named)
		w.makes = "shared"
	}
	return nil
}

func cmpOr(a, b string) string {
	if a != "" && !strings.HasPrefix(a, " ") {
		return a
	}
	return b
}

// leadsTo tells whether a value of type t can be the object.
func (w *clientWriter) leadsTo(t types.Type, named *types.Named) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return types.Identical(p.Elem(), named)
	}
	if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
		return types.Implements(types.NewPointer(named), i) && t.String() != "error"
	}
	return types.Identical(t, named)
}

// lookType finds the type with a name like "example.com/p.Vector[string]".
func (w *clientWriter) lookType(name string) (*types.Named, []types.Type, error) {
	base, instance, _ := strings.Cut(name, "[")
	dot := strings.LastIndex(base, ".")
	if dot < 0 {
		return nil, nil, fmt.Errorf("no package in the name %s", name)
	}
	pkg := w.lookPackage(base[:dot])
	if pkg == nil {
		return nil, nil, fmt.Errorf("package %s is not among those that were checked", base[:dot])
	}
	obj, ok := pkg.Scope().Lookup(base[dot+1:]).(*types.TypeName)
	if !ok {
		return nil, nil, fmt.Errorf("no type %s", name)
	}
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return nil, nil, fmt.Errorf("%s is no defined type", name)
	}
	args := basicTypes(strings.TrimSuffix(instance, "]"))
	if n := named.TypeParams().Len(); n > 0 {
		for len(args) < n {
			args = append(args, types.Typ[types.String])
		}
		inst, err := types.Instantiate(nil, named, args[:n], true)
		if err != nil {
			return nil, nil, err
		}
		named = inst.(*types.Named)
	}
	return named, args, nil
}

// basicTypes reads a list of type arguments.
func basicTypes(list string) []types.Type {
	var all []types.Type
	for name := range strings.SplitSeq(list, ",") {
		if t, ok := types.Universe.Lookup(strings.TrimSpace(name)).(*types.TypeName); ok {
			all = append(all, t.Type())
		}
	}
	return all
}

func (w *clientWriter) lookPackage(path string) *types.Package {
	for _, p := range w.packages {
		if p.Types != nil && p.Types.Path() == path {
			return p.Types
		}
	}
	return nil
}

// instance returns the signature of a function, with type arguments if it needs any, and
// the text that names it.
func (w *clientWriter) instance(fn *types.Func, args []types.Type) (*types.Signature, string) {
	signature := fn.Signature()
	text := w.qualify(fn.Pkg()) + "." + fn.Name()
	n := signature.TypeParams().Len()
	if n == 0 {
		return signature, text
	}
	for len(args) < n {
		args = append(args, types.Typ[types.String])
	}
	inst, err := types.Instantiate(nil, signature, args[:n], true)
	if err != nil {
		return signature, text
	}
	var names []string
	for _, a := range args[:n] {
		names = append(names, w.typeText(a))
	}
	return inst.(*types.Signature), text + "[" + strings.Join(names, ", ") + "]"
}

// call returns the statements that call a function named as in a counterexample, with the
// variable round as the number of the call.
func (w *clientWriter) call(name string) ([]string, error) {
	name, _, isLiteral := strings.Cut(name, "$") // a function literal in it: what it returned is called
	var before []string
	receiver, method := "", ""
	if rest, ok := strings.CutPrefix(name, "("); ok {
		closing := strings.LastIndex(rest, ").")
		if closing < 0 {
			return nil, fmt.Errorf("no way to call %s", name)
		}
		receiver, method = strings.TrimPrefix(rest[:closing], "*"), rest[closing+2:]
	}
	var signature *types.Signature
	var text string
	if method != "" {
		named, _, err := w.lookType(receiver)
		if err != nil {
			return nil, err
		}
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), method)
		fn, ok := obj.(*types.Func)
		if !ok || !fn.Exported() {
			return nil, fmt.Errorf("a client cannot call %s", name)
		}
		holder := "object"
		if w.object == nil || !w.canCall(named) {
			holder = "own"
			value, err := w.value(types.NewPointer(named), "1", 0)
			if err != nil {
				return nil, err
			}
			before = append(before, "own := "+value)
		}
		signature, text = fn.Signature(), holder+"."+method
	} else {
		base, instance, _ := strings.Cut(name, "[")
		dot := strings.LastIndex(base, ".")
		if dot < 0 {
			return nil, fmt.Errorf("no way to call %s", name)
		}
		pkg := w.lookPackage(base[:dot])
		if pkg == nil {
			return nil, fmt.Errorf("package %s is not among those that were checked", base[:dot])
		}
		fn, ok := pkg.Scope().Lookup(base[dot+1:]).(*types.Func)
		if !ok || !fn.Exported() {
			return nil, fmt.Errorf("a client cannot call %s", name)
		}
		signature, text = w.instance(fn, basicTypes(strings.TrimSuffix(instance, "]")))
	}
	call, err := w.arguments(text, signature, "round")
	if err != nil {
		return nil, err
	}
	if isLiteral && signature.Results().Len() == 1 {
		if result, ok := signature.Results().At(0).Type().Underlying().(*types.Signature); ok {
			if call, err = w.arguments(call, result, "round"); err != nil {
				return nil, err
			}
		}
	}
	return append(before, call), nil
}

// canCall tells whether the methods of the type can be called on the object.
func (w *clientWriter) canCall(named *types.Named) bool {
	if p, ok := w.object.Underlying().(*types.Pointer); ok {
		return types.Identical(p.Elem(), named)
	}
	return w.leadsTo(w.object, named)
}

// source returns the text of the client.
func (w *clientWriter) source(v Violation, roles [2][]string, uses []string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "// Two goroutines make the calls of a counterexample: %s\npackage main\n\nimport (\n\"sync\"\n",
		v.Scenario.Name)
	for _, path := range sortedKeys(w.imports) {
		fmt.Fprintf(&b, "%s %q\n", w.imports[path], path)
	}
	b.WriteString(")\n\n" + strings.Join(w.stubs, "\n") + "\nfunc main() {\n")
	for _, s := range w.setup {
		b.WriteString(s + "\n")
	}
	if w.makes == "shared" {
		b.WriteString("{\nobject := shared\n")
	} else if w.makes != "" {
		b.WriteString("object := " + w.makes + "\n")
	}
	if w.object != nil {
		b.WriteString("_ = object\n")
	}
	use := ""
	if len(uses) > 0 {
		b.WriteString(useText(uses))
		use = fmt.Sprintf("if round >= %d {\nuse(round)\n}\n", useRounds)
	}
	b.WriteString("var clients sync.WaitGroup\n")
	for _, statements := range roles {
		b.WriteString("clients.Add(1)\ngo func() {\ndefer clients.Done()\n")
		call := ""
		if last := len(statements) - 1; last >= 0 {
			b.WriteString(strings.Join(statements[:last], "\n") + "\n")
			call = statements[last] + "\n"
		}
		fmt.Fprintf(&b, "for round := 0; round < %d; round++ {\n%s%s}\n}()\n", clientRounds, use, call)
	}
	b.WriteString("clients.Wait()\n")
	if w.makes == "shared" {
		b.WriteString("}\n")
	}
	b.WriteString("}\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("the client that was written is no Go: %w", err)
	}
	return string(text), nil
}
