package hook

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/empire-go/empire-go/dynamic/snapshot"
)

// This file and trial_policy.go carry out experiments with objects of a library, many in one
// process: make an object, make some calls one after the other, then two calls at the same time
// by a given schedule, or one after the other; and write down what there is when everybody has
// come to rest. Each call is a goroutine under the controlled scheduler; the main goroutine, which
// is none of these, does what the monitor does in other runs.

// The descriptors on which experiments are asked for and answered.
const (
	trialInput  = 3
	trialOutput = 4
)

// openTrials begins to steer. What the program has done before, when its packages were
// initialised, is not steered.
func openTrials() *controller {
	runtime.GOMAXPROCS(1)
	s := newController(&script{mode: replayMode, timeout: trialTime})
	s.gid = currentGoroutine()
	steering, experimenting, clock.begin = s, true, time.Now()
	recording, output.closed = true, true // what is recorded goes nowhere
	return s
}

// Bounds of one experiment.
const (
	trialTime  = 2 * time.Second
	trialLines = 4000
	rootLines  = 300 // of one variable: what is larger is a table
	// waking is how long somebody who is blocked may be woken by what the scheduler does not see
	waking = 20 * time.Millisecond
)

// released is a point after a critical section or an atomic operation, in an experiment: what follows may be
// done to memory that has no points.
func (g *Goroutine) released() {
	if experimenting && !g.off && g.worker != nil {
		steering.(*controller).park(g.worker, steerPoint{op: afterPoint})
	}
}

// experimenting is set before the first experiment.
var experimenting bool

// roots are the package variables of the program under test.
var roots []snapshot.Root

// Root adds a package variable, by its address.
func Root(name string, address any) None {
	roots = append(roots, snapshot.Root{Name: name, Value: address})
	return None{}
}

// trials carries out experiments.
type trials struct {
	s             *controller
	makers, steps []reflect.Value
	before        []snapshot.Line // the variables, before the first experiment
	out           *bufio.Writer
}

// Trials carries out the experiments that are asked for, until there are no more. A maker
// returns an object, and a step takes it and returns what a call has returned.
func Trials(makers, steps []any) {
	t := &trials{s: openTrials(), out: bufio.NewWriter(os.NewFile(trialOutput, "answers"))}
	for _, f := range makers {
		t.makers = append(t.makers, reflect.ValueOf(f))
	}
	for _, f := range steps {
		t.steps = append(t.steps, reflect.ValueOf(f))
	}
	roots = slices.DeleteFunc(roots, func(r snapshot.Root) bool {
		_, whole := snapshot.Take([]snapshot.Root{r}, rootLines)
		return !whole
	})
	t.before, _ = snapshot.Take(roots, trialLines)
	in := bufio.NewScanner(os.NewFile(trialInput, "questions"))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		e, err := parseExperiment(in.Text())
		if err != nil {
			os.Stderr.WriteString("empire-go: trial: " + err.Error() + "\n")
			os.Exit(2)
		}
		t.answer(t.run(e))
	}
	os.Exit(0) // others may still be there
}

// experiment is what one line asks for: words like "make=0", see parseExperiment.
type experiment struct {
	maker    int
	start    []int // steps, one after the other; or timePasses
	calls    []int // one or two steps; none: the object is looked at as it is
	isOrder  bool  // they are made one after the other
	reversed bool  // the second one first
	late     bool  // what else they start goes on when both have returned
	segments []segment
	after    []int // steps after the calls
	seed     uint64
}

// parseExperiment reads an experiment.
func parseExperiment(line string) (*experiment, error) {
	e := &experiment{}
	for word := range strings.FieldsSeq(line) {
		key, value, _ := strings.Cut(word, "=")
		var err error
		switch key {
		case "make":
			e.maker, err = strconv.Atoi(value)
		case "start":
			e.start, err = trialNumbers(value)
		case "calls":
			e.calls, err = trialNumbers(value)
		case "order":
			e.isOrder = true
		case "reversed":
			e.reversed = true
		case "late":
			e.late = true
		case "after":
			e.after, err = trialNumbers(value)
		case "seed":
			e.seed, err = strconv.ParseUint(value, 10, 64)
		case "schedule":
			for part := range strings.SplitSeq(value, ",") {
				var s segment
				if _, err = fmt.Sscanf(part, "%dx%d", &s.call, &s.points); err != nil {
					break
				}
				e.segments = append(e.segments, s)
			}
		default:
			err = fmt.Errorf("unknown word")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
	}
	return e, nil
}

func trialNumbers(list string) ([]int, error) {
	var all []int
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// The names of the roots of a snapshot.
const (
	objectRoot = "o"
	callRoot   = "call"  // with the number of the call, from 1
	afterRoot  = "after" // likewise
)

// timePasses stands for no step, but for passingTime.
const (
	timePasses  = -1
	passingTime = 48 * time.Hour
)

// answer is what an experiment has come to.
type answer struct {
	lines   []snapshot.Line
	failed  string // why it has no outcome
	trace   []int  // the calls, in the order in which they went on
	changed bool   // variables are not what they were
}

// run carries out an experiment.
func (t *trials) run(e *experiment) (a answer) {
	t.reset(e)
	var object reflect.Value
	if len(t.makers) > 0 {
		var made *result
		if object, made = t.single(t.makers[e.maker]); made.failed() != "" {
			a.failed = "making the object " + made.failed()
			return a
		}
	}
	for _, n := range e.start {
		if n == timePasses {
			passTo(later(passingTime))
			continue
		}
		if r := t.step(n, object); r.failed() != "" {
			a.failed = "a call before " + r.failed()
			return a
		}
	}
	all, ends := make([]snapshot.Root, 0, 8), make([]snapshot.Line, 0, 2)
	results := t.calls(e, object)
	a.trace = t.policy().trace
	for i, r := range results {
		if r == nil {
			continue // the other one does not return
		}
		all, ends = r.show(callRoot+strconv.Itoa(i+1), all, ends)
		if r.endless {
			a.failed = "a call does not come to an end"
			return a
		}
	}
	for i, n := range e.after {
		all, ends = t.step(n, object).show(afterRoot+strconv.Itoa(i+1), all, ends)
	}
	if object.IsValid() {
		all = append(all, snapshot.Root{Name: objectRoot, Value: object.Interface()})
	}
	lines, whole := snapshot.Take(append(all, roots...), trialLines)
	if !whole {
		a.failed = "what the object leads to is too large"
		return a
	}
	a.lines = append(ends, lines...)
	if len(roots) > 0 {
		now, _ := snapshot.Take(roots, trialLines)
		a.changed = !slices.Equal(now, t.before)
		a.lines = slices.DeleteFunc(a.lines, func(l snapshot.Line) bool { return slices.Contains(t.before, l) })
	}
	return a
}

// reset forgets the goroutines of the experiment before: they stay where they are.
func (t *trials) reset(e *experiment) {
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.workers, s.holder, s.waiters, s.announced = nil, nil, map[*sync.Cond][]*worker{}, map[uint32]*worker{}
	s.expected.Store(0)
	s.log.points, s.log.digest, s.idleSince, s.started = 1, 0, noTime, time.Now()
	s.script.seed, s.script.limit = e.seed, trialPoints
	s.policy = &trialPolicy{s: s}
	// The clock runs at another speed each time: what depends on the time is seen to vary.
	clock.passed.Store(int64(e.seed%1000) * int64(time.Millisecond))
	clock.extra = int64(e.seed % 1000)
	clock.asked.Store(false)
	platformSeed(e.seed)
}

// trialPoints is how many points an experiment may have: calls of a library have some dozens.
const trialPoints = 20_000

func (t *trials) policy() *trialPolicy { return t.s.policy.(*trialPolicy) }

// result is what has become of a call.
type result struct {
	values   []reflect.Value
	panics   string // what it has panicked with
	returned bool
	endless  bool // it has more points than it may have
}

// failed says why there is nothing to go on with.
func (r *result) failed() string {
	switch {
	case r.panics != "":
		return r.panics
	case r.endless:
		return "does not come to an end"
	case !r.returned:
		return "blocks"
	}
	return ""
}

// show adds what a call has returned to the roots of a snapshot, or how it has ended to its lines.
func (r *result) show(name string, roots []snapshot.Root, ends []snapshot.Line) ([]snapshot.Root, []snapshot.Line) {
	switch {
	case r.panics != "":
		return roots, append(ends, snapshot.Line{Path: name, Value: r.panics})
	case !r.returned:
		return roots, append(ends, snapshot.Line{Path: name, Value: "does not return"})
	}
	for i, v := range r.values {
		roots = append(roots, snapshot.Root{Name: name + "." + strconv.Itoa(i), Value: v.Interface()})
	}
	return roots, append(ends, snapshot.Line{Path: name, Value: "returns"})
}

// single makes one call, and waits until everybody has come to rest.
func (t *trials) single(f reflect.Value, args ...reflect.Value) (reflect.Value, *result) {
	t.policy().begin(1)
	r := t.start(0, f, args...)
	t.rest(r)
	if t.policy().begin(0); len(r.values) > 0 {
		return r.values[0], r
	}
	return reflect.Value{}, r
}

func (t *trials) step(n int, object reflect.Value) *result {
	_, r := t.single(t.steps[n], t.arguments(n, object)...)
	return r
}

// arguments are those of a step: the object, or nothing where there are only variables.
func (t *trials) arguments(n int, object reflect.Value) []reflect.Value {
	if t.steps[n].Type().NumIn() == 0 {
		return nil
	}
	return []reflect.Value{object}
}

// calls makes the calls of the experiment.
func (t *trials) calls(e *experiment, object reflect.Value) []*result {
	p, results := t.policy(), make([]*result, len(e.calls))
	p.begin(len(e.calls))
	p.trace, p.segments = nil, e.segments
	begin := func(i int) { results[i] = t.start(i, t.steps[e.calls[i]], t.arguments(e.calls[i], object)...) }
	for n := range e.calls {
		i := n
		if e.reversed {
			i = len(e.calls) - 1 - n
		}
		begin(i)
		if !e.isOrder {
			continue
		}
		t.settleAll(func() bool { return e.late && p.isOver() })
		if !results[i].returned && results[i].panics == "" {
			break // it waits for the other one
		}
	}
	t.rest(results...)
	p.begin(0)
	return results
}

// start announces the goroutine of call i.
func (t *trials) start(i int, f reflect.Value, args ...reflect.Value) *result {
	s, r := t.s, &result{}
	w := s.announce(0)
	number := goroutineNumbers.Add(1)
	s.mu.Lock()
	s.announced[number] = w
	s.mu.Unlock()
	t.policy().calls[i] = w
	go func() {
		g := Child{number: number}.Begin()
		defer g.End()
		defer func() {
			if reason := recover(); !r.returned {
				r.panics = "panics: " + fmt.Sprint(reason)
			}
		}()
		r.values = f.Call(args)
		r.returned = true
	}()
	return r
}

// rest lets goroutines go on until nobody can.
func (t *trials) rest(results ...*result) {
	t.settleAll(func() bool { return false })
	for _, r := range results {
		if r == nil {
			continue
		}
		r.endless = !r.returned && r.panics == "" && t.s.log.points >= t.s.script.limit
	}
}

// settleAll lets goroutines go on until nobody can, or it is enough.
func (t *trials) settleAll(enough func() bool) {
	s := t.s
	for {
		s.settle()
		if enough() || s.log.points >= s.script.limit {
			return
		}
		if next := s.pick(); next != nil {
			s.grant(next)
			continue
		}
		if t.policy().isOver() || !t.wakes() {
			return
		}
	}
}

// wakes waits for somebody who is blocked to be woken by what the scheduler does not see.
func (t *trials) wakes() bool {
	s := t.s
	if !s.mayCome() {
		return false
	}
	before, begin := s.arrivals.Load(), time.Now()
	for time.Since(begin) < waking {
		time.Sleep(longPause)
		if s.arrivals.Load() != before {
			return true
		}
	}
	return false
}

// answer writes what an experiment has come to.
func (t *trials) answer(a answer) {
	for _, l := range a.lines {
		fmt.Fprintf(t.out, "line %q %q\n", l.Path, l.Value)
	}
	if a.failed != "" {
		fmt.Fprintf(t.out, "failed %q\n", a.failed)
	}
	t.out.WriteString("trace")
	for _, n := range a.trace {
		t.out.WriteString(" " + strconv.Itoa(n))
	}
	fmt.Fprintf(t.out, "\nend %v %d %v\n", a.changed, runtime.NumGoroutine(), clock.asked.Load())
	t.out.Flush()
}
