package harness

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Trial is a main package of small functions that make an object of a library and use it, each in
// one way, with arguments that are written out: what experiments with the object consist of. Its
// function main does nothing.
type Trial struct {
	Main   *ssa.Package
	Source string

	Makers []TrialStep // functions that return the object; none where there are only package variables
	Steps  []TrialStep // functions of the object, or of nothing; they return what the call has shown

	// Others are further functions that return the object. What only hands out what they have made, as by its name,
	// returns nothing at first.
	Others []TrialStep

	IsTestDouble bool // the object stands in for another one in tests

	// functions that are not called, and of which parameter no value can be written
	Missing map[*types.Func]types.Type
}

// TrialStep is a function of a trial.
type TrialStep struct {
	Func    *ssa.Function
	Name    string      // of Func
	Callee  *types.Func // that it calls; nil: a literal
	Text    string      // the call as one would write it, with the object as o
	Shown   []string    // what each result of Func is: "" where it is what the call returns
	Imports []string    // "name path" of the packages that Text names
	Variant int         // 0 with the first arguments of their types, and so on
	Waits   bool        // it may never return: a loop that serves
	Uses    string      // the declaration of the variable with what calls have handed out, if it is used
	Alone   bool        // what it uses has nothing to keep two goroutines apart: see isForOne
	Of      Element     // what it is a method of, of what calls hand out
	Keeps   []string    // the variables in which what the call hands out is kept

	Simultaneous bool // something says that goroutines call it at the same time: see isSimultaneous
	UnderLocks   bool // other packages of the module call it only with locks held: see callerLocksOf
	LeavesLocks  bool // it takes no lock, and leaves that to those who call it
	IsLentLock   bool // likewise, and the object has a lock for them: see lendsLock
	ForTests     bool // a comment says that it is there for tests
	ByMaker      bool // the module, which alone can have the object, calls it where it was made: see isByMaker
	Turn         Turn // what comments say of who does it
	Phase        knowledge.Phase
	Closes       bool // it ends the life of the object for good
	GivesBack    bool // it ends the use of what it is a method of: see Trial.IsGivenBack
}

// maxVariants bounds how many arguments a function is tried with, maxMakers those of one that makes the object: with
// many it may fail.
const (
	maxVariants = 6
	maxMakers   = 18
)

// Trial writes a trial of the library that the clients call. The error says why the entry has
// none.
func (e Entry) Trial() (*Trial, error) {
	if e.clients == nil {
		return nil, fmt.Errorf("it is no library")
	}
	w := newTrialWriter(e.clients)
	if w.clients.named != nil {
		w.writeMakers()
		if len(w.trial.Makers) == 0 {
			names := w.clients.makerNames(func(m maker) string { return m.fn.Name() })
			return nil, fmt.Errorf("no arguments of %s can be written", cmp.Or(names, w.clients.named.Obj().Name()))
		}
	}
	w.isInternal = w.clients.isInternal() && !w.clients.isHandedOut()
	w.lends = w.clients.lendsLock()
	w.trial.IsTestDouble = w.clients.named != nil && knowledge.IsTestDouble(w.clients.named.Obj())
	w.hasObject = w.object != "" && w.object != "any"
	clear(w.shapes)
	w.writeSteps()
	w.writeUses()
	if len(w.trial.Steps) == 0 {
		return nil, fmt.Errorf("no function can be called with arguments that can be written")
	}
	w.trial.Source = w.source()
	main, err := build(e.Program, clientPath, w.trial.Source, w.clients.reach)
	if err != nil {
		return nil, err
	}
	w.trial.Main = main
	for _, all := range [][]TrialStep{w.trial.Makers, w.trial.Others, w.trial.Steps} {
		for i := range all {
			all[i].Func = main.Func(all[i].Name)
		}
	}
	return w.trial, nil
}

// trialWriter writes the source of a trial.
type trialWriter struct {
	clients *clientWriter
	trial   *Trial
	makers  int
	object  string // the type of the object, as written; "" where there is none
	// what calls can be written on: the type of the object; an interface{} is asserted to have the method
	static types.Type

	hasObject   bool // the function that is written has the object as an argument
	isInternal  bool // only the module itself can make the object, and has it
	lends       bool // see clientWriter.lendsLock
	callerLocks map[*types.Func]callerLocks
	informed    *bool // a comment says that goroutines use the object at the same time; nil before it is asked for

	names     map[string]string // of packages, by path
	used      map[string]bool   // names of packages that the text being written has
	body      strings.Builder
	kept      []kept
	variables strings.Builder       // that keep it
	stubs     map[string][]argument // of types that implement interfaces, by interface
	shapes    map[string][]argument
	pending   map[string]bool   // types whose values are being made
	lengths   map[string]*words // of bytes, by type: see shared
}

func newTrialWriter(clients *clientWriter) *trialWriter {
	return &trialWriter{clients: clients, trial: &Trial{Missing: map[*types.Func]types.Type{}},
		names: map[string]string{}, used: map[string]bool{},
		callerLocks: map[*types.Func]callerLocks{},
		stubs:       map[string][]argument{}, shapes: map[string][]argument{}, pending: map[string]bool{},
		lengths: map[string]*words{}}
}

// source returns the whole file.
func (w *trialWriter) source() string {
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, line := range w.importsOf(w.names) {
		name, path, _ := strings.Cut(line, " ")
		fmt.Fprintf(&b, "import %s %q\n", name, path)
	}
	if w.variables.Len() > 0 {
		fmt.Fprintf(&w.variables, "var %s bool // what a step uses was not handed out\n\n", knowledge.MissingName)
	}
	fmt.Fprintf(&b, "\nfunc main() {}\n\nfunc %s() {}\n\n", knowledge.ArgumentsMadeName)
	return b.String() + w.variables.String() + w.body.String()
}

// importsOf returns "name path" of the packages with the paths.
func (w *trialWriter) importsOf(paths map[string]string) []string {
	var all []string
	for path := range paths {
		all = append(all, w.names[path]+" "+path)
	}
	slices.Sort(all)
	return all
}

// qualify imports a package under its own name, with a number if another one has it.
func (w *trialWriter) qualify(pkg *types.Package) string {
	if w.names[pkg.Path()] == "" {
		name, n := pkg.Name(), 1
		for w.isTaken(name) {
			n++
			name = fmt.Sprintf("%s%d", pkg.Name(), n)
		}
		w.names[pkg.Path()] = name
	}
	w.used[pkg.Path()] = true
	return w.names[pkg.Path()]
}

// isTaken tells whether a package has the name in the file, or a variable of it.
func (w *trialWriter) isTaken(name string) bool {
	for _, other := range w.names {
		if other == name {
			return true
		}
	}
	return name == "o" || name == "main" || name == knowledge.MissingName || name == knowledge.ArgumentsMadeName ||
		slices.ContainsFunc(w.kept, func(k kept) bool { return k.name == name }) || types.Universe.Lookup(name) != nil
}

// begin starts a text; imports are those that it has named.
func (w *trialWriter) begin() { clear(w.used) }

func (w *trialWriter) imports() []string {
	paths := map[string]string{}
	for path := range w.used {
		paths[path] = ""
	}
	return w.importsOf(paths)
}

// typeName writes a type that isNameable.
func (w *trialWriter) typeName(t types.Type) string { return types.TypeString(t, w.qualify) }

// writeMakers writes the functions that make the object: by the function by which the clients make
// it, with several arguments, or its zero value.
func (w *trialWriter) writeMakers() {
	c := w.clients
	w.static = types.NewPointer(c.object)
	if c.makers[0].fn == nil {
		w.begin()
		w.object = w.typeName(w.static)
		value := w.argument(c.object)
		w.trial.Makers = append(w.trial.Makers, w.maker(nil, "&"+value.text, "\treturn &"+value.text+"\n"))
		return
	}
	signature, ok := instantiated(c.makers[0].fn, c.object)
	if !ok {
		return
	}
	result := signature.Results().At(c.madeResult(c.makers[0].fn, signature)).Type()
	isValue := types.Identical(result, c.object)
	if !isValue {
		w.static = result
	}
	if isNameable(w.static) {
		w.object = w.typeName(w.static)
	} else {
		w.object, w.static = "any", types.NewInterfaceType(nil, nil)
	}
	var ways [][]TrialStep
	for _, m := range c.makers {
		ways = append(ways, w.makersBy(m.fn, isValue))
	}
	w.trial.Makers = inTurns(ways)
	if isValue {
		return
	}
	for _, other := range c.findMakers() {
		if other.fn != nil && !slices.ContainsFunc(c.makers, func(m maker) bool { return m.fn == other.fn }) {
			w.trial.Others = append(w.trial.Others, w.makersBy(other.fn, false)...)
		}
	}
}

// inTurns returns the first of each list, then the second of each, and so on: the first ones are tried first.
func inTurns(lists [][]TrialStep) (all []TrialStep) {
	for i := range maxMakers {
		for _, list := range lists {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
	}
	return all
}

// makersBy writes the functions that make the object, as the others have it, by calls of a function.
func (w *trialWriter) makersBy(fn *types.Func, isValue bool) (all []TrialStep) {
	signature, ok := instantiated(fn, w.clients.object)
	if !ok {
		return nil
	}
	at := w.clients.madeResult(fn, signature)
	if at < 0 || !isValue && !types.AssignableTo(signature.Results().At(at).Type(), w.static) {
		return nil
	}
	for _, call := range w.calls(fn, w.functionName(fn), signature, maxMakers) {
		var body strings.Builder
		body.WriteString(call.before)
		names := resultList(signature.Results().Len(), at, "o")
		fmt.Fprintf(&body, "\t%s := %s\n", names, call.text)
		if isValue {
			body.WriteString("\treturn &o\n")
		} else {
			body.WriteString("\treturn o\n")
		}
		all = append(all, w.maker(fn, call.plain, body.String()))
	}
	return all
}

// maker writes a function that makes the object.
func (w *trialWriter) maker(callee *types.Func, text, body string) TrialStep {
	w.makers++
	name := fmt.Sprintf("make%d", w.makers)
	fmt.Fprintf(&w.body, "func %s() %s {\n%s}\n\n", name, w.object, body)
	return TrialStep{Name: name, Callee: callee, Text: "o := " + text, Imports: w.imports()}
}

// functionName writes the name of a function of a package, with type arguments, or of a method of a new value.
func (w *trialWriter) functionName(fn *types.Func) string {
	w.begin()
	if of := fn.Signature().Recv(); of != nil {
		return "(" + w.argument(of.Type()).text + ")." + fn.Name()
	}
	name := w.qualify(fn.Pkg()) + "." + fn.Name()
	if args, ok := typeArguments(fn, w.clients.object); ok && len(args) > 0 {
		var names []string
		for _, t := range args {
			names = append(names, w.typeName(t))
		}
		name += "[" + strings.Join(names, ", ") + "]"
	}
	return name
}

// writeSteps writes the functions that use the object, one for each operation and arguments.
func (w *trialWriter) writeSteps() {
	if w.clients.named == nil {
		for _, fn := range exportedFunctions(w.clients.loaded, w.clients.packages) {
			if signature, ok := instantiated(fn, nil); ok {
				w.writeStep(operation{name: fn.Name(), fn: fn, sig: signature})
			}
		}
		return
	}
	for _, o := range w.clients.operations() {
		if o.field == nil && o.on == nil {
			w.writeStep(o)
		}
	}
}

// writeStep writes the functions for one operation.
func (w *trialWriter) writeStep(o operation) {
	w.begin()
	name := ""
	switch {
	case o.receiver == nil:
		name = w.functionName(o.fn)
	case types.NewMethodSet(w.static).Lookup(o.fn.Pkg(), o.name) != nil:
		name = "o." + o.name
	case areNameable(o.sig.Params()) && areNameable(o.sig.Results()):
		name = "any(o).(interface{ " + o.name + strings.TrimPrefix(w.typeName(unnamed(o.sig)), "func") + " })." + o.name
	default:
		return
	}
	kept := maps.Clone(w.used)
	if t := w.missing(o.sig); t != nil {
		w.trial.Missing[o.fn] = t
		return
	}
	locks := w.callerLocksOf(o.fn)
	for variant, call := range w.calls(o.fn, name, o.sig, maxVariants) {
		for path := range kept {
			w.used[path] = true
		}
		step := TrialStep{Name: fmt.Sprintf("step%d", len(w.trial.Steps)), Callee: o.fn, Text: call.plain,
			Imports: w.imports(), Variant: variant, Waits: w.waits(o.fn),
			Keeps: w.keptOf(o.sig), Simultaneous: w.isSimultaneous(o.fn), UnderLocks: locks.areHeld,
			LeavesLocks: locks.areLeft, IsLentLock: locks.areLent, ByMaker: locks.byMaker,
			ForTests: w.clients.isForTests(o.fn), Turn: w.clients.contract.turnOf(o.name), Phase: w.phaseOf(o.fn),
			Closes: knowledge.IsLast(o.fn)}
		if o.receiver != nil {
			step.Text = "o." + o.name + strings.TrimPrefix(call.plain, name)
		}
		step.Shown = w.writeFunction(step.Name, call, o.sig)
		w.trial.Steps = append(w.trial.Steps, step)
	}
}

// isSimultaneous tells whether something says that goroutines call a function at the same time: the comment on the
// object, on what makes it or on the function, or an interface of the standard library.
func (w *trialWriter) isSimultaneous(fn *types.Func) bool {
	c := w.clients
	if w.informed == nil {
		is := slices.ContainsFunc(c.about(c.makers), c.informs)
		w.informed = &is
	}
	return *w.informed || c.informs(fn) || knowledge.IsSimultaneous(fn, func(path string) *types.Package {
		if pkg := c.loaded.SSA.ImportedPackage(path); pkg != nil {
			return pkg.Pkg
		}
		return nil
	})
}

// phaseOf returns what a function does in the life of the object. Goroutines that call it at the same time use that.
func (w *trialWriter) phaseOf(fn *types.Func) knowledge.Phase {
	phase := knowledge.PhaseOf(fn, nil)
	if w.clients.isForInit(fn) {
		return knowledge.Begin
	}
	if phase == knowledge.Use && !w.isSimultaneous(fn) {
		phase = knowledge.PhaseOf(fn, w.clients.program.FuncValue(fn.Origin()))
	}
	return phase
}

// waits tells whether a function may never return, as it serves.
func (w *trialWriter) waits(fn *types.Func) bool {
	body := w.clients.program.FuncValue(fn.Origin())
	return serves(body) || servesClients(body)
}

// missing returns the type of a parameter that no value can be written of, nil if there is none.
func (w *trialWriter) missing(s *types.Signature) types.Type {
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			continue
		}
		if len(w.arguments(t)) == 0 {
			return t
		}
	}
	return nil
}

// writeFunction writes a function that makes a call, and returns its results and what has been
// handed over. An iterator is run to its end. It returns what each result is, see TrialStep.Shown.
func (w *trialWriter) writeFunction(name string, call trialCall, s *types.Signature) (shown []string) {
	var results, returned []string
	var after strings.Builder
	for i := range s.Results().Len() {
		r := fmt.Sprintf("r%d", i)
		f, isFunction := s.Results().At(i).Type().Underlying().(*types.Signature)
		switch {
		case isFunction && f.Params().Len() == 0 && !f.Variadic():
			// Not called: what it does would be another call, which may come at any time later.
			returned, shown = append(returned, r+" != nil"), append(shown, "")
		case isFunction && isIterator(f):
			fmt.Fprintf(&after, "\tvar all%d []any\n\tfor %s {\n\t\tall%d = append(all%d, %s)\n\t}\n", i,
				iteration(f, r), i, i, iterated(f))
			returned, shown = append(returned, fmt.Sprintf("all%d", i)), append(shown, "what it yields")
		default:
			returned, shown = append(returned, r), append(shown, "")
		}
		results = append(results, r)
		after.WriteString(w.keeping(s, i, r))
	}
	for _, h := range call.handed {
		returned, shown = append(returned, h.variable), append(shown, h.what)
	}
	params, list := "", ""
	if w.object != "" {
		params = "o " + w.object
	}
	if len(returned) > 0 {
		list = " (" + strings.Join(slices.Repeat([]string{"any"}, len(returned)), ", ") + ")"
	}
	fmt.Fprintf(&w.body, "func %s(%s)%s {\n", name, params, list)
	if call.needs != "" {
		fmt.Fprintf(&w.body, "\tif %s {\n\t\t%s = true\n\t\treturn %s\n\t}\n", call.needs, knowledge.MissingName,
			strings.Join(slices.Repeat([]string{"nil"}, len(returned)), ", "))
	}
	fmt.Fprintf(&w.body, "%s\t%s()\n", call.before, knowledge.ArgumentsMadeName)
	if len(results) > 0 && strings.Trim(strings.Join(results, ""), "_") != "" {
		fmt.Fprintf(&w.body, "\t%s := %s\n", strings.Join(results, ", "), call.text)
	} else {
		fmt.Fprintf(&w.body, "\t%s\n", call.text)
	}
	w.body.WriteString(after.String())
	if len(returned) > 0 {
		fmt.Fprintf(&w.body, "\treturn %s\n", strings.Join(returned, ", "))
	}
	w.body.WriteString("}\n\n")
	return shown
}

// isIterator tells whether the function can be ranged over.
func isIterator(f *types.Signature) bool {
	if f.Params().Len() != 1 || f.Results().Len() != 0 {
		return false
	}
	yield, ok := f.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() <= 2 && yield.Results().Len() == 1 &&
		types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

// iteration is the clause of a loop over an iterator, iterated what is kept of each round.
func iteration(f *types.Signature, name string) string {
	switch f.Params().At(0).Type().Underlying().(*types.Signature).Params().Len() {
	case 0:
		return "range " + name
	case 1:
		return "k := range " + name
	}
	return "k, v := range " + name
}

func iterated(f *types.Signature) string {
	return [...]string{"nil", "k", "[2]any{k, v}"}[f.Params().At(0).Type().Underlying().(*types.Signature).Params().Len()]
}
