// Each line with a comment "fresh" or "shared" has one access to an element: a store
// through a pointer, or an update of a map. A line "written: X" or "constant: X"
// says of the type X whether its memory is written when others can reach it.
package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

var mu sync.Mutex

type element struct {
	value int
	next  *element
	list  []int
	table map[string]int
}

var shared *element
var all []*element
var byName = map[string]*element{}
var numbers []int

func main() {
	filledBeforePublished()
	filledAfter()
	inLoop()
	linkedInLoop()
	branch(len(all) > 3)
	helperFills()
	helperKeeps()
	helperKeepsOther()
	made()
	madeAndKept()
	twoResults()
	held()
	heldByEntered()
	heldByNext()
	heldAndPublished()
	heldByPublished()
	throughVariable()
	reassigned()
	captured()
	deferred()
	started()
	sent(make(chan *element, 1))
	interfaces()
	appended()
	grown()
	copies()
	printed()
	retried()
	previous()
	swapped()
	withOptions(setValue(1), setNext(nil))
	withLeakingOptions(setValue(2), leak())
	parameter(&element{})
	parameterOfTwo(&element{})
	parameterOfTwo(shared)
	aliases()
	recursive(&element{}, 3)
	snapshot()
	oneOfTwoMade()
	oneMadeBefore()
	madeInFirstRound()
	keptPastReplacement()
	oneOfTwoInVariable()
	firstRoundInVariable()
	oneBeforeInVariable()
	loadedBeforeReplaced()
	publishedInBranch(len(all) > 3)
	copiedInto()
	handedTwice()
	handedWithVariable()
	handedWithHolder()
	cloned()
	clonedShallow()
	clonedAndKept()
	clonedWithTable()
	clonedThenHanded()
	copiedAndReplaced()
	copiedByValue()
	copiedByValueShallow()
	parts()
	snapshotUnderLock()
	copyPublished()
	moduleMade()
	pairsMade()
	knotsMade()
	boxMade()
	ringsMade()
	jarMade()
	trayMade()
	bagMade()
	coinsMade()
	loopsMade()
	climb()
	climbApart()
	climbAgain(len(all))
	climbRound()
}

func filledBeforePublished() {
	e := &element{}
	e.value = 1 // fresh
	shared = e
}

func filledAfter() {
	e := &element{}
	shared = e
	e.value = 1 // shared
}

func inLoop() {
	for i := range 3 {
		e := &element{}
		e.value = i // fresh
		all = append(all, e)
	}
}

func linkedInLoop() {
	var last *element
	for range 3 {
		e := &element{}
		all = append(all, e)
		if last != nil {
			last.next = e // shared
		}
		last = e
	}
}

func branch(publish bool) {
	e := &element{}
	if publish {
		shared = e
	} else {
		e.value = 1 // fresh
	}
	e.value = 2 // shared
}

func fill(e *element) {
	e.value = 3 // fresh
}

func helperFills() {
	e := &element{}
	fill(e)
	e.value = 4 // fresh
	shared = e
}

func keep(e *element) {
	e.value = 5 // fresh
	all = append(all, e)
	e.value = 6 // shared
}

func helperKeeps() {
	e := &element{}
	keep(e)
	e.value = 7 // shared
}

func link(e, other *element) {
	shared = other
	e.value = 8 // shared
}

func helperKeepsOther() {
	e := &element{}
	link(e, e)
}

func newElement(n int) *element {
	e := &element{}
	e.value = n // fresh
	if n > 2 {
		return nil
	}
	return e
}

func made() {
	e := newElement(1)
	e.value = 9 // fresh
	shared = e
}

func newKept() *element {
	e := &element{}
	all = append(all, e)
	return e
}

func madeAndKept() {
	e := newKept()
	e.value = 10 // shared
}

func pair() (*element, *element) {
	e := &element{}
	return e, e
}

func twoResults() {
	a, b := pair()
	shared = a
	b.value = 11 // shared
}

func held() {
	inner := &element{}
	outer := &element{next: inner}
	inner.value = 12      // fresh
	outer.next.value = 13 // fresh
	shared = outer
}

func heldAndPublished() {
	inner := &element{}
	outer := &element{}
	outer.next = inner // fresh
	shared = outer.next
	inner.value = 14 // shared
}

func heldByPublished() {
	inner := &element{}
	outer := &element{}
	shared = outer
	outer.next = inner // shared
	inner.value = 15   // shared
}

func throughVariable() {
	var e *element
	p := &e
	*p = &element{}
	shared = *p
	e.value = 16 // shared
}

func reassigned() {
	e := &element{}
	if len(all) > 2 {
		e = all[0]
	}
	e.value = 17 // shared
}

func captured() {
	e := &element{}
	publish := func() { shared = e }
	publish()
	e.value = 18 // shared
}

func deferred() {
	e := &element{table: map[string]int{}}
	defer delete(e.table, "x")
	shared = e
}

func started() {
	e := &element{}
	go fillElsewhere(e)
	e.value = 19 // shared
}

func fillElsewhere(e *element) {
	e.value = 20 // shared
}

func sent(c chan *element) {
	e := &element{}
	e.value = 21 // fresh
	c <- e
	e.value = 22 // shared
}

func interfaces() {
	e := &element{}
	var x any = e
	byName["x"] = x.(*element) // shared
	e.value = 23               // shared
}

func appended() {
	e := &element{}
	list := []*element{e}
	list[0].value = 24 // shared
	e.value = 25       // fresh
	all = append(all, list...)
	e.value = 26 // shared
}

func grown() {
	list := make([]int, 0, 4)
	list = append(list, 1)
	list[0] = 2 // fresh
	numbers = list
	list[0] = 3 // shared
}

func copies() {
	list := slices.Clone(numbers)
	list[0] = 4 // fresh
	table := maps.Clone(shared.table)
	table["x"] = 5       // fresh
	shared.table = table // shared
	table["y"] = 6       // shared
}

func printed() {
	e := &element{}
	fmt.Println(e, e.value)
	e.value = 27 // fresh
}

func retried() {
	e := &element{}
	for {
		e.value++ // shared
		if len(all) > 4 {
			break
		}
		all = append(all, e)
	}
}

func previous() {
	e := &element{}
	for range 3 {
		old := e
		e = &element{}
		shared = e
		old.value = 28 // shared
	}
}

func swapped() {
	a, b := &element{}, &element{}
	for range 3 {
		a, b = b, a
		a.value = 29 // shared
		shared = b
	}
}

func parameter(e *element) {
	e.value = 30 // fresh
}

func parameterOfTwo(e *element) {
	e.value = 31 // shared
}

func setBoth(holder, e *element) {
	holder.next = e // fresh
	all = append(all, holder)
	e.value = 32 // shared
}

func aliases() {
	setBoth(&element{}, &element{})
}

func recursive(e *element, n int) {
	e.value = n // shared
	if n > 0 {
		recursive(e, n-1)
	}
}

// written: element
// constant: config
// written: broken

type config struct {
	version int
	values  map[string]string
}

var current atomic.Pointer[config]

func snapshot() {
	current.Store(&config{values: map[string]string{}})
	old := current.Load()
	next := &config{version: old.version + 1, values: maps.Clone(old.values)}
	next.values["x"] = "y" // fresh
	current.Store(next)
	b := &broken{}
	latest.Store(b)
	b.version++ // shared
}

type broken struct{ version int }

var latest atomic.Pointer[broken]

// One of two is made, in each round of a loop.

func oneOfTwoMade() {
	for i := range 3 {
		e := &element{}
		if i > 1 {
			e = newElement(i)
		}
		e.value = 40 // fresh
		shared = e
		e.value = 41 // shared
	}
}

func oneMadeBefore() {
	first := &element{}
	for i := range 3 {
		e := first
		if i > 1 {
			e = &element{}
		}
		e.value = 42 // shared
		shared = e
	}
}

func madeInFirstRound() {
	var e *element
	for i := range 3 {
		if i == 0 {
			e = &element{}
		}
		e.value = 43 // shared
		shared = e
	}
}

func keptPastReplacement() {
	for i := range 3 {
		e := &element{}
		if i > 1 {
			e = newElement(i)
		}
		old := e
		shared = e
		e = &element{}
		old.value = 45 // shared
		e.value = 46   // fresh
	}
}

var tables []*map[string]int

func oneOfTwoInVariable() {
	for i := range 3 {
		var table map[string]int
		if i == 0 {
			table = map[string]int{}
		} else {
			table = maps.Clone(*tables[0])
		}
		table["a"] = 47 // fresh
		tables = append(tables, &table)
		table["b"] = 48 // shared
	}
}

func firstRoundInVariable() {
	var table map[string]int
	for i := range 3 {
		if i == 0 {
			table = map[string]int{}
		}
		table["a"] = 49 // shared
		tables = append(tables, &table)
	}
}

func oneBeforeInVariable() {
	first := map[string]int{}
	for i := range 3 {
		table := first
		if i > 1 {
			table = make(map[string]int)
		}
		table["a"] = 50 // shared
		tables = append(tables, &table)
	}
}

func loadedBeforeReplaced() {
	for i := range 3 {
		table := map[string]int{}
		if i > 1 {
			table = make(map[string]int)
		}
		old := table
		shared = &element{table: old}
		table = map[string]int{}
		old["a"] = 51 // shared
		tables = append(tables, &table)
	}
}

func publishedInBranch(publish bool) {
	for i := range 3 {
		table := map[string]int{}
		if i > 1 {
			table = make(map[string]int)
			if publish {
				shared = &element{table: table}
			}
		}
		table["a"] = 52 // shared
		tables = append(tables, &table)
	}
}

// A map that is kept in a variable of its own is handed to helpers.

func copiedInto() {
	for range 3 {
		table := map[string]int{}
		fillTable(table, *tables[0])
		tables = append(tables, &table)
	}
}

func fillTable(to, from map[string]int) {
	for k := range from {
		to[k] = 53 // fresh
	}
}

func handedTwice() {
	table := map[string]int{}
	keepAndFill(table, table)
	tables = append(tables, &table)
}

func keepAndFill(to, kept map[string]int) {
	shared = &element{table: kept}
	to["a"] = 54 // shared
}

func handedWithVariable() {
	table := map[string]int{}
	keepVariable(table, &table)
}

func keepVariable(to map[string]int, variable *map[string]int) {
	tables = append(tables, variable)
	to["a"] = 55 // shared
}

func handedWithHolder() {
	table := map[string]int{}
	e := &element{table: table}
	holder := &element{next: e}
	keepHolder(table, holder.next)
	tables = append(tables, &table)
}

func keepHolder(to map[string]int, holder *element) {
	shared = holder
	to["a"] = 56 // shared
}

// What a clone holds is made with it.

func (e *element) clone() *element {
	c := *e
	c.table = maps.Clone(e.table)
	c.list = append([]int(nil), e.list...)
	return &c
}

func cloned() {
	c := shared.clone()
	c.table["a"] = 57 // fresh
	c.list[0] = 58    // fresh
	c.list = append(c.list, 1)
	c.next.value = 59 // shared
	shared = c
	c.table["a"] = 60 // shared
}

func (e *element) shallow() *element {
	c := *e
	c.value++
	return &c
}

func clonedShallow() {
	c := shared.shallow()
	c.value = 61      // fresh
	c.table["a"] = 62 // shared
	c.table = map[string]int{}
	c.table["a"] = 63 // fresh
	shared = c
}

func (e *element) kept() *element {
	c := &element{table: map[string]int{}}
	tables = append(tables, &c.table)
	shared.table = c.table
	return c
}

func clonedAndKept() {
	c := shared.kept()
	c.table["a"] = 64 // shared
}

func (e *element) withTable() (*element, map[string]int) {
	c := &element{table: map[string]int{}}
	return c, c.table
}

func clonedWithTable() {
	c, table := shared.withTable()
	shared.table = table
	c.table["a"] = 65 // shared
}

func (e *element) replaceTable() { e.table = shared.table }

func clonedThenHanded() {
	c := shared.clone()
	c.replaceTable()
	c.table["a"] = 66 // shared
	d := shared.clone()
	table := d.table
	tables = append(tables, &table)
	d.table["a"] = 67 // shared
}

// A struct is copied, changed, and stored back.

func copiedAndReplaced() {
	c := *shared
	c.list = append([]int(nil), c.list...)
	c.list[0] = 68    // fresh
	c.table["a"] = 69 // shared
	*shared = c
	c.list[0] = 70 // shared
}

func (e *element) copied() element {
	c := *e
	c.list = append([]int(nil), e.list...)
	return c
}

func copiedByValue() {
	c := shared.copied()
	c.list[0] = 71    // fresh
	c.table["a"] = 72 // shared
	*shared = c
	c.list[0] = 73 // shared
}

func (e *element) shallowCopy() element {
	c := *e
	c.value++
	return c
}

func copiedByValueShallow() {
	c := shared.shallowCopy()
	c.list[0] = 74 // shared
}

// Two fields of one struct are told apart.

func (e *element) half() element {
	c := *e
	c.list = make([]int, 1)
	return c
}

func parts() {
	c := shared.half()
	table := c.table
	if len(all) > 3 {
		table = map[string]int{}
	}
	table["a"] = 75 // shared
	c.list[0] = 76  // fresh
}

// A struct goes through the variable of a result.

func (e *element) locked() element {
	mu.Lock()
	defer mu.Unlock()
	c := *e
	c.list = append([]int(nil), e.list...)
	return c
}

func snapshotUnderLock() {
	c := shared.locked()
	c.list[0] = 77 // fresh
	keepCopy(c)
	c.list[0] = 78 // shared
}

func keepCopy(c element) { all = append(all, &c) }

func (e *element) published() element {
	c := *e
	c.list = make([]int, 1)
	d := c
	tables = append(tables, &d.table)
	keepCopy(d)
	return c
}

func copyPublished() {
	c := shared.published()
	c.list[0] = 79 // shared
	d := shared.locked()
	other := d
	other.list[0] = 80 // fresh
	list := other.list
	other.next = &element{list: list}
	all = append(all, other.next)
	d.list[0] = 81 // shared
}

// heldByEntered stores what it makes in what others can reach already: they have it at once.
func heldByEntered() {
	holder := &element{}
	byName["held"] = holder
	e := &element{}
	e.value = 157 // fresh
	holder.next = e
	e.value = 158 // shared
}

// heldByNext stores it in a new one each time, that nobody has yet.
func heldByNext() {
	for range 3 {
		holder := &element{}
		e := &element{}
		holder.next = e
		e.value = 159 // fresh
		byName["next"] = holder
	}
}

// Options are applied to what is being made: none of those that there are keeps it.

type option func(*element)

func setValue(n int) option {
	return func(e *element) {
		e.value = n // fresh
	}
}

func setNext(next *element) option {
	return func(e *element) {
		mu.Lock()
		defer e.unlock()
		e.next = next // fresh
	}
}

func (e *element) unlock() { mu.Unlock() }

func withOptions(options ...option) {
	e := &element{}
	for _, set := range options {
		set(e)
	}
	e.value = 81 // fresh
	shared = e
}

// One of them does.

type leakingOption func(*element)

func leak() leakingOption {
	return func(e *element) { shared = e }
}

func withLeakingOptions(first option, options ...leakingOption) {
	e := &element{}
	first(e)
	e.value = 82 // fresh
	for _, set := range options {
		set(e)
	}
	e.value = 83 // shared
}

// What only fresh memory holds is fresh, whoever fills it.

type names struct{ all []string }

type module struct {
	id      string
	names   *names
	exports map[string]*export
	list    []export
	counts  *int
}

type export struct{ name string }

var modules []*module

func moduleMade() {
	m := &module{names: &names{}, counts: new(int)}
	m.exports = map[string]*export{}
	fillModule(m)
	m.names.all[0] = "b" // fresh
	modules = append(modules, m)
	m.names.all[0] = "c" // shared
}

func fillModule(m *module) {
	m.names.all = make([]string, 3)
	m.names.all[0] = "a" // fresh
	m.list = make([]export, 1)
	m.list[0].name = "x"        // fresh
	m.exports["x"] = &m.list[0] // fresh
	m.exports["x"].name = "y"   // shared
	*m.counts = 3               // fresh
}

type couple struct {
	left  *leaf
	right *leaf
}

type leaf struct{ n int }

var leaves *leaf

// The leaf is in two pairs.
func pairsMade() {
	l := &leaf{}
	a, b := &couple{left: l}, &couple{left: l}
	setLeft(a)
	pairs = append(pairs, b)
	setLeft(a)
}

func setLeft(p *couple) {
	p.left.n = 1 // shared
}

var pairs []*couple

type knot struct{ tip *tip }

type tip struct{ n int }

// A tip is handed from one knot to another.
func knotsMade() {
	a := &knot{tip: &tip{}}
	b := &knot{}
	b.tip = a.tip
	knots = append(knots, b)
	setTip(a)
}

func setTip(k *knot) {
	k.tip.n = 1 // shared
}

var knots []*knot

type box struct{ lid *lid }

type lid struct{ n int }

// A goroutine has the lid.
func boxMade() {
	b := &box{lid: &lid{}}
	go turn(b.lid)
	setLid(b)
}

func turn(l *lid) { l.n = 2 } // shared

func setLid(b *box) {
	b.lid.n = 1 // shared
}

type ring struct{ bell *bell }

type bell struct{ n int }

// The bell of one round is in the ring of the next one, too.
func ringsMade() {
	var last *bell
	for range 3 {
		r := &ring{bell: last}
		if last == nil {
			r.bell = &bell{}
		}
		setBell(r)
		last = r.bell
		rings = append(rings, r)
	}
}

func setBell(r *ring) {
	r.bell.n = 1 // shared
}

var rings []*ring

type jar struct{ cap *cap1 }

type cap1 struct{ n int }

// The cap is what a variable holds that a goroutine has captured.
func jarMade() {
	c := &cap1{}
	j := &jar{}
	j.cap = c
	done := make(chan int)
	go func() {
		c.n = 2 // shared
		close(done)
	}()
	setCap(j)
	<-done
}

func setCap(j *jar) {
	j.cap.n = 1 // shared
}

type tray struct{ cups []*cup }

type cup struct{ n int }

var firstCup *cup

// Elements are in other slices, too.
func trayMade() {
	t := &tray{}
	t.cups = append(t.cups, &cup{})
	firstCup = t.cups[0]
	setCup(t)
}

func setCup(t *tray) {
	t.cups[0].n = 1 // shared
	t.cups[0] = nil // fresh
}

type bag struct{ coins map[string]int }

var anything any

// A copy of the bag has the same coins.
func bagMade() {
	b := &bag{}
	b.coins = map[string]int{}
	anything = *b
	setCoins(b)
}

func setCoins(b *bag) {
	b.coins["a"] = 1 // shared
}

type chest struct{ n int }

func (c *chest) init() *chest {
	c.n = 0 // shared
	return c
}

func newChest() *chest { return new(chest).init() }

func (c *chest) kept() *chest {
	chests = append(chests, c)
	return c
}

var chests []*chest

// What a method returns is its receiver.
func coinsMade() {
	c := newChest()
	c.n = 1 // fresh
	d := new(chest).kept()
	d.n = 2 // shared
	e := newChest()
	f := e.init()
	chests = append(chests, f)
	e.n = 3 // shared
	chests[0].init()
}

type loop struct {
	next *loop
	n    int
}

func (l *loop) init() *loop {
	l.next = l
	return l
}

func (l *loop) close() { l.next = l }

var loops []*loop

// What holds its own address gets out by what is loaded from there.
func loopsMade() {
	a := new(loop).init()
	a.n = 1 // fresh
	loops = append(loops, a.next)
	a.n = 2 // shared
	b := new(loop)
	b.close()
	b.n = 3 // fresh
	loops = append(loops, b.next)
	b.n = 4 // shared
	c := &loop{}
	c.next = c
	c.n = 5 // fresh
	loops = append(loops, c.next)
	c.n = 6 // shared
	d := new(loop)
	closeTwice(d)
	publishNext(d)
	d.n = 7 // shared
}

func closeTwice(l *loop) {
	l.close()
	l.close()
}

func publishNext(l *loop) { loops = append(loops, l.next) }

// step is held by the next one, twice.
type step struct {
	left, right *step
	n           int
}

var top *step

// What is held by something that is held, and so on, in two places each, is asked about once for each, not once for
// each way there.
func climb() {
	s0 := &step{}
	s1 := &step{left: s0, right: s0}
	s2 := &step{left: s1, right: s1}
	s3 := &step{left: s2, right: s2}
	s4 := &step{left: s3, right: s3}
	s5 := &step{left: s4, right: s4}
	s6 := &step{left: s5, right: s5}
	s7 := &step{left: s6, right: s6}
	s8 := &step{left: s7, right: s7}
	s9 := &step{left: s8, right: s8}
	s10 := &step{left: s9, right: s9}
	s11 := &step{left: s10, right: s10}
	s12 := &step{left: s11, right: s11}
	s13 := &step{left: s12, right: s12}
	s14 := &step{left: s13, right: s13}
	s15 := &step{left: s14, right: s14}
	s16 := &step{left: s15, right: s15}
	s17 := &step{left: s16, right: s16}
	s18 := &step{left: s17, right: s17}
	s19 := &step{left: s18, right: s18}
	s20 := &step{left: s19, right: s19}
	s21 := &step{left: s20, right: s20}
	s22 := &step{left: s21, right: s21}
	s23 := &step{left: s22, right: s22}
	s24 := &step{left: s23, right: s23}
	s25 := &step{left: s24, right: s24}
	s26 := &step{left: s25, right: s25}
	s27 := &step{left: s26, right: s26}
	s28 := &step{left: s27, right: s27}
	s29 := &step{left: s28, right: s28}
	s30 := &step{left: s29, right: s29}
	s31 := &step{left: s30, right: s30}
	s32 := &step{left: s31, right: s31}
	s33 := &step{left: s32, right: s32}
	s34 := &step{left: s33, right: s33}
	s35 := &step{left: s34, right: s34}
	s36 := &step{left: s35, right: s35}
	s37 := &step{left: s36, right: s36}
	s38 := &step{left: s37, right: s37}
	s39 := &step{left: s38, right: s38}
	s40 := &step{left: s39, right: s39}
	s0.n = 1 // fresh
	top = s40
	s0.n = 2 // shared
}

// A step in between that is handed on has all below it, and nothing above it.
func climbApart() {
	low := &step{}
	middle := &step{left: low, right: low}
	high := &step{left: middle, right: middle}
	high.n = 1 // fresh
	top = middle
	low.n = 2  // shared
	high.n = 3 // fresh
	top = high
	high.n = 4 // shared
}

// What is stored in memory that got out before, and was not made anew since, is out at once.
func climbAgain(n int) {
	for range n {
		high := &step{}
		for range n {
			low := &step{}
			low.n = 1 // fresh
			high.left = low
			low.n = 2 // shared
			top = high
		}
	}
}

// In a ring each leads to all others, in very many ways.
func climbRound() {
	s0 := &step{}
	s1 := &step{}
	s2 := &step{}
	s3 := &step{}
	s4 := &step{}
	s5 := &step{}
	s6 := &step{}
	s7 := &step{}
	s8 := &step{}
	s9 := &step{}
	s10 := &step{}
	s11 := &step{}
	s12 := &step{}
	s13 := &step{}
	s14 := &step{}
	s15 := &step{}
	s16 := &step{}
	s17 := &step{}
	s18 := &step{}
	s19 := &step{}
	s20 := &step{}
	s21 := &step{}
	s22 := &step{}
	s23 := &step{}
	s24 := &step{}
	s25 := &step{}
	s26 := &step{}
	s27 := &step{}
	s28 := &step{}
	s29 := &step{}
	s30 := &step{}
	s31 := &step{}
	s32 := &step{}
	s33 := &step{}
	s34 := &step{}
	s35 := &step{}
	s36 := &step{}
	s37 := &step{}
	s38 := &step{}
	s39 := &step{}
	s40 := &step{}
	s41 := &step{}
	s42 := &step{}
	s43 := &step{}
	s44 := &step{}
	s45 := &step{}
	s46 := &step{}
	s47 := &step{}
	s48 := &step{}
	s49 := &step{}
	s50 := &step{}
	s51 := &step{}
	s52 := &step{}
	s53 := &step{}
	s54 := &step{}
	s55 := &step{}
	s56 := &step{}
	s57 := &step{}
	s58 := &step{}
	s59 := &step{}
	s0.left, s0.right = s1, s2
	s1.left, s1.right = s2, s3
	s2.left, s2.right = s3, s4
	s3.left, s3.right = s4, s5
	s4.left, s4.right = s5, s6
	s5.left, s5.right = s6, s7
	s6.left, s6.right = s7, s8
	s7.left, s7.right = s8, s9
	s8.left, s8.right = s9, s10
	s9.left, s9.right = s10, s11
	s10.left, s10.right = s11, s12
	s11.left, s11.right = s12, s13
	s12.left, s12.right = s13, s14
	s13.left, s13.right = s14, s15
	s14.left, s14.right = s15, s16
	s15.left, s15.right = s16, s17
	s16.left, s16.right = s17, s18
	s17.left, s17.right = s18, s19
	s18.left, s18.right = s19, s20
	s19.left, s19.right = s20, s21
	s20.left, s20.right = s21, s22
	s21.left, s21.right = s22, s23
	s22.left, s22.right = s23, s24
	s23.left, s23.right = s24, s25
	s24.left, s24.right = s25, s26
	s25.left, s25.right = s26, s27
	s26.left, s26.right = s27, s28
	s27.left, s27.right = s28, s29
	s28.left, s28.right = s29, s30
	s29.left, s29.right = s30, s31
	s30.left, s30.right = s31, s32
	s31.left, s31.right = s32, s33
	s32.left, s32.right = s33, s34
	s33.left, s33.right = s34, s35
	s34.left, s34.right = s35, s36
	s35.left, s35.right = s36, s37
	s36.left, s36.right = s37, s38
	s37.left, s37.right = s38, s39
	s38.left, s38.right = s39, s40
	s39.left, s39.right = s40, s41
	s40.left, s40.right = s41, s42
	s41.left, s41.right = s42, s43
	s42.left, s42.right = s43, s44
	s43.left, s43.right = s44, s45
	s44.left, s44.right = s45, s46
	s45.left, s45.right = s46, s47
	s46.left, s46.right = s47, s48
	s47.left, s47.right = s48, s49
	s48.left, s48.right = s49, s50
	s49.left, s49.right = s50, s51
	s50.left, s50.right = s51, s52
	s51.left, s51.right = s52, s53
	s52.left, s52.right = s53, s54
	s53.left, s53.right = s54, s55
	s54.left, s54.right = s55, s56
	s55.left, s55.right = s56, s57
	s56.left, s56.right = s57, s58
	s57.left, s57.right = s58, s59
	s58.left, s58.right = s59, s0
	s59.left, s59.right = s0, s1
	s0.n = 1 // fresh
	top = s30
	s0.n = 2 // shared
}
