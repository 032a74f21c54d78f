// Package printing says which methods a call of a function that formats or encodes can run.
//
// Points-to analysis has one node for each function of packages like fmt, for all of its calls: there,
// whatever is printed somewhere is printed everywhere, and a call of fmt.Errorf runs each String method
// of the program. But such a function calls methods only on what it is handed, and on what that leads to:
// it keeps nothing from one call to the next. So a method that is only called on certain objects is run
// by a call that is handed something which leads to one of them. It may make the object itself, as a decoder
// does: such methods are run anywhere. And it prints what a method has passed to panic, if it runs one.
package printing

import (
	"context"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Calls is the call graph of a program, seen so. It is not for several goroutines at once.
type Calls struct {
	graph *pointsto.Result
	*known
}

// known is what has been found out. A search that the stage's context ends adds nothing to it.
type known struct {
	inside  map[*pointsto.Node]*above
	below   map[*pointsto.Node][]*pointsto.Node
	plain   map[*ssa.CallCommon]bool // see handsPlain
	exits   *exits                   // nil until it is asked for
	entered map[entering]pointsto.Numbers
	numbers map[handed]int32           // in the order of discovery
	run     map[int32][]*pointsto.Node // by these; see Callees
}

// exits are all the methods that functions that format call.
type exits struct {
	number  map[*pointsto.Node]int
	all     []exit
	regions *pointsto.Regions // by number of a method: the objects that it is called on
}

// above is what leads to a node of a function that formats.
type above struct {
	inside  []*pointsto.Node // such functions
	entries []pointsto.Edge  // calls of these by others
	handed  []int32          // by the entries: the number of what is handed over; nil until it is asked for
}

// exit is such a method.
type exit struct {
	anywhere bool // it may be called whatever a call is handed
	panicked bool // it may be called on what another method has passed to panic
}

// entering is a question: which methods a call runs for what it is handed.
type entering struct {
	caller, callee *pointsto.Node
	site           ssa.CallInstruction
}

// handed is all that says which methods a call runs: what is called, and what it is handed.
type handed struct {
	callee  *pointsto.Node
	isPlain bool   // see handsPlain
	led     uint32 // the identity of the methods on whose objects that leads
}

// New returns the call graph.
func New(graph *pointsto.Result) *Calls {
	return &Calls{graph, &known{inside: map[*pointsto.Node]*above{}, below: map[*pointsto.Node][]*pointsto.Node{},
		plain: map[*ssa.CallCommon]bool{}, entered: map[entering]pointsto.Numbers{},
		numbers: map[handed]int32{}, run: map[int32][]*pointsto.Node{}}}
}

// During returns the call graph for a stage under a context: once that is done, questions end the stage. What is
// found out there is known afterwards, too.
func (c *Calls) During(ctx context.Context) *Calls { return &Calls{c.graph.During(ctx), c.known} }

// Callers yields the calls that may run a node, each by who is no function that formats if the node is none.
func (c *Calls) Callers(n *pointsto.Node) iter.Seq[pointsto.Edge] {
	return func(yield func(pointsto.Edge) bool) {
		runs := map[int32]bool{} // by what is handed over
		for _, e := range c.graph.Callers(n) {
			if !c.formats(e.Caller) || c.formats(n) {
				if !yield(e) {
					return
				}
				continue
			}
			a := c.above(e.Caller)
			if a.handed == nil {
				a.handed = c.numbersOf(a.entries)
			}
			for i, entry := range a.entries {
				does, known := runs[a.handed[i]]
				if !known {
					does = c.Runs(entry, n)
					runs[a.handed[i]] = does
				}
				if does && !yield(pointsto.Edge{Caller: entry.Caller, Site: entry.Site, Callee: n, Start: entry.Start}) {
					return
				}
			}
		}
	}
}

// Inside returns the functions that format and are on the way from such calls to a node that is none.
func (c *Calls) Inside(n *pointsto.Node) (inside []*pointsto.Node) {
	if c.formats(n) {
		return nil
	}
	for _, e := range c.graph.Callers(n) {
		if c.formats(e.Caller) {
			inside = append(inside, c.above(e.Caller).inside...)
		}
	}
	return inside
}

// numbersOf is numberOf for each of the calls.
func (c *Calls) numbersOf(calls []pointsto.Edge) []int32 {
	all := make([]int32, len(calls))
	for i, e := range calls {
		all[i] = c.numberOf(e)
	}
	return all
}

// numberOf returns the number of what a call is handed.
func (c *Calls) numberOf(e pointsto.Edge) int32 {
	led := c.ledTo(e)
	key := handed{e.Callee, c.handsPlain(e.Site.Common()), c.allExits().regions.Identity(led)}
	number, known := c.numbers[key]
	if !known {
		number = int32(len(c.numbers))
		c.numbers[key] = number
	}
	return number
}

// above finds what leads to a node of a function that formats.
func (c *Calls) above(n *pointsto.Node) *above {
	if known := c.inside[n]; known != nil {
		return known
	}
	found, seen := &above{inside: []*pointsto.Node{n}}, map[*pointsto.Node]bool{n: true}
	for i := 0; i < len(found.inside); i++ {
		for _, e := range c.graph.Callers(found.inside[i]) {
			switch {
			case !c.formats(e.Caller):
				found.entries = append(found.entries, e)
			case !seen[e.Caller]:
				seen[e.Caller] = true
				found.inside = append(found.inside, e.Caller)
			}
		}
	}
	c.inside[n] = found
	return found
}

// Callees returns what a call of a function that formats may run that is none; of another call, its callee.
func (c *Calls) Callees(e pointsto.Edge) []*pointsto.Node {
	switch {
	case !c.formats(e.Callee):
		return []*pointsto.Node{e.Callee}
	case c.formats(e.Caller):
		return c.leads(e.Callee)
	}
	key := c.numberOf(e)
	run, ok := c.run[key]
	if !ok {
		for _, n := range c.leads(e.Callee) {
			if c.Runs(e, n) {
				run = append(run, n)
			}
		}
		c.run[key] = run
	}
	return run
}

// Calls yields the edges out of a node, where what it calls is not what formats, but what that runs for it.
func (c *Calls) Calls(n *pointsto.Node) iter.Seq[pointsto.Edge] {
	return func(yield func(pointsto.Edge) bool) {
		for _, e := range c.graph.Calls(n) {
			if !c.formats(e.Callee) || c.formats(n) {
				if !yield(e) {
					return
				}
				continue
			}
			for _, callee := range c.Callees(e) {
				if !yield(pointsto.Edge{Caller: n, Site: e.Site, Callee: callee, Start: e.Start}) {
					return
				}
			}
		}
	}
}

// leads returns what a function that formats leads to, whatever it is handed.
func (c *Calls) leads(n *pointsto.Node) []*pointsto.Node {
	if known, ok := c.below[n]; ok {
		return known
	}
	var found []*pointsto.Node
	seen, work := map[*pointsto.Node]bool{n: true}, []*pointsto.Node{n}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range c.graph.Calls(at) {
			if seen[e.Callee] {
				continue
			}
			seen[e.Callee] = true
			if c.formats(e.Callee) {
				work = append(work, e.Callee)
			} else {
				found = append(found, e.Callee)
			}
		}
	}
	c.below[n] = found
	return found
}

// Runs tells whether a call of a function that formats, by one that does not, may run a node that it leads to.
func (c *Calls) Runs(entry pointsto.Edge, n *pointsto.Node) bool {
	if c.handsPlain(entry.Site.Common()) && isPrinter(entry, n) {
		return false
	}
	if c.runsOnHanded(entry, n) {
		return true
	}
	_, x := c.exit(n)
	return x.panicked && slices.ContainsFunc(c.leads(entry.Callee), func(m *pointsto.Node) bool {
		return isPrinter(entry, m) && c.runsOnHanded(entry, m)
	})
}

// isPrinter tells whether a call prints what has the method by calling that.
func isPrinter(entry pointsto.Edge, n *pointsto.Node) bool {
	return n.Func.Signature.Recv() != nil && slices.Contains(knowledge.Printers(entry.Callee.Func), n.Func.Name())
}

// handsPlain tells whether a call hands over nothing that has methods, as strings, numbers and slices of them.
func (c *Calls) handsPlain(call *ssa.CallCommon) bool {
	plain, ok := c.plain[call]
	if !ok {
		plain = isPlainCall(call)
		c.plain[call] = plain
	}
	return plain
}

func isPlainCall(call *ssa.CallCommon) bool {
	return call.StaticCallee() != nil && !slices.ContainsFunc(call.Args, func(v ssa.Value) bool {
		if i, ok := v.Type().Underlying().(*types.Interface); ok && i.NumMethods() > 0 && // a writer
			knowledge.UsesMethodsOnly(call.StaticCallee()) {
			return slices.ContainsFunc(knowledge.Printers(call.StaticCallee()), func(name string) bool {
				method, _, _ := types.LookupFieldOrMethod(v.Type(), false, nil, name)
				return method != nil
			})
		}
		arguments, ok := ssaflow.ArgumentsIn(v)
		if !ok {
			arguments = []ssa.Value{v}
		}
		return slices.ContainsFunc(arguments, func(v ssa.Value) bool { return !isPlain(v) })
	})
}

// isPlain tells whether a value, or what is in an interface, has no methods, and no part that has.
func isPlain(v ssa.Value) bool {
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	c, isConstant := v.(*ssa.Const)
	return isConstant && c.IsNil() || isPlainType(v.Type(), 3)
}

// isPlainType is isPlain for a type with parts of parts down to a depth.
func isPlainType(t types.Type, depth int) bool {
	if depth == 0 || types.NewMethodSet(t).Len() > 0 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		return isPlainType(u.Elem(), depth-1)
	case *types.Array:
		return isPlainType(u.Elem(), depth-1)
	case *types.Pointer:
		return isPlainType(u.Elem(), depth-1)
	}
	return false
}

// runsOnHanded is Runs but for what is printed because a method has passed it to panic.
func (c *Calls) runsOnHanded(entry pointsto.Edge, n *pointsto.Node) bool {
	number, x := c.exit(n)
	if x.anywhere || entry.Callee.Func.Parent() != nil { // a literal has more at hand than it is handed
		return true
	}
	return c.ledTo(entry).Has(number)
}

// ledTo returns the numbers of the methods on whose objects what a call hands over leads.
func (c *Calls) ledTo(entry pointsto.Edge) pointsto.Numbers {
	key := entering{entry.Caller, entry.Callee, entry.Site}
	led, ok := c.entered[key]
	if !ok {
		for _, v := range operands(entry.Site.Common()) {
			led = led.With(c.leadsTo(entry, v))
		}
		c.entered[key] = led
	}
	return led
}

// exit returns what is known of a method that functions that format call, and its number. Others may be called
// anywhere.
func (c *Calls) exit(n *pointsto.Node) (int, exit) {
	exits := c.allExits()
	number, ok := exits.number[n]
	if !ok {
		return 0, exit{anywhere: true}
	}
	return number, exits.all[number]
}

// allExits returns the methods. They are found once, when they are asked for.
func (c *Calls) allExits() *exits {
	if c.exits == nil {
		c.exits = c.findExits()
	}
	return c.exits
}

func (c *Calls) findExits() *exits {
	panicked := map[*pointsto.Object]bool{}
	for _, o := range c.graph.Panicked() {
		panicked[o] = true
	}
	found := &exits{number: map[*pointsto.Node]int{}}
	var objects [][]*pointsto.Object
	for _, n := range c.graph.Nodes() {
		if !c.formats(n) {
			continue
		}
		for _, e := range c.graph.Calls(n) {
			if _, known := found.number[e.Callee]; known || c.formats(e.Callee) {
				continue
			}
			on, anywhere := c.calledOn(e.Callee)
			found.number[e.Callee] = len(found.all)
			found.all = append(found.all, exit{anywhere,
				slices.ContainsFunc(on, func(o *pointsto.Object) bool { return panicked[o] })})
			objects = append(objects, on)
		}
	}
	found.regions = c.graph.Regions(objects)
	return found
}

// formats tells whether n is one of the functions that format or encode what they are handed.
func (c *Calls) formats(n *pointsto.Node) bool { return c.graph.IsOfClass(n, knowledge.Formatters) }

// calledOn finds out on what a method is called, or that it is called whatever is handed over.
func (c *Calls) calledOn(n *pointsto.Node) (objects []*pointsto.Object, anywhere bool) {
	recv := n.Func.Signature.Recv()
	if recv == nil || len(n.Func.Params) == 0 || !isFoundInMemory(recv.Type()) ||
		slices.ContainsFunc(c.graph.Callers(n), func(e pointsto.Edge) bool {
			return c.formats(e.Caller) && !knowledge.CallsOnHanded(e.Caller.Func, n.Func.Name())
		}) {
		return nil, true
	}
	if isPointer(recv.Type()) {
		objects = c.graph.PointsTo(n, n.Func.Params[0]).Objects()
	} else {
		objects = c.graph.ObjectsWith(recv.Type())
	}
	return objects, len(objects) == 0 || slices.ContainsFunc(objects, isMadeInside)
}

// isMadeInside tells whether a function that formats, or reflection for it, makes the object.
func isMadeInside(o *pointsto.Object) bool {
	made, ok := o.Site.(ssa.Instruction)
	return ok && (knowledge.FormatsHanded(made.Parent()) || knowledge.IsOfReflection(made.Parent()))
}

// isPointer tells whether a type is that of a pointer.
func isPointer(t types.Type) bool {
	_, is := t.Underlying().(*types.Pointer)
	return is
}

// isFoundInMemory tells whether memory that is reached tells of a receiver of the type. It does not where there is
// nothing in it, and of a slice, a map, a function and the like in an interface: that is what it points to itself,
// whatever its type there is.
func isFoundInMemory(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return !isEmpty(p.Elem())
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return !isEmpty(t)
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	}
	return false
}

// isEmpty tells whether a value of the type has no parts.
func isEmpty(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !isEmpty(f.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return u.Len() == 0 || isEmpty(u.Elem())
	}
	return false
}

// operands returns what a call hands over: with a closure, what that holds.
func operands(call *ssa.CallCommon) []ssa.Value {
	all := slices.Clone(call.Args)
	if call.StaticCallee() == nil {
		all = append(all, call.Value)
	}
	return all
}

// leadsTo returns the numbers of the methods on whose objects a value that is handed over may lead.
// Of a value that is handed over by an interface with methods, package fmt calls only these.
func (c *Calls) leadsTo(entry pointsto.Edge, v ssa.Value) pointsto.Numbers {
	i, isInterface := v.Type().Underlying().(*types.Interface)
	if isInterface && i.NumMethods() > 0 && knowledge.UsesMethodsOnly(entry.Callee.Func) {
		return c.graph.PointedTo(entry.Caller, v, c.allExits().regions)
	}
	return c.graph.LedTo(entry.Caller, v, c.allExits().regions)
}
