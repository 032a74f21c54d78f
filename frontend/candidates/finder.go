package candidates

import (
	"context"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/printing"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// finder gathers the evidence.
type finder struct {
	Config
	graph     *pointsto.Result
	functions []*ssa.Function // of the graph
	loaded    []*ssa.Package  // those named, of all programs
	programs  []*load.Program // see asLoaded
	printing  *printing.Calls
	fresh     *fresh.Analysis
	often     *multiplicity.Analysis
	poll      *limit.Poll
	usage     *query.Usage // of the first program: they have the same packages, or types of their own

	allocations map[*load.Program]*query.Allocations // see allocationsIn

	passed    map[*types.TypeName]string // why their objects are no candidates; see passing
	owners    []*owner                   // the types that are looked at
	types     map[*types.TypeName]*owner // they, by what the program calls them
	namesakes map[string]map[string]bool // the packages of the module with one name, by their paths
	packages  []*vars                    // the packages that have variables
	variables map[*ssa.Global]*field     // their variables

	own      map[*ssa.Function]bool
	balances map[activation]*balance
	effects  map[effectKey]kind
	makers   map[makerKey]answer

	activations map[activation]*entered
	world       int        // the number of the present one
	reached     []*entered // what the world reaches, in order of discovery
	changed     []*entered // whose entries have changed
	bare        []*entered // of these, those with nothing held now
	later       []*entered // called on new objects
	uses        map[*pointsto.Node]*usesIn

	goroutines []goroutine
	runs       map[*pointsto.Node]*goroutineSet
	printed    map[string]*printed       // by goroutines, see notePrinted
	names      map[*pointsto.Node]string // see goroutineName
	known      map[*pointsto.Object]bool // see met
	late       *lateness
	handovers  map[handover]bool // see isShared

	keepers map[lockKind]*keepers
	taken   map[takenAt]bool

	callers map[*types.TypeName][]*ssa.Function // see callersOfMethods
}

func newFinder(ctx context.Context, c Config) *finder {
	graph := c.Graph.During(ctx)
	return &finder{
		Config: c, graph: graph, functions: graph.Functions(), loaded: loaded(c.Programs),
		printing: printing.New(graph), fresh: fresh.New(ctx, graph), often: multiplicity.New(graph),
		poll:  limit.NewPoll(ctx),
		types: map[*types.TypeName]*owner{}, variables: map[*ssa.Global]*field{},
		own: map[*ssa.Function]bool{}, balances: map[activation]*balance{},
		activations: map[activation]*entered{}, effects: map[effectKey]kind{},
		handovers: map[handover]bool{}, printed: map[string]*printed{},
		allocations: map[*load.Program]*query.Allocations{},
		keepers:     map[lockKind]*keepers{}, taken: map[takenAt]bool{},
		makers: map[makerKey]answer{}, uses: map[*pointsto.Node]*usesIn{},
	}
}

// asLoaded returns the programs as they were loaded, each once: there are many clients of one.
func (f *finder) asLoaded() []*load.Program {
	if f.programs == nil {
		known := map[*load.Program]bool{}
		for _, p := range f.Programs {
			if !known[p.Program] {
				known[p.Program] = true
				f.programs = append(f.programs, p.Program)
			}
		}
	}
	return f.programs
}

// loaded returns the packages named of all programs, each once: clients have most of theirs in common.
func loaded(programs []Program) (all []*ssa.Package) {
	known := map[*ssa.Package]bool{}
	for _, p := range programs {
		for _, pkg := range p.Packages {
			if !known[pkg] {
				known[pkg] = true
				all = append(all, pkg)
			}
		}
	}
	return all
}

// owner is what is known of a type.
type owner struct {
	name     string           // with the path of its package
	variants []*query.Subject // the type; and as it is compiled with tests
	fields   []*field         // in order of declaration, without synchronisation
	hasSync  bool             // a field is, or holds, a lock or an atomic
	declared token.Pos
	shares   map[ssa.Value]*share   // by what makes the object
	seen     map[*ssa.Function]bool // functions that its own clients run
}

// vars is what is known of the variables of a package.
type vars struct {
	path   string
	fields []*field // by name
}

// field is what is known of a field, or of a variable.
type field struct {
	name     string
	set      string // that an annotation says it is part of
	claim    claim  // what a comment says of its lock
	accesses map[token.Pos]*access
	written  bool // after construction
	// What is in the field, an interface, changes when it is told to. That is what the lock
	// is for, if there is one; else it is left to what is in there.
	writtenBehind bool
	by            goroutineSet                // that access it
	meetings      map[*pointsto.Object]*share // who accesses it, where others may: see met
}

// isMutable tells whether the field can become inconsistent with others.
func (f *field) isMutable() bool { return f.written || f.writtenBehind && f.guard().own }

// access is one mention of the field in the source, but for those that only construct.
type access struct {
	pos  token.Pos
	fn   *ssa.Function
	kind kind
	uses []heldAt
}

// heldAt is the locks at a use, by the names that they have for the object.
type heldAt struct {
	pos    token.Pos
	at     ssa.Instruction
	kind   kind
	guards map[guard]mode
	locked bool // some lock is held that is not known to be of another object
	under  bool // some lock is held, whatever object's
}

// holds tells whether the guard is held throughout: for writing, where it is a write.
func (u heldAt) holds(g guard) bool {
	need := reading
	if u.kind&writes != 0 {
		need = writing
	}
	return u.guards[g] >= need
}

// holds is the same for all uses.
func (a *access) holds(g guard) bool { return a.failing(g) == nil }

// failing returns the first use without the guard, nil if there is none.
func (a *access) failing(g guard) *heldAt {
	for i := range a.uses {
		if !a.uses[i].holds(g) {
			return &a.uses[i]
		}
	}
	return nil
}

// sorted returns the accesses in the order of the source.
func (f *field) sorted() []*access {
	var all []*access
	for _, a := range f.accesses {
		all = append(all, a)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].pos < all[j].pos })
	return all
}

// nameOf returns the full name of a type.
func nameOf(t *types.Named) string {
	if t.Obj().Pkg() == nil {
		return t.Obj().Name()
	}
	return t.Obj().Pkg().Path() + "." + t.Obj().Name()
}

// declare begins the list of types and variables of the packages named.
func (f *finder) declare() {
	f.usage = query.UsageIn(f.Programs[0].Program)
	known := map[*load.Program]map[token.Pos]string{} // the atomic sets of what was looked at
	for _, program := range f.Programs {
		packages, sets := program.Also, known[program.Program]
		if sets == nil {
			sets = query.AtomicSets(program.Program)
			packages, known[program.Program] = slices.Concat(program.Packages, packages), sets
		}
		for _, t := range f.Types {
			f.declareType(t.Obj(), sets)
		}
		for _, pkg := range packages {
			for _, name := range pkg.Pkg.Scope().Names() {
				switch obj := pkg.Pkg.Scope().Lookup(name).(type) {
				case *types.TypeName:
					f.declareType(obj, sets)
				case *types.Var:
					if len(f.Types) == 0 {
						f.declareVariable(pkg, obj, sets)
					}
				}
			}
		}
	}
}

func (f *finder) declareType(obj *types.TypeName, sets map[token.Pos]string) {
	named := query.NamedStruct(obj.Type())
	if obj.IsAlias() || named == nil || f.types[obj] != nil || f.Programs[0].IsGenerated(obj.Pos()) {
		return
	}
	subject := &query.Subject{Type: named}
	name := nameOf(named)
	for _, o := range f.owners {
		if o.name == name { // compiled with its tests
			f.types[obj], o.variants = o, append(o.variants, subject)
			return
		}
	}
	o := &owner{name: name, variants: []*query.Subject{subject}, hasSync: f.usage.IsGuarded(named),
		declared: obj.Pos(), shares: map[ssa.Value]*share{}}
	f.add(o, "", named.Underlying().(*types.Struct), sets)
	f.types[obj], f.owners = o, append(f.owners, o)
}

// readAllComments takes what comments say of locks as evidence.
func (f *finder) readAllComments() {
	for _, o := range f.owners {
		f.readComments(o, o.variants[0].Type.Obj())
	}
	for _, v := range f.packages {
		for g := range f.variables {
			if g.Pkg.Pkg.Path() != v.path {
				continue
			}
			for _, file := range f.filesOf(g.Pkg) {
				f.readVariableComments(v, g.Pkg, file)
			}
			break
		}
	}
}

// add adds the fields of a struct: of one that is divided, the fields in it. Those that only another
// package can name, as in "type stamp time.Time", are that package's to keep consistent.
func (f *finder) add(o *owner, prefix string, s *types.Struct, sets map[token.Pos]string) {
	for v := range s.Fields() {
		switch {
		case !f.isLocation(v):
		case !v.Exported() && v.Pkg().Path() != o.variants[0].Type.Obj().Pkg().Path():
		case isDivided(v):
			f.add(o, prefix+v.Name()+".", v.Type().Underlying().(*types.Struct), sets)
		default:
			o.fields = append(o.fields, newField(prefix+v.Name(), v, sets))
		}
	}
}

// isDivided tells whether the fields in a field are looked at, in place of it: those of a
// struct without a name that holds locks, as they have different guards, and numbers, as
// of statistics, which are counted one by one.
func isDivided(v *types.Var) bool {
	if s, ok := v.Type().(*types.Struct); ok && query.HoldsSynchronisation(s) {
		return true
	}
	s, ok := v.Type().Underlying().(*types.Struct)
	return ok && !v.Embedded() && s.NumFields() > 1 &&
		!slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool {
			return !isNumber(f.Type())
		})
}

// isNumber tells whether values of the type are numbers.
func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func newField(name string, v *types.Var, sets map[token.Pos]string) *field {
	return &field{name: name, set: sets[v.Pos()], accesses: map[token.Pos]*access{}}
}

func (f *finder) declareVariable(pkg *ssa.Package, v *types.Var, sets map[token.Pos]string) {
	g := pkg.Var(v.Name())
	if g == nil || !f.isLocation(v) || f.variables[g] != nil || f.Programs[0].IsGenerated(v.Pos()) {
		return
	}
	i := slices.IndexFunc(f.packages, func(p *vars) bool { return p.path == pkg.Pkg.Path() })
	if i < 0 {
		i, f.packages = len(f.packages), append(f.packages, &vars{path: pkg.Pkg.Path()})
	}
	in, name := f.packages[i], f.variableName(g)
	for _, known := range in.fields {
		if known.name == name { // compiled with its tests
			f.variables[g] = known
			return
		}
	}
	f.variables[g] = newField(name, v, sets)
	in.fields = append(in.fields, f.variables[g])
}

// variableName names a variable as a request does: with the path of its package if another
// package that is imported has one of the same name.
func (f *finder) variableName(g *ssa.Global) string {
	if f.namesakes == nil {
		f.namesakes = map[string]map[string]bool{}
		for _, p := range f.asLoaded() {
			for _, pkg := range p.Imported() {
				if f.Programs[0].InModule(pkg.Pkg.Path()) {
					paths := f.namesakes[pkg.Pkg.Name()]
					if paths == nil {
						paths = map[string]bool{}
						f.namesakes[pkg.Pkg.Name()] = paths
					}
					paths[pkg.Pkg.Path()] = true
				}
			}
		}
	}
	if len(f.namesakes[g.Pkg.Pkg.Name()]) > 1 {
		return g.Pkg.Pkg.Path() + "." + g.Name()
	}
	return variableName(g)
}

// isOwn tells whether a function is looked into: it is one of the main module, or what
// the compiler makes of one.
func (f *finder) isOwn(fn *ssa.Function) bool {
	own, known := f.own[fn]
	if !known {
		own = len(fn.Blocks) > 0 && f.isOwnPackage(fn)
		f.own[fn] = own
	}
	return own
}

func (f *finder) isOwnPackage(fn *ssa.Function) bool {
	fn = knowledge.Outermost(fn)
	if o := fn.Origin(); o != nil {
		fn = o
	}
	pkg := (*types.Package)(nil)
	switch {
	case fn.Pkg != nil:
		pkg = fn.Pkg.Pkg
	case fn.Signature.Recv() != nil: // a promoted method
		t := fn.Signature.Recv().Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if named := query.NamedStruct(t); named != nil {
			pkg = named.Obj().Pkg()
		}
	case fn.Object() != nil:
		pkg = fn.Object().Pkg()
	}
	return pkg != nil && (slices.ContainsFunc(f.Types, func(t *types.Named) bool {
		return t.Obj().Pkg() == pkg
	}) || f.Programs[0].InModule(pkg.Path()) || f.Programs[0].IsGenerated(fn.Pos()))
}

// functionName names a function without the path of its package.
func (f *finder) functionName(fn *ssa.Function) string {
	name := fn.Name()
	if fn.Parent() != nil {
		outer := knowledge.Outermost(fn)
		return f.functionName(outer) + strings.TrimPrefix(name, outer.Name())
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t, star := recv.Type(), ""
		if p, ok := t.(*types.Pointer); ok {
			t, star = p.Elem(), "*"
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			return "(" + star + named.Obj().Name() + ")." + fn.Name()
		}
	}
	return fn.Name()
}

// world is programs whose evidence is put together.
type world struct {
	roots []*ssa.Function
	about *owner // the type whose objects they are about; nil: they are about all else
}

// worlds returns the programs. What the clients of a type do says how it is used, and what
// clients of others do does not, but for functions that only those call.
func (f *finder) worlds() []world {
	var all []world
	byType := map[*owner]int{}
	var others world
	for _, p := range f.Programs {
		others.roots = append(others.roots, p.Roots...)
		if p.Type == nil || f.types[p.Type.Origin().Obj()] == nil {
			continue
		}
		o := f.types[p.Type.Origin().Obj()]
		i, known := byType[o]
		if !known {
			i = len(all)
			byType[o] = i
			o.seen = map[*ssa.Function]bool{}
			all = append(all, world{about: o})
		}
		all[i].roots = append(all[i].roots, p.Roots...)
	}
	return append(all, others)
}

// usesIn is the uses in a node, by instruction.
type usesIn struct {
	all map[ssa.Instruction][]use
	of  map[*owner]map[ssa.Instruction][]use // the same, by type; nil: of variables
}

// usesOf returns the uses in the node of an activation. They are found once.
func (f *finder) usesOf(a *entered) *usesIn {
	if a.uses != nil {
		return a.uses
	}
	a.uses = f.uses[a.node]
	if a.uses == nil {
		a.uses = &usesIn{f.findUses(a.node), map[*owner]map[ssa.Instruction][]use{}}
		for instr, all := range a.uses.all {
			for _, u := range all {
				of := f.ownerOf(u)
				if a.uses.of[of] == nil {
					a.uses.of[of] = map[ssa.Instruction][]use{}
				}
				a.uses.of[of][instr] = append(a.uses.of[of][instr], u)
			}
		}
		f.uses[a.node] = a.uses
	}
	return a.uses
}

// ownerOf returns the type whose field is used; nil: it is a variable.
func (f *finder) ownerOf(u use) *owner {
	if u.global != nil {
		return nil
	}
	return f.types[u.owner.Obj()]
}

// isAboutOthers tells whether evidence of the world about all else counts: of a function that clients of the type run,
// theirs does.
func (o *owner) isAboutOthers(fn *ssa.Function) bool { return o == nil || !o.seen[fn] }

// aboutIn returns the uses in an activation of which a world gives evidence.
func (f *finder) aboutIn(w world, a *entered) map[ssa.Instruction][]use {
	uses, fn := f.usesOf(a), a.node.Func
	if len(uses.all) == 0 {
		return nil
	}
	if w.about != nil {
		w.about.seen[fn] = true
		return uses.of[w.about]
	}
	var some map[ssa.Instruction][]use
	for o, of := range uses.of {
		switch {
		case !o.isAboutOthers(fn):
		case len(uses.of) == 1:
			return of
		default:
			if some == nil {
				some = map[ssa.Instruction][]use{}
			}
			for instr := range of {
				some[instr] = nil
			}
		}
	}
	for instr := range some { // in their order
		some[instr] = slices.DeleteFunc(slices.Clone(uses.all[instr]), func(u use) bool {
			return !f.ownerOf(u).isAboutOthers(fn)
		})
	}
	return some
}

// gather looks at all functions that the world runs.
func (f *finder) gather(w world) {
	for _, a := range f.reached {
		n := a.node
		if !f.isOwn(n.Func) || !f.graph.Analysed(n) {
			continue
		}
		about := f.aboutIn(w, a)
		if len(about) == 0 { // in most worlds none of them
			continue
		}
		fl := &flow{finder: f, activation: a.activation}
		fl.visit = func(instr ssa.Instruction, held lockset) {
			for _, u := range about[instr] {
				f.note(n, u, held)
			}
		}
		fl.run(a.held)
	}
}

// note adds a use to what is known.
func (f *finder) note(n *pointsto.Node, u use, held lockset) {
	if f.isConstruction(n, u) {
		return
	}
	f.noteShare(n, u)
	to := f.fieldOfUse(u)
	if to == nil {
		return
	}
	if u.kind&writes != 0 {
		to.written, to.writtenBehind = to.written || u.kind&behind == 0, to.writtenBehind || u.kind&behind != 0
	}
	if by := f.runs[n]; by != nil {
		to.by.add(*by)
		f.noteMeeting(n, u, to, *by)
	}
	if !u.mention.IsValid() {
		u.mention = u.at.Pos()
	}
	if f.Programs[0].IsGenerated(u.mention) || !u.mention.IsValid() {
		return // clients of a library, who hold nothing
	}
	a := to.accesses[u.mention]
	if a == nil {
		a = &access{pos: u.mention, fn: n.Func}
		to.accesses[u.mention] = a
	}
	a.kind |= u.kind & (reads | writes)
	h := heldAt{pos: u.at.Pos(), at: u.at, kind: u.kind, guards: map[guard]mode{}, under: len(held) > 0}
	if !h.pos.IsValid() {
		h.pos = u.mention
	}
	base, t := place{}, (*types.TypeName)(nil)
	if u.global == nil {
		base, t = placeOf(u.base), u.owner.Obj()
	}
	for l, m := range held {
		g, ok := l.guardFor(base, t)
		h.locked = h.locked || l.owner == nil
		if ok && (g.own || u.global != nil || f.isLedTo(n, u, l)) {
			h.guards[g] = max(h.guards[g], m)
		}
	}
	a.uses = append(a.uses, h)
}

// fieldOfUse returns what is known of the field or variable.
func (f *finder) fieldOfUse(u use) *field {
	if u.global != nil {
		return f.variables[u.global]
	}
	for _, known := range f.types[u.owner.Obj()].fields {
		if known.name == u.field {
			return known
		}
	}
	return nil
}
