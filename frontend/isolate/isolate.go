// Package isolate picks the objects that a query watches. The checked object is
// one of those that its allocation site makes, chosen arbitrarily (random
// isolation: Kidd, Reps, Dolby and Vaziri, VMCAI 2009); so is each unitfor object.
// A watched object is called a star.
//
// The package knows which abstract cells may belong to a star and which of its
// fields lead there. It does not know at which point of the program a pointer
// holds a star: package lower tracks that.
package isolate

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
)

// Star is one watched object.
type Star struct {
	Name    string // in the model, as "vector1"
	Site    string
	Objects map[*pointsto.Object]bool // the abstract objects that it may be
	Path    string                    // its field path inside them
	Single  bool                      // those objects are one, and it exists at most once

	oneOf     []query.Site                // of which only one makes an object in a run; nil if all may
	variables map[*pointsto.Object]string // of package variables: their names, which are fields of the star
}

// IsOfVariables tells whether the star is a set of package variables.
func (s *Star) IsOfVariables() bool { return s.variables != nil }

// Location is a field of a star.
type Location struct {
	Star, Field int  // indices into Isolation.Stars and Subject.Fields
	Apart       bool // of what the field leads to, the part that guards itself: see IsApart
	Held        bool // what the field leads to, where that is told apart from the field: for data races
	Key         int  // of a map: the entries with keys of a class, see package keys; 0 is all that is not told apart
}

// Isolation is the stars of a query: the checked object first.
type Isolation struct {
	Subject   *query.Subject
	Stars     []*Star
	Truncated bool // there were more unitfor objects than maxStars
	Holders   map[*pointsto.Object]*Holder

	companions []*Companion
	owners     map[*pointsto.Object]*Owner
	ownerList  []*Owner // see Owners; nil until it is asked for

	own func(*ssa.Function) bool // see LeaveOut; nil if nothing is left out

	program   *load.Program
	graph     *pointsto.Result
	often     *multiplicity.Analysis
	regions   map[*pointsto.Object][]region                    // what the fields of stars lead to
	trees     map[*pointsto.Object]bool                        // answers of OwnsTree; nil before the first
	elsewhere map[*pointsto.Object]map[pointsto.Cell][]storeAt // see HoldsItsOwn
	owned     map[int]bool                                     // by field: every value stored in it is made for it
	first     map[*pointsto.Object]map[int]bool                // the fields that hold the address of an object themselves
	// contents that do not guard themselves; nil until asked for: see IsApart
	unguarded   map[*pointsto.Object]bool
	leavesApart bool                      // see LeaveApart
	reach       map[string]*types.Package // that the set can name, see isForeign; nil before it is asked for
	stores      map[int]int               // by field: how many store instructions there are
	// by field: a store is to an object that has been made before
	rewritten map[int]bool
	nearStars []*pointsto.Node   // that have a star at hand
	near      []*pointsto.Node   // see Near; nil until it is asked for
	region    *pointsto.Region   // see Region; nil until it is asked for
	seen      map[storeTo]bool   // counted in stores
	moved     map[*ssa.UnOp]bool // answers of isMoved

	synchronisation map[pointsto.Cell]bool       // see isSynchronisation
	private         map[pointsto.Cell]bool       // see isPrivate
	hidden          map[inStar]bool              // answers of isHiddenAt
	otherwise       map[pointsto.Cell]string     // see fieldOtherwise
	handed          map[handedTo]bool            // answers of isHandedTo
	inUnlocked      map[pointsto.Cell]bool       // answers of isUnlocked
	located         map[pointsto.Cell][]Location // answers of LocationsAt; nil while they may change
	unlocked        map[*types.TypeName]bool     // the types of Subject.Unlocked that were met
	fresh           *fresh.Analysis
}

// maxStars bounds the stars of one query. Each makes the model larger.
const maxStars = 8

// UnitForPolicy says which parameters make their objects join the atomic set.
type UnitForPolicy func(fn *ssa.Function, parameter *ssa.Parameter) bool

// Isolate returns the stars of a query about the objects of a site. It returns an
// error if the site makes no object in the program as analysed, or ctx is done.
// Questions to what it returns end the stage that asks them when ctx is done.
func Isolate(ctx context.Context, program *load.Program, graph *pointsto.Result, often *multiplicity.Analysis,
	s *query.Subject, site query.Site, unitFor UnitForPolicy) (i *Isolation, err error) {
	defer limit.Catch(&err)
	graph = graph.During(ctx)
	i = &Isolation{Subject: s, program: program, graph: graph, often: often, synchronisation: map[pointsto.Cell]bool{},
		private: map[pointsto.Cell]bool{}, hidden: map[inStar]bool{}, otherwise: map[pointsto.Cell]string{},
		inUnlocked: map[pointsto.Cell]bool{}, unlocked: map[*types.TypeName]bool{}, handed: map[handedTo]bool{},
		elsewhere: map[*pointsto.Object]map[pointsto.Cell][]storeAt{}, fresh: fresh.New(ctx, graph)}
	checked := &Star{Site: site.String(), Path: site.Path}
	if s.Type == nil {
		checked.variables = variablesOf(graph, s)
		checked.Objects = maps.Collect(asSet(checked.variables))
	} else {
		checked.Objects = objectsOf(graph, s, site)
		if site.OneOf {
			checked.oneOf = append([]query.Site{site}, site.Others...)
		}
	}
	if len(checked.Objects) == 0 && len(s.Vars) > 0 {
		return nil, &query.Error{What: "--vars " + strings.Join(s.Fields, ","), Why: "no code reachable from main uses them"}
	}
	if len(checked.Objects) == 0 {
		return nil, &query.Error{What: "--site " + site.String(), Why: "is not reachable from main"}
	}
	i.Stars = []*Star{checked}
	i.nearStars = graph.Holders(i.starObjects()...)
	i.addUnitForObjects(unitFor)
	if len(i.Stars) > 1 {
		i.nearStars = graph.Holders(i.starObjects()...)
		i.leaveFewEnough()
	}
	for k, star := range i.Stars {
		if star.Site == "" && s.Type != nil {
			star.Site = siteOf(program, graph, sortedObjects(star.Objects)[0])
		}
		star.Name = fmt.Sprintf("%s%d", s.Noun(), k+1)
		star.Single = i.isSingle(star) && !i.sharesObjects(k)
	}
	i.findRegions()
	i.findOwned()
	i.checkOthers()
	i.findHolders()
	i.findCompanions()
	i.findTogether()
	i.findOwners(ctx)
	return i, nil
}

// objectsOf returns the abstract objects that a site makes.
func objectsOf(graph *pointsto.Result, s *query.Subject, site query.Site) map[*pointsto.Object]bool {
	objects := objectsOfOne(graph, s, site)
	for _, other := range site.Others {
		maps.Copy(objects, objectsOfOne(graph, s, other))
	}
	return objects
}

// objectsOfOne is objectsOf for one instance of a generic function.
func objectsOfOne(graph *pointsto.Result, s *query.Subject, site query.Site) map[*pointsto.Object]bool {
	objects := map[*pointsto.Object]bool{}
	if site.Call == nil {
		for _, o := range graph.Objects() {
			if o.Site == site.Memory {
				objects[o] = true
			}
		}
		return objects
	}
	call, ok := site.Call.(*ssa.Call)
	if !ok { // go New(): what it returns is lost, what it allocates is not
		for _, o := range graph.Objects() {
			if slices.Contains(graph.MadeBy(o), site.Call) && s.Is(o.Type) {
				objects[o] = true
			}
		}
		return objects
	}
	all := map[*pointsto.Object]bool{}
	for _, n := range graph.NodesOf(call.Parent()) {
		for _, v := range results(call) {
			for _, c := range graph.PointsTo(n, v).Cells() {
				if c.Path != "" || !s.Is(c.Object.Type) {
					continue
				}
				all[c.Object] = true
				if slices.Contains(graph.MadeBy(c.Object), site.Call) {
					objects[c.Object] = true
				}
			}
		}
	}
	if len(objects) == 0 {
		return all // contexts are cut: a long chain of constructors hides the call
	}
	return objects
}

// results returns the values that a call returns: itself, or what is extracted.
func results(call *ssa.Call) []ssa.Value {
	if _, ok := call.Type().(*types.Tuple); !ok {
		return []ssa.Value{call}
	}
	var values []ssa.Value
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok {
			values = append(values, e)
		}
	}
	return values
}

// addUnitForObjects adds a star for each further object that a unit on the
// checked object can be handed as a unitfor parameter.
func (i *Isolation) addUnitForObjects(unitFor UnitForPolicy) {
	known := map[pointsto.Cell]bool{}
	if checked := i.Stars[0]; i.isSingle(checked) {
		// There is no second object that the site makes.
		for o := range checked.Objects {
			known[pointsto.Cell{Object: o, Path: checked.Path}] = true
		}
	}
	near := i.nearStars
	for _, n := range i.graph.Nodes() {
		if len(near) > 0 && near[0] == n {
			near = near[1:]
		} else if !i.Subject.IsConstructor(n.Func) {
			continue
		}
		if !i.mayBeUnitOnChecked(n) {
			continue
		}
		for p, parameter := range n.Func.Params {
			if p == 0 && n.Func.Signature.Recv() != nil || !unitFor(n.Func, parameter) {
				continue
			}
			for _, c := range i.graph.PointsTo(n, parameter).Cells() {
				if known[c] || c.Type() == nil || !i.Subject.Is(c.Type()) {
					continue
				}
				known[c] = true
				if len(i.Stars) == maxStars {
					i.Truncated = true
					return
				}
				i.Stars = append(i.Stars, &Star{Site: "", Objects: map[*pointsto.Object]bool{c.Object: true}, Path: c.Path})
			}
		}
	}
}

// maxUses bounds in how many uses the functions that have stars at hand may be modelled: the product of what their
// arguments and results may be is what they cost.
const maxUses = 200

// leaveFewEnough drops the last stars if there would be too many uses of functions with all of them, as where methods
// with two arguments and a result are all of the checked type.
func (i *Isolation) leaveFewEnough() {
	all := len(i.Stars)
	for len(i.Stars) > 1 && i.uses() > maxUses {
		i.Stars = i.Stars[:len(i.Stars)-1]
	}
	if len(i.Stars) < all {
		i.Truncated = true
		i.nearStars = i.graph.Holders(i.starObjects()...)
	}
}

// uses returns in how many ways the stars may be the arguments and results of the functions that have them at hand, or
// a number that is too large.
func (i *Isolation) uses() int {
	all := 0
	for _, n := range i.nearStars {
		ways := 1
		times := func(stars int) { ways = min(ways*(1+stars), maxUses+1) }
		for _, v := range ssaflow.Inputs(n.Func) {
			times(i.starsIn(i.graph.PointsTo(n, v)))
		}
		returned := make([]int, n.Func.Signature.Results().Len())
		for _, b := range n.Func.Blocks {
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
				for k, v := range r.Results {
					returned[k] = max(returned[k], i.starsIn(i.graph.PointsTo(n, v)))
				}
			}
		}
		for _, stars := range returned {
			times(stars)
		}
		if all += ways; all > maxUses {
			break
		}
	}
	return all
}

// starsIn returns how many stars a set of cells may hold the address of.
func (i *Isolation) starsIn(set pointsto.Set) int {
	cells := set.Cells()
	count := 0
	for _, star := range i.Stars {
		if slices.ContainsFunc(cells, func(c pointsto.Cell) bool { return star.Objects[c.Object] && c.Path == star.Path }) {
			count++
		}
	}
	return count
}

// mayBeUnitOnChecked tells whether n is a method on the checked object or its
// constructor.
func (i *Isolation) mayBeUnitOnChecked(n *pointsto.Node) bool {
	if recv := n.Func.Signature.Recv(); recv != nil && len(n.Func.Params) > 0 {
		for _, c := range i.graph.PointsTo(n, n.Func.Params[0]).Cells() {
			if i.Stars[0].Objects[c.Object] && c.Path == i.Stars[0].Path {
				return true
			}
		}
	}
	return i.Constructs(n, 0) || i.touchesChecked(n)
}

// touchesChecked tells whether n has a field of the checked object at hand, so that
// it may be a unit on it by its own accesses.
func (i *Isolation) touchesChecked(n *pointsto.Node) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			address, ok := instr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			for _, c := range i.graph.PointsTo(n, address).Cells() {
				if i.Stars[0].Objects[c.Object] && len(i.FieldsAt(0, i.PathOf(0, c))) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// Constructs tells whether n is a constructor node of star k: its function is a
// constructor of the subject, and the star may be allocated by it or by
// constructors that it calls.
func (i *Isolation) Constructs(n *pointsto.Node, k int) bool {
	if !i.Subject.IsConstructor(n.Func) {
		return false
	}
	for _, o := range sortedObjects(i.Stars[k].Objects) {
		if alloc, ok := o.Site.(*ssa.Alloc); ok && i.makes(n, alloc, o, map[*pointsto.Node]bool{}) {
			return true
		}
	}
	return false
}

// makes tells whether n allocates o itself or through constructors that it calls.
func (i *Isolation) makes(n *pointsto.Node, alloc *ssa.Alloc, o *pointsto.Object, seen map[*pointsto.Node]bool) bool {
	if seen[n] {
		return false
	}
	seen[n] = true
	if n.Func == alloc.Parent() && i.graph.ObjectAt(n, alloc) == o {
		return true
	}
	for _, e := range i.graph.Calls(n) {
		if _, isCall := e.Site.(*ssa.Call); isCall && e.Start == nil && i.Subject.IsConstructor(e.Callee.Func) &&
			i.makes(e.Callee, alloc, o, seen) {
			return true
		}
	}
	return false
}

// siteOf returns where an object is allocated: the outermost call of a constructor
// that it is told apart by, or the allocation.
func siteOf(program *load.Program, graph *pointsto.Result, o *pointsto.Object) string {
	at := o.Site.Pos()
	for _, call := range graph.MadeBy(o) {
		if program.Position(call.Pos()).InModule() {
			at = query.ExpressionStart(program.Syntax(call.Pos()), call.Pos())
		}
	}
	return program.Position(at).String()
}

// sharesObjects tells whether what star k may be is also what another star may be:
// then it need not be k.
func (i *Isolation) sharesObjects(k int) bool {
	for j, other := range i.Stars {
		if j == k || other.Path != i.Stars[k].Path {
			continue
		}
		for o := range other.Objects {
			if i.Stars[k].Objects[o] {
				return true
			}
		}
	}
	return false
}

// isSingle tells whether the star's objects are one object at run time.
func (i *Isolation) isSingle(s *Star) bool {
	if s.variables != nil && i.Subject.Local == nil {
		return true
	}
	if len(s.Objects) != 1 && !i.areAlternatives(s) || strings.Contains(s.Path, "[]") {
		return false
	}
	for o := range s.Objects {
		if !SingleObject(i.often, i.graph, o) {
			return false
		}
	}
	return true
}

// areAlternatives tells whether the star's objects are one for each of the places of which a run reaches one.
func (i *Isolation) areAlternatives(s *Star) bool {
	for _, place := range s.oneOf {
		made := objectsOfOne(i.graph, i.Subject, place)
		if len(made) != 1 {
			return false
		}
		for o := range made {
			if !slices.Contains(i.graph.MadeBy(o), place.Call) {
				return false
			}
		}
	}
	return len(s.oneOf) > 0
}

// SingleObject tells whether the abstract object stands for at most one object in
// a run.
func SingleObject(often *multiplicity.Analysis, graph *pointsto.Result, o *pointsto.Object) bool {
	switch site := o.Site.(type) {
	case *ssa.Global:
		return true
	case *ssa.Alloc:
		return isMadeOnce(often, graph, o, site, site)
	case *ssa.MakeChan:
		return isMadeOnce(often, graph, o, site, site)
	}
	return false
}

// isMadeOnce tells whether the instruction that makes the object is executed at
// most once in a run.
func isMadeOnce(often *multiplicity.Analysis, graph *pointsto.Result, o *pointsto.Object, site ssa.Value,
	instr ssa.Instruction) bool {
	makers := 0
	for _, n := range graph.NodesOf(instr.Parent()) {
		if graph.ObjectAt(n, site) == o {
			makers++
			if !often.OnceAt(n, instr) {
				return false
			}
		}
	}
	return makers == 1
}

// StarsAt returns the stars whose memory the cell may be part of, in order. They
// are several when one site makes the checked object and unitfor objects.
func (i *Isolation) StarsAt(c pointsto.Cell) []int {
	var all []int
	for k, s := range i.Stars {
		if s.Objects[c.Object] {
			all = append(all, k)
		}
	}
	return all
}

// LocationsAt returns the locations that an access through a pointer to the cell
// may touch: fields of stars, and what they lead to. It is remembered, and not for the caller to change.
func (i *Isolation) LocationsAt(c pointsto.Cell) []Location {
	if i.located == nil {
		return i.findLocations(c)
	}
	return ssaflow.Remember(i.located, c, func() []Location { return slices.Clip(i.findLocations(c)) })
}

func (i *Isolation) findLocations(c pointsto.Cell) []Location {
	stars, regions := i.StarsAt(c), i.RegionsAt(c)
	if len(stars)+len(regions) == 0 || i.isHidden(c) {
		return nil
	}
	var all []Location
	for _, k := range stars {
		all = append(all, i.FieldsAt(k, i.PathOf(k, c))...)
	}
	return append(all, regions...)
}

// FieldsAt returns the locations that an access to the absolute path of star k's
// memory touches: the field that the path lies in, or every field inside it, in the
// order of their declaration; none for a synchronisation object.
func (i *Isolation) FieldsAt(k int, path string) []Location {
	var all []Location
	if i.isHiddenAt(k, path) {
		return nil
	}
	for f, name := range i.Subject.Fields {
		full := pointsto.JoinPath(i.Stars[k].Path, name)
		if pointsto.Overlaps(path, full) {
			all = append(all, Location{Star: k, Field: f})
		}
	}
	slices.SortFunc(all, func(a, b Location) int {
		return slices.Compare(i.Subject.Declared(a.Field), i.Subject.Declared(b.Field))
	})
	return all
}

// isPool tells whether t is sync.Pool. What it holds is nobody's: an item belongs to
// who takes it, until it is put back.
func isPool(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.String() == "sync.Pool"
}

// IsContents tells whether an object can be memory that a field leads to, rather
// than an object of its own: not another subject, not a function or channel, not a
// synchronisation object.
func (i *Isolation) IsContents(o *pointsto.Object) bool {
	switch o.Site.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.MakeChan, nil:
		return false
	}
	return i.IsContentsType(o.Type)
}

// IsContentsType is IsContents for a type of objects.
func (i *Isolation) IsContentsType(t types.Type) bool {
	return !query.IsSynchronisation(t) && !knowledge.NeverChanges(t) && !i.Subject.IsOther(t) &&
		len(i.Subject.Within(t)) == 0
}

// sortedObjects returns the objects by their numbers.
func sortedObjects(set map[*pointsto.Object]bool) []*pointsto.Object {
	var all []*pointsto.Object
	for o := range set {
		all = append(all, o)
	}
	sort.Slice(all, func(a, b int) bool { return all[a].ID < all[b].ID })
	return all
}
