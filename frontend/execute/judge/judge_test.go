package judge_test

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
)

// source is a program about which facts are stated: its lines have names.
const source = `package main

import "sync"

type T struct {
	mu   sync.Mutex
	rw   sync.RWMutex
	a, b int
	next *T
}

var global *T

func locked(x *T) {
	x.mu.Lock()
	x.a = 1 // inside
	x.mu.Unlock()
	x.a = 2 // outside
}

func reading(x *T) int {
	x.rw.RLock()
	v := x.b // read
	x.rw.RUnlock()
	return v
}

func publishes() {
	y := &T{} // made
	y.a = 3 // before
	global = y // publish
	y.b = 4 // after
}

func lends(x *T) {
	done := make(chan bool)
	y := &T{} // lent
	y.a = 1 // lend
	go func() { // lend2
		y.b = 2
		close(done)
	}()
	<-done // back
	y.a = 3
}

func twice(x *T) {
	v := x.a // first
	x.mu.Lock()
	w := x.a // second
	p, q := x, x.next // nexts
	use(v, w) // used
	use2(p, q) // pair
	x.mu.Unlock()
}

func use(v, w int)   {}
func use2(p, q *T)   {}

func branches(n int) int {
	if n > 0 {
		n++ // then
	} else {
		n-- // else
	}
	for i := range 2 {
		n += i // loop
	}
	return n + 1 // end2
}

func forks(x *T) {
	var wg sync.WaitGroup
	wg.Add(1)
	x.b = 1 // fork
	go func() { // fork2
		x.b++ // child
		wg.Done()
	}()
	x.a++ // beside
	use(1, 2) // added
	wg.Wait() // inner
	x.b++ // join
}

func decides(x *T) int {
	x.mu.Lock()
	old := x.a // look
	if old > 7 {
		x.mu.Unlock()
		return 0
	}
	x.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.a > 7 { // again
		return 0
	}
	x.a = 5 // decided
	return 1
}

func keeps(x *T) int {
	x.mu.Lock()
	old := x.a // kept
	x.mu.Unlock()
	x.mu.Lock() // later
	x.b = old
	x.mu.Unlock()
	return 1
}

func calls(f func(int) int) int { return f(1) } // call

func owners(x *T, pipe chan *T) {
	list := make([]*T, 0, 4)
	for range 2 {
		y := &T{} // element
		list = append(list, y)
		list = append(list, x)
		x.next = y // alone
		z := &T{}
		z.next, y.next = z, z // both
	}
	for i := 0; i < len(list); i++ { // counted
		use2(list[i], x) // visit
	}
	for i := 0; i < 2; i++ {
		use2(list[2*i], x) // visit2
	}
	flags := [2]bool{}
	for i := range 2 {
		flags[0] = true // stays
		flags[1] = i == 0 // changes
	}
	if flags[0] && flags[1] {
		use(1, 2)
	}
	pipe <- x // put
	pipe <- x // put again
	taken := <-pipe // take
	pipe <- taken // put back
}

func starts(n int) {
	cells := make([]int, 2)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(2)
		go func() { // own
			cells[i]++
			wg.Done()
		}()
		go func() { // common
			cells[0]++
			wg.Done()
		}()
	}
	wg.Wait()
	each := &T{} // for each
	run := func() { // run
		each.a++
	}
	run()
	run()
	func() { each.b++ }() // run once
}

func ways(x *T, n int) {
	v := x.b // way
	if n > 0 {
		x.mu.Lock()
	} else {
		x.rw.Lock()
	}
	w := x.b // way2
	if n > 0 {
		x.mu.Unlock()
	}
	use(v, w) // way3
	if n <= 0 {
		x.rw.Unlock()
	}
}

func main() {
	x := &T{} // object
	x.next = &T{} // second object
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			locked(x)
			reading(x)
			twice(x)
			publishes()
			decides(x)
			keeps(x)
		})
	}
	x.next.a = 1
	z := &T{next: x.next}
	z.next = &T{} // third object
	lends(x)
	twice(&T{})
	forks(&T{}) // forked
	branches(1)
	branches(0)
	calls(branches)
	owners(&T{}, make(chan *T, 4))
	starts(1)
	ways(x, 1)
	ways(x, 0)
	wg.Wait()
}
`

// lines finds the instructions of the named lines.
type lines struct {
	p *facttest.Program
}

func loaded(t *testing.T) *lines {
	all := facttest.Load(t, map[string]string{"p": source})
	return &lines{all[0]}
}

func (l *lines) function(name string) *ssa.Function { return l.p.Main.Func(name) }

// on returns the instructions of a kind on a line, in any function.
func on[I ssa.Instruction](l *lines, name string) []I {
	var all []I
	line := 1 + strings.Count(source[:strings.Index(source, "// "+name+"\n")], "\n")
	var visit func(f *ssa.Function)
	visit = func(f *ssa.Function) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if x, ok := i.(I); ok && l.p.Loaded.SSA.Fset.Position(i.Pos()).Line == line {
					all = append(all, x)
				}
			}
		}
		for _, inner := range f.AnonFuncs {
			visit(inner)
		}
	}
	for _, m := range l.p.Main.Members {
		if f, ok := m.(*ssa.Function); ok {
			visit(f)
		}
	}
	return all
}

func one[I ssa.Instruction](l *lines, name string) I { return on[I](l, name)[0] }

func (l *lines) store(name string) *ssa.Store { return one[*ssa.Store](l, name) }
func (l *lines) load(name string) *ssa.UnOp   { return one[*ssa.UnOp](l, name) }
func (l *lines) call(name string) *ssa.Call   { return one[*ssa.Call](l, name) }
func (l *lines) alloc(name string) *ssa.Alloc { return one[*ssa.Alloc](l, name) }

// TestPlantedErrors states two facts of each kind, of which one is wrong: it has to be refuted, and
// the other one not.
func TestPlantedErrors(t *testing.T) {
	l := loaded(t)
	param := func(f string, i int) *ssa.Parameter { return l.function(f).Params[i] }
	field := func(v ssa.Value, steps ...int) judge.Path {
		p := judge.Path{Root: v}
		for _, i := range steps {
			p.Steps = append(p.Steps, judge.Step{Kind: judge.Field, Index: i})
		}
		return p
	}
	mu, rw := 0, 1
	start := func(name string) *ssa.Go { return one[*ssa.Go](l, name) }
	pair := l.call("pair").Call.Args
	used := l.call("used").Call.Args
	block := func(name string) *ssa.BasicBlock { return one[*ssa.BinOp](l, name).Block() }
	isSite := func(sites ...ssa.Instruction) func(execute.Place) bool {
		return func(p execute.Place) bool {
			for _, site := range sites {
				if p.Object().Site() == site {
					return true
				}
			}
			return false
		}
	}
	part := func(name int) func(execute.Place) bool {
		return func(p execute.Place) bool { return len(p.Path()) == 1 && p.Path()[0] == name }
	}
	forked := one[*ssa.Store](l, "child")
	event := func(i ssa.Instruction) judge.Event { return judge.Event{At: i} }
	put := func(name string) judge.Put {
		send := one[*ssa.Send](l, name)
		return judge.Put{Event: event(send), Value: send.X}
	}
	takes := []judge.Event{event(one[*ssa.UnOp](l, "take"))}
	all := func(execute.Object) bool { return true }
	anywhere := func(execute.Place) bool { return true }
	isElement := func(place execute.Place) bool { return len(place.Path()) == 1 }
	isPart := func(o *ssa.Alloc, n int) func(execute.Place) bool {
		return func(place execute.Place) bool { return isSite(o)(place) && isElement(place) && place.Path()[0] == n }
	}
	flags := one[*ssa.IndexAddr](l, "stays").X.(*ssa.Alloc)
	loop := loopAround(one[*ssa.IndexAddr](l, "visit").Block())
	visit := func(name string) ssa.Instruction {
		for _, load := range on[*ssa.UnOp](l, name) {
			if _, ok := load.X.(*ssa.IndexAddr); ok {
				return load
			}
		}
		return nil
	}
	var site ssa.CallInstruction = l.call("call")
	for _, planted := range []struct {
		name         string
		wrong, right judge.Fact
	}{
		{"lock held",
			judge.MustHold{At: l.store("outside"), Lock: field(param("locked", 0), mu), Mode: execute.Writing},
			judge.MustHold{At: l.store("inside"), Lock: field(param("locked", 0), mu), Mode: execute.Writing}},
		{"mode of a lock",
			judge.MustHold{At: l.load("read"), Lock: field(param("reading", 0), rw), Mode: execute.Writing},
			judge.MustHold{At: l.load("read"), Lock: field(param("reading", 0), rw), Mode: execute.Reading}},
		{"same value",
			judge.SameValue{At: l.call("pair"), V: field(pair[0]), W: field(pair[1])},
			judge.SameValue{At: l.call("pair"), V: field(pair[0]), W: field(param("twice", 0))}},
		{"same value of two reads",
			judge.SameValue{At: l.call("used"), V: field(used[0]), W: field(used[1])},
			judge.SameValue{At: l.call("used"), V: field(used[0]), W: field(l.load("first"))}},
		{"made once",
			judge.MadeOnce{At: judge.Making{At: l.load("read"), Value: l.load("read")}},
			judge.MadeOnce{At: judge.Making{At: l.alloc("made"), Value: l.alloc("made")}}},
		{"unchanged",
			judge.Unchanged{From: l.load("first"), To: l.load("second"), Place: field(l.load("first").X)},
			judge.Unchanged{From: l.store("fork"), To: start("fork2"), Place: field(l.store("fork").Addr)}},
		{"points to",
			judge.MayPointTo{Value: param("forks", 0), May: isSite(l.alloc("object"))},
			judge.MayPointTo{Value: param("forks", 0), May: isSite(l.alloc("object"), l.alloc("forked"))}},
		{"calls",
			judge.MayCall{Site: site, May: func(f *ssa.Function) bool { return f == l.function("use") }},
			judge.MayCall{Site: site, May: func(f *ssa.Function) bool { return f == l.function("branches") }}},
		{"private",
			judge.Private{At: l.store("after"), Value: field(l.alloc("made"))},
			judge.Private{At: l.store("before"), Value: field(l.alloc("made"))}},
		{"private until",
			judge.PrivateUntil{From: l.store("before"), Until: l.store("after"), Value: field(l.alloc("made"))},
			judge.PrivateUntil{From: l.store("before"), Until: l.store("publish"), Value: field(l.alloc("made"))}},
		{"used by nobody else",
			judge.PrivateUntil{From: l.store("lend"), Until: l.load("back"), Value: field(l.alloc("lent")), Used: true},
			judge.PrivateUntil{From: l.store("lend"), Until: start("lend2"), Value: field(l.alloc("lent")), Used: true}},
		{"frozen",
			judge.Frozen{Site: l.alloc("made"), Part: part(3), Name: "b"},
			judge.Frozen{Site: l.alloc("made"), Part: part(2), Name: "a"}},
		{"ordered, by what happens",
			judge.Ordered{A: judge.Event{At: l.store("join")}, B: judge.Event{At: forked}},
			judge.Ordered{A: judge.Event{At: forked}, B: judge.Event{At: l.store("join")}}},
		{"ordered, by what could happen",
			judge.Ordered{A: judge.Event{At: l.store("beside")}, B: judge.Event{At: forked}},
			judge.Ordered{A: judge.Event{At: l.store("fork")}, B: judge.Event{At: forked}}},
		{"apart",
			judge.Apart{A: judge.Event{At: l.call("inner")}, B: judge.Event{At: forked}},
			judge.Apart{A: judge.Event{At: l.store("inside")}, B: judge.Event{At: l.store("inside")}}},
		{"dominates",
			judge.Dominates{A: block("then"), B: block("end2")},
			judge.Dominates{A: l.function("branches").Blocks[0], B: block("then")}},
		{"cannot reach",
			judge.CannotReach{From: one[*ssa.BinOp](l, "then"), To: one[*ssa.BinOp](l, "loop")},
			judge.CannotReach{From: one[*ssa.BinOp](l, "then"), To: one[*ssa.BinOp](l, "else")}},
		{"dead", judge.Dead{Value: used[0], At: l.call("used")}, judge.Dead{Value: used[0], At: l.call("pair")}},
		{"once in an activation",
			judge.OnceEach{At: one[*ssa.BinOp](l, "loop")},
			judge.OnceEach{At: one[*ssa.BinOp](l, "then")}},
		{"once", judge.Once{At: l.store("inside")}, judge.Once{At: l.call("forked")}},
		{"entered once",
			judge.EnteredOnce{Function: l.function("locked")},
			judge.EnteredOnce{Function: l.function("forks")}},
		{"one goroutine",
			judge.OneGoroutine{Function: l.function("locked")},
			judge.OneGoroutine{Function: l.function("branches")}},
		{"not nil", judge.NotNil{Value: one[*ssa.UnOp](l, "nexts")}, judge.NotNil{Value: param("forks", 0)}},
		{"written once", judge.WrittenOnce{Site: l.alloc("forked")}, judge.WrittenOnce{Site: l.alloc("second object")}},
		{"joined",
			judge.Joined{Starts: []judge.Event{{At: start("fork2")}}, Wait: judge.Event{At: l.call("added")}},
			judge.Joined{Starts: []judge.Event{{At: start("fork2")}}, Wait: judge.Event{At: l.call("inner")}}},
		{"settled",
			judge.Settled{At: l.load("first"), Address: field(l.load("first").X)},
			judge.Settled{At: l.load("nexts"), Address: field(l.load("nexts").X)}},
		{"uncontended", judge.Uncontended{At: l.store("outside")}, judge.Uncontended{At: l.store("join")}},
		{"owned",
			judge.OwnedBy{Site: l.alloc("second object"), Holder: named(l.p.Main, "T")},
			judge.OwnedBy{Site: l.alloc("third object"), Holder: named(l.p.Main, "T")}},
		{"untouched",
			judge.Untouched{At: l.store("outside"), Of: anywhere, Name: "all", Writes: true},
			judge.Untouched{At: l.call("pair"), Of: anywhere, Name: "all"}},
		{"handed over",
			judge.HandedOver{Puts: []judge.Put{put("put"), put("put again")}, Takes: takes, Is: all},
			judge.HandedOver{Puts: []judge.Put{put("put"), put("put back")}, Takes: takes, Is: all}},
		{"held alone",
			judge.HeldAlone{Field: isPart(l.alloc("element"), 4)},
			judge.HeldAlone{Field: func(place execute.Place) bool {
				return place.Object().Global() == l.p.Main.Var("global")
			}}},
		{"own elements",
			judge.OwnElements{Start: event(start("common")), Of: isElement},
			judge.OwnElements{Start: event(start("own")), Of: isElement}},
		{"visited once",
			judge.VisitedOnce{At: visit("visit"), Header: loop, Is: all},
			judge.VisitedOnce{At: visit("visit2"), Header: loopAround(visit("visit2").Block()), Is: all}},
		{"bounded",
			judge.Bounded{Header: loop, Bound: ssa.NewConst(constant.MakeInt64(3), types.Typ[types.Int])},
			judge.Bounded{Header: loop, Bound: ssa.NewConst(constant.MakeInt64(4), types.Typ[types.Int])}},
		{"once for each object",
			judge.OncePer{Function: l.function("starts").AnonFuncs[2], Site: l.alloc("for each")},
			judge.OncePer{Function: l.function("starts").AnonFuncs[3], Site: l.alloc("for each")}},
		{"stays true", judge.StaysTrue{Is: isPart(flags, 1)}, judge.StaysTrue{Is: isPart(flags, 0)}},
		{"same locks",
			judge.SameLocks{From: l.load("way"), To: l.call("way3")},
			judge.SameLocks{From: l.load("way"), To: l.load("way2")}},
		{"started once",
			judge.StartedOnce{Function: l.function("locked"), Kind: func(execute.Goroutine) any { return 0 }},
			judge.StartedOnce{Function: l.function("branches"), Kind: func(execute.Goroutine) any { return 0 }}},
	} {
		t.Run(planted.name, func(t *testing.T) {
			v, err := judge.Check(l.p.Run, []judge.Fact{planted.wrong, planted.right}, judge.Small(120))
			if err != nil {
				t.Fatal(err)
			}
			expect(t, v)
		})
	}
}

// loopAround returns the header of the loop that a block is in.
func loopAround(b *ssa.BasicBlock) *ssa.BasicBlock {
	for ; b != nil; b = b.Idom() {
		if slices.ContainsFunc(b.Preds, b.Dominates) {
			return b
		}
	}
	return nil
}

func named(p *ssa.Package, name string) *types.Named { return p.Type(name).Type().(*types.Named) }

// expect requires that the first fact is refuted, and the second one was checked and is not.
func expect(t *testing.T, v *judge.Verdict) {
	t.Helper()
	refuted := map[int]bool{}
	for _, r := range v.Refuted {
		refuted[r.Number] = true
		t.Log(r)
	}
	if !refuted[0] {
		t.Error("the wrong fact is not refuted")
	}
	if refuted[1] {
		t.Error("the right one is")
	}
	if v.Checks[1] == 0 {
		t.Error("no run came to the right one")
	}
}

// TestPlantedIrrelevance is the same for claims about two runs.
func TestPlantedIrrelevance(t *testing.T) {
	l := loaded(t)
	v, err := judge.CheckRelevance(l.p.Run, []judge.Irrelevant{
		{Read: l.load("kept"), From: l.call("later")},
		{Read: l.load("look"), From: l.load("again")},
	}, judge.Attempts{Schedules: 6, Reads: 2, Values: 3})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, v)
}
