package harness

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// ClientConfig says how a library is called.
type ClientConfig struct {
	Clients int  // goroutines that call it at the same time
	Fields  bool // they also touch the exported fields of the object

	// Owned means that objects of the type are shared as parts of others, if there are such.
	Owned bool

	// Constructed means that the zero value is no object: it has a channel, say, that only a constructor makes.
	Constructed bool

	// Together means that one program makes the object in each way that gives clients the same type: what is asked of
	// it is asked once.
	Together bool

	// Contracts means that clients do not do at the same time what comments tell them not to.
	Contracts bool

	// Reenter lets functions that clients hand over do what clients do also where that is no part of a unit of work, or
	// a lock is held: for questions about what waits for ever.
	Reenter bool

	// Make is the functions that make arguments of types, both as example.com/p.Name: the
	// program has them, see CheckMakers.
	Make map[string]string
}

// Made is where a client makes the object that it shares.
type Made struct {
	Value ssa.Instruction // an *ssa.Alloc, or a call of a constructor
	Pos   token.Pos       // where the user sees it: the constructor, or the type

	Others []Made // where else, if not there: a run makes the object in one of these ways
}

// Client returns the most general clients of a type: for each exported constructor of
// the object (or for its zero value, where there is none) one that makes it, after which
// a number of goroutines call, in any order and for ever, every exported function and
// method that the object can be handed to. The functions are those of the packages
// named. An error says why the object cannot be made.
func Client(p *load.Program, t *types.Named, c ClientConfig) ([]Entry, error) {
	if !c.Owned {
		if all, err := clientsOf(p, t, t, c, (*clientWriter).findMakers); len(all) > 0 || err != nil {
			return withVariable(p, t, c, all), err
		}
	}
	for _, owner := range Owners(p, t) {
		// The object is a part of another one, which clients can make.
		if all, err := clientsOf(p, owner, t, c, (*clientWriter).findMakers); len(all) > 0 || err != nil {
			return all, err
		}
	}
	if all := withVariable(p, t, c, nil); len(all) > 0 {
		return all, nil
	}
	for _, ways := range []func(*clientWriter) []maker{(*clientWriter).makersOfOthers, (*clientWriter).zeroValue} {
		if all, err := clientsOf(p, t, t, c, ways); len(all) > 0 || err != nil {
			return all, err
		}
	}
	return nil, fmt.Errorf("no exported function or method returns or takes one; check a program or tests (--tests) " +
		"that use it")
}

// clientsOf returns a client for each way to make an object of type made, for a query
// about type t.
func clientsOf(p *load.Program, made, t *types.Named, c ClientConfig, ways func(*clientWriter) []maker) (
	[]Entry, error) {
	var all []Entry
	var unable []string // to make it
	var writers []*clientWriter
	for _, m := range ways(newClientWriter(p, made, c)) {
		w := newClientWriter(p, made, c)
		if w.write([]maker{m}) {
			writers = append(writers, w)
		} else if m.fn != nil {
			unable = append(unable, m.fn.Name())
		}
	}
	if c.Together {
		writers = together(p, withoutForwarded(writers))
	}
	for i, w := range writers {
		w.uncalled = append(w.uncalled, unable...)
		e, err := w.entry(p, t, i == 0)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// together returns clients that make their objects in all ways that the clients given do: those that share values of
// one type, which can be written, are one.
func together(p *load.Program, apart []*clientWriter) []*clientWriter {
	var groups [][]*clientWriter
	for _, w := range apart {
		i := slices.IndexFunc(groups, func(group []*clientWriter) bool { return group[0].sharesTypeOf(w) })
		if i < 0 {
			groups = append(groups, []*clientWriter{w})
		} else {
			groups[i] = append(groups[i], w)
		}
	}
	var all []*clientWriter
	for _, group := range groups {
		var makers []maker
		for _, w := range group {
			makers = append(makers, w.makers...)
		}
		if one := newClientWriter(p, group[0].named, group[0].config); len(group) > 1 && one.write(makers) {
			all = append(all, one)
		} else {
			all = append(all, group...)
		}
	}
	return all
}

// sharesTypeOf tells whether clients can have the object of the other ones in place of their own.
func (w *clientWriter) sharesTypeOf(other *clientWriter) bool {
	isOther := func(m maker) bool { return !m.isFunction() }
	return !slices.ContainsFunc(slices.Concat(w.makers, other.makers), isOther) &&
		isNilable(w.shared) && isNameable(w.shared) && types.Identical(w.shared, other.shared)
}

// entry builds the client that has been written, for a query about type t. The first
// one of a type answers for the copies of the object, too.
func (w *clientWriter) entry(p *load.Program, t *types.Named, isFirst bool) (Entry, error) {
	main, err := build(p, clientPath, w.source(), w.reach)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Name: "clients of " + w.named.Obj().Pkg().Path() + "." + w.named.Obj().Name(), Program: p, Main: main,
		Type: t, Limits: w.limits(), clients: w}
	if names := w.makerNames(func(m maker) string { return m.fn.Name() }); names != "" {
		e.Name += " made by " + names
	}
	e.Owned = w.named != t
	use := main.Func("main")
	var made []Made
	for _, m := range w.makers {
		value := w.makes(use, m)
		if value == nil {
			return Entry{}, fmt.Errorf("clients of %s: no object is made", w.named)
		}
		made = append(made, Made{Value: value, Pos: m.pos})
	}
	made[0].Others = made[1:]
	e.Made = made[:1]
	if !isFirst || e.Owned {
		return e, nil
	}
	for _, copies := range w.copiers {
		if value := w.copies(use, copies); value != nil {
			e.Made = append(e.Made, Made{Value: value, Pos: copies.pos})
		}
	}
	return e, nil
}

// copies returns what a constructor that clients call with an object makes in a function, or in a literal there.
func (w *clientWriter) copies(fn *ssa.Function, m maker) ssa.Instruction {
	for _, literal := range fn.AnonFuncs {
		if value := w.makes(literal, m); value != nil {
			return value
		}
		if value := w.copies(literal, m); value != nil {
			return value
		}
	}
	return nil
}

// makerNames lists the functions that make the object; "" for its zero value.
func (w *clientWriter) makerNames(name func(maker) string) string {
	if w.makers[0].fn == nil {
		return ""
	}
	var names []string
	for _, m := range w.makers {
		names = append(names, name(m))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Callers returns a most general client of the packages named: goroutines that call,
// in any order and for ever, every exported function.
func Callers(p *load.Program, c ClientConfig) (Entry, error) {
	w := newClientWriter(p, nil, c)
	if !w.writeCallers() {
		return Entry{}, fmt.Errorf("no function is exported")
	}
	return w.callersEntry(p)
}

// callersEntry builds the clients that have been written.
func (w *clientWriter) callersEntry(p *load.Program) (Entry, error) {
	main, err := build(p, clientPath, w.source(), w.reach)
	if err != nil {
		return Entry{}, err
	}
	limits := w.notCalled([]string{fmt.Sprintf("holds for %d clients that call the exported functions; each argument "+
		"is a value of its own", w.config.Clients)})
	return Entry{Name: "clients", Program: p, Main: main, Limits: limits, clients: w}, nil
}

// writeCallers writes the body of clients without an object; false if they have
// nothing to call.
func (w *clientWriter) writeCallers() bool {
	w.body.WriteString("func main() {\n")
	var cases []clientCase
	w.values.operates = true
	for _, fn := range exportedFunctions(w.loaded, w.packages) {
		signature, ok := instantiated(fn, nil)
		if !w.isOffered(fn) {
			w.inside = append(w.inside, fn.Name())
			continue
		}
		if !ok {
			w.uncalled = append(w.uncalled, fn.Name())
			continue
		}
		o := operation{name: fn.Name(), fn: fn, sig: signature}
		if text, ok := w.operationCase(o, "", nil, nil, false); ok {
			cases = append(cases, clientCase{text, Anyone})
			w.noteCalling(o, text)
		}
	}
	w.writeClients(cases)
	return len(cases) > 0
}

// clientPath is the path of the package that calls a library.
const clientPath = knowledge.ClientPath

// makes returns the instruction by which a function of the client makes its object: the first of
// its kind. Where a constructor returns the object itself, not a pointer to it, that is the
// variable that it is put in.
func (w *clientWriter) makes(use *ssa.Function, m maker) ssa.Instruction {
	isVariable := m.fn == nil
	if m.isFunction() {
		if signature, ok := instantiated(m.fn, w.object); ok && w.resultIndex(signature) >= 0 {
			isVariable = types.Identical(signature.Results().At(w.resultIndex(signature)).Type(), w.object)
		}
	}
	for _, b := range use.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Call:
				callee := v.Call.StaticCallee()
				if callee != nil && !isVariable && (callee.Object() == m.fn ||
					callee.Origin() != nil && callee.Origin().Object() == m.fn) {
					return v
				}
			case *ssa.Alloc:
				if isVariable && types.Identical(v.Type().Underlying().(*types.Pointer).Elem(), w.object) {
					return v
				}
			}
		}
	}
	return nil
}

// clientWriter writes the source of a client.
type clientWriter struct {
	config   ClientConfig
	loaded   *load.Program
	program  *ssa.Program
	named    *types.Named
	object   types.Type       // the type, instantiated if it is generic
	packages []*types.Package // whose functions are called
	reach    importer

	values     valueWriter
	body       strings.Builder
	uncalled   []string      // operations that are not called, and why
	untouched  []string      // exported fields
	makers     []maker       // of the object: each run makes it in one of these ways
	shared     types.Type    // of the object, as clients have it
	copiers    []maker       // operations that return a new object: copy constructors
	ends       []string      // statements that end contexts which were handed out with the object, at some time
	inside     []string      // operations of an internal package that no other package uses
	calling    []string      // operations that are handed functions which do what clients do
	contract   contract      // what they do not do at the same time
	interfaces []types.Type  // see implemented; nil before they are asked for
	called     []*types.Func // to make objects, and on them
	holding    []types.Type  // see mayHold; nil before it is asked for
}

// packagesFor returns the packages whose functions clients call: those named, and that of the type, if there is one.
func packagesFor(p *load.Program, t *types.Named) []*types.Package {
	var all []*types.Package
	for _, pkg := range p.Packages {
		if pkg.Pkg.Name() != "main" {
			all = append(all, pkg.Pkg)
		}
	}
	if t != nil && !slices.Contains(all, t.Obj().Pkg()) {
		all = append(all, t.Obj().Pkg())
	}
	return all
}

func newClientWriter(p *load.Program, t *types.Named, c ClientConfig) *clientWriter {
	w := &clientWriter{config: c, loaded: p, program: p.SSA, named: t, packages: packagesFor(p, t)}
	if t != nil {
		w.object = instance(t)
	}
	makers, err := resolveMakers(p, c.Make)
	if err != nil {
		makers = nil // CheckMakers has said so
	}
	roots := slices.Clone(w.packages)
	for _, fn := range makers {
		roots = append(roots, fn.Pkg())
	}
	w.reach = load.InReach(roots...)
	w.values = valueWriter{object: w.object, reenters: c.Reenter, packages: w.packages,
		imports: map[*types.Package]string{}, declared: map[string]bool{},
		providers: map[string]string{}, making: map[string]bool{}, makers: makers,
		calledBack: newCallBacks(p, w.packages), offers: w.isOffered, loaded: p}
	return w
}

// write writes the body, with ways to make the object that give clients one type; false if the arguments of one
// cannot be made, or there is nothing to call.
func (w *clientWriter) write(makers []maker) bool {
	w.makers = makers
	operations := w.operations()
	if w.config.Contracts {
		w.contract = w.contractOf(makers, operations)
	}
	for _, m := range makers {
		if m.fn != nil {
			w.called = append(w.called, m.fn)
		}
	}
	for _, o := range operations {
		if o.fn != nil {
			w.called = append(w.called, o.fn)
		}
		if o.sig != nil && w.resultIndex(o.sig) >= 0 && !w.handsBack(w.program.FuncValue(o.fn), w.resultIndex(o.sig)) {
			w.copiers = append(w.copiers, maker{fn: o.fn, pos: o.fn.Pos()})
		}
	}
	return w.use(operations, slices.ContainsFunc(operations, func(o operation) bool { return w.takesSecond(o) }))
}

// source returns the whole file.
func (w *clientWriter) source() string {
	return "package main\n\n" + w.values.importLines() + "\nvar pick int\n\n" + w.values.declarations.String() +
		w.body.String()
}

// resultIndex returns which result is the object: the first of its type, a pointer to
// it, or an interface of the library that it implements; -1 if none is.
func (w *clientWriter) resultIndex(s *types.Signature) int {
	for i := range s.Results().Len() {
		if w.isObject(s.Results().At(i).Type()) {
			return i
		}
	}
	return -1
}

// isObject tells whether values of type t can be the object: its type, a pointer to
// it, or an interface of the library that it implements.
func (w *clientWriter) isObject(t types.Type) bool {
	if w.isItself(t) {
		return true
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !slices.Contains(w.packages, named.Obj().Pkg()) {
		return false
	}
	i, ok := named.Underlying().(*types.Interface)
	return ok && i.NumMethods() > 0 && types.Implements(types.NewPointer(w.object), i)
}

// isItself tells whether t is the type of the object, or a pointer to it.
func (w *clientWriter) isItself(t types.Type) bool {
	return types.Identical(t, w.object) || types.Identical(t, types.NewPointer(w.object))
}

// use writes a function that makes the object and lets clients call it.
func (w *clientWriter) use(operations []operation, second bool) bool {
	b := &w.body
	b.WriteString("func main() {\n")
	objects := []string{"x"}
	if second {
		objects = append(objects, "y")
	}
	for _, name := range objects {
		if !w.makeObject(name) {
			return false
		}
		if isNilable(w.shared) && w.makers[0].fn != nil {
			fmt.Fprintf(b, "\tif %s == nil {\n\t\treturn\n\t}\n", name) // it could not be made
		}
	}
	result := w.shared
	pointer := "" // to the object, by what makes it
	switch {
	case types.IsInterface(result) && w.named.Obj().Exported():
		pointer = "%s.(*" + w.values.typeName(w.object) + ")"
	case types.Identical(result, w.object): // a copy is returned: clients share that
		pointer = "&%s"
	}
	if pointer != "" {
		for i, name := range objects {
			objects[i] += "0"
			fmt.Fprintf(b, "\t%s := "+pointer+"\n", objects[i], name)
		}
		result = types.NewPointer(w.object)
	}
	var cases []clientCase
	w.values.operates = true
	for _, o := range operations {
		for i, receiver := range objects {
			if text, ok := w.operationCase(o, receiver, objects, result, i > 0); ok {
				cases = append(cases, clientCase{text, w.contract.turnOf(o.name)})
				w.noteCalling(o, text)
			}
			if o.receiver == nil {
				break
			}
		}
	}
	for _, text := range w.ends {
		b.WriteString(text)
	}
	w.writeClients(cases)
	return len(cases) > 0
}

// makeObject writes how a variable gets the object, in one of the ways; false if that cannot be written.
func (w *clientWriter) makeObject(name string) bool {
	ends := make([][]string, len(w.makers))
	for i, m := range w.makers {
		ends[i] = w.declareEnds(m)
	}
	if len(w.makers) == 1 {
		return w.makeBy(w.makers[0], name, ":=", ends[0])
	}
	b := &w.body
	fmt.Fprintf(b, "\tvar %s %s\n\tswitch pick {\n", name, w.values.typeName(w.resultOf(w.makers[0])))
	for i, m := range w.makers {
		fmt.Fprintf(b, "\tcase %d:\n", i)
		if !w.makeBy(m, name, "=", ends[i]) {
			return false
		}
	}
	b.WriteString("\t}\n")
	return true
}

// resultOf returns the type of what a function that makes the object returns in its place.
func (w *clientWriter) resultOf(m maker) types.Type {
	signature, _ := instantiated(m.fn, w.object)
	return signature.Results().At(w.madeResult(m.fn, signature)).Type()
}

// makeBy is makeObject for one way. The ends are the variables for what ends contexts, see declareEnds.
func (w *clientWriter) makeBy(m maker, name, assign string, ends []string) bool {
	b := &w.body
	if m.fn == nil {
		w.shared = types.NewPointer(w.object)
		fmt.Fprintf(b, "\t%s %s new(%s)\n", name, assign, w.values.typeName(w.object))
		w.values.fill(b, name, w.object, maxDepth)
		return true
	}
	signature, prefix, ok := w.making(b, m)
	if !ok {
		return false
	}
	call, ok := w.values.call(b, prefix, m.fn, signature, nil)
	if !ok {
		return false
	}
	at := w.madeResult(m.fn, signature)
	w.shared = signature.Results().At(at).Type()
	names := slices.Clone(ends)
	names[at] = name
	fmt.Fprintf(b, "\t%s %s %s\n", strings.Join(names, ", "), assign, call)
	return true
}

// noteCalling notes an operation that takes a function which does what clients do.
func (w *clientWriter) noteCalling(o operation, text string) {
	if strings.Contains(text, again+"()") {
		w.calling = append(w.calling, o.name)
	}
}

// writeClients writes the end of function main: the clients, which do what the cases say, for ever.
// Functions that they hand over do so, too, but for cases in which they would be handed over again.
// Each case is a function of its own, so that a query pays for those alone that lead to its fields.
func (w *clientWriter) writeClients(cases []clientCase) {
	var plain, calling strings.Builder
	turns := map[Turn]*strings.Builder{One: {}, Another: {}, Apart: {}}
	for i, c := range cases {
		to := turns[c.turn]
		switch {
		case c.turn != Anyone:
		case strings.Contains(c.text, again+"()"):
			to = &calling
		default:
			to = &plain
		}
		fmt.Fprintf(to, "\t\t\tcase %d:\nfunc() {\n%s}()\n", i+1, c.text)
	}
	step := plain.String()
	if w.values.again {
		fmt.Fprintf(&w.body, "\tvar %s func()\n\t%s = func() {\n\t\t\tswitch pick {\n%s\t\t\t}\n\t}\n", again, again, step)
		step = "\t\t\tcase 0:\n" + again + "()\n" + calling.String()
	}
	isNothing := plain.Len()+calling.Len() == 0
	if isNothing && turns[One].Len()+turns[Another].Len() == 0 {
		turns[One], turns[Apart] = turns[Apart], turns[One]
	}
	if apart := turns[Apart].String(); apart != "" {
		fmt.Fprintf(&w.body, "\tfor pick > 0 {\n\t\tswitch pick {\n%s\t\t}\n\t}\n", apart)
	}
	times := w.config.Clients
	for _, t := range []Turn{One, Another} {
		if cases := turns[t].String(); cases != "" {
			w.writeClient([]string{One: "first", Another: "second"}[t], step+cases, 1)
			times--
		}
	}
	if !isNothing && times > 0 {
		w.writeClient("client", step, times)
	}
	w.body.WriteString("}\n\n")
}

// writeClient writes a number of clients which do one of the cases after the other, for ever.
func (w *clientWriter) writeClient(name, cases string, times int) {
	fmt.Fprintf(&w.body, "\t%s := func() {\n\t\tfor {\n\t\t\tswitch pick {\n%s\t\t\t}\n\t\t}\n\t}\n", name, cases)
	w.body.WriteString(strings.Repeat("\tgo "+name+"()\n", times))
}

// clientCase is what a client can do next, in its turn.
type clientCase struct {
	text string
	turn Turn
}

// making returns the signature of what makes the object, and for a method what it is called on.
func (w *clientWriter) making(b *strings.Builder, m maker) (s *types.Signature, prefix string, ok bool) {
	if m.on == nil {
		s, ok = instantiated(m.fn, w.object)
		return s, "", ok
	}
	on, ok := w.values.value(b, m.on, nil, maxDepth)
	selected := types.NewMethodSet(m.on).Lookup(m.fn.Pkg(), m.fn.Name())
	return selected.Type().(*types.Signature), on + ".", ok && on != "nil"
}

// isNilable tells whether a value of the type that stands for the object can be nil.
func isNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// resultList is the left side of an assignment of n results of which one is named.
func resultList(n, named int, name string) string {
	names := slices.Repeat([]string{"_"}, n)
	names[named] = name
	return strings.Join(names, ", ")
}

// limits returns what a claim about the client is limited to.
func (w *clientWriter) limits() []string {
	way := w.makerNames(func(m maker) string { return m.fn.Pkg().Name() + "." + m.fn.Name() })
	if way == "" {
		way = "its zero value"
	}
	who := fmt.Sprintf("%d clients that call", w.config.Clients)
	if w.contract.object {
		who = "one client that calls"
	}
	all := []string{fmt.Sprintf("holds for %s the exported functions and methods of one object, and "+
		"of a second one where they are handed one; it is made by %s, and each argument is a value of its own", who, way)}
	all = append(all, w.contract.limits()...)
	if len(w.untouched) > 0 {
		all = append(all, "clients do not touch exported fields themselves: "+strings.Join(w.untouched, ", ")+
			" (see --client-fields)")
	}
	return w.notCalled(all)
}

// notCalled adds what clients do not call to the limits, and what functions that they hand over do
// not do.
func (w *clientWriter) notCalled(all []string) []string {
	if apart := distinct(w.values.apart); len(apart) > 0 {
		all = append(all, "what a function that a client hands over does to the object is a unit of its own where nothing "+
			"that was read before is used after it: in "+strings.Join(apart, ", "))
	}
	if locked := distinct(w.values.locked); len(locked) > 0 {
		all = append(all, "a function that a client hands over does nothing to the object where it is called with a lock "+
			"held, in "+strings.Join(locked, ", "))
	}
	if calling := distinct(w.calling); len(calling) > 0 {
		all = append(all, "a function that a client hands over calls, while it is called in a unit of work, whatever "+
			"clients call but "+strings.Join(calling, ", "))
	}
	if still := distinct(w.values.still); len(still) > 0 {
		all = append(all, "what clients hand over when they make the object or another argument does nothing to the "+
			"object when it is called back: "+strings.Join(still, ", "))
	}
	if inside := distinct(w.inside); len(inside) > 0 {
		all = append(all, "clients do not call what only its own package uses, where it is internal: "+
			strings.Join(inside, ", "))
	}
	if uncalled := distinct(w.uncalled); len(uncalled) > 0 {
		all = append(all, "not called by clients: "+strings.Join(uncalled, ", "))
	}
	return all
}

// distinct returns the names sorted, each once.
func distinct(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
