package blocking

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// object is what one allocation makes: memory, a channel, a map, a context.
type object struct {
	key       string // the same in each round of evaluation
	id        string // a short one
	name      string // as the source has it
	pos       esl.Pos
	capacity  int       // of a channel; -1: it is not known
	isMany    bool      // it stands for many objects
	isTimer   bool      // a channel that gets a value when time has passed
	parents   []*object // of a context: those with which it ends
	isTimed   bool      // it may end by itself
	isOver    bool      // a context that is never done
	isGlobal  bool      // a package variable that is followed
	isForeign bool      // one that is not, or that may be anything at any time
}

// cell is a place in the memory of an object.
type cell struct {
	of   *object
	path string
}

// before orders cells.
func (c cell) before(d cell) int {
	return cmp.Or(strings.Compare(c.of.id, d.of.id), strings.Compare(c.path, d.path))
}

// activation is a call of a function.
type activation struct {
	fn      *ssa.Function
	name    string // of the function
	block   *ssa.BasicBlock
	at      int
	regs    map[ssa.Value]value
	defers  []deferred
	result  ssa.Value // of the caller, for what is returned; nil if nobody wants that
	guessed bool      // a branch of it was a guess
	after   []esl.Stmt
}

// deferred is a call that is yet to be made.
type deferred struct {
	at   ssa.CallInstruction
	fn   value
	args []value
}

// state is the state of a goroutine that is evaluated.
type state struct {
	stack   []*activation
	store   map[cell]value
	made    map[*object]bool // what it has made itself, of all that anything leads to
	counts  map[string]int   // how often something was made or started
	started []int            // the processes that were started, ascending
	ended   bool             // the program is
}

func newState() *state {
	return &state{store: map[cell]value{}, made: map[*object]bool{}, counts: map[string]int{}}
}

func (s *state) top() *activation { return s.stack[len(s.stack)-1] }

func (s *state) clone() *state {
	t := &state{store: maps.Clone(s.store), made: maps.Clone(s.made), counts: maps.Clone(s.counts),
		started: slices.Clone(s.started), ended: s.ended}
	for _, a := range s.stack {
		b := *a
		b.regs = maps.Clone(a.regs)
		b.defers = slices.Clone(a.defers)
		t.stack = append(t.stack, &b)
	}
	return t
}

// set sets a register.
func (s *state) set(r ssa.Value, v value) {
	if r != nil {
		s.top().regs[r] = v
	}
}

// reach is objects that are led to, and those of them that are yet to be looked at.
type reach struct {
	seen  map[*object]bool
	queue []*object
}

func newReach() *reach { return &reach{seen: map[*object]bool{}} }

func (r *reach) add(o *object) {
	if !r.seen[o] {
		r.seen[o] = true
		r.queue = append(r.queue, o)
	}
}

// addStored adds what the memory of an object leads to.
func (r *reach) addStored(s *state, o *object) {
	for c, x := range s.store {
		if c.of == o {
			each(x, r.add)
		}
	}
}

// next returns the next object that is to be looked at; nil if there is none.
func (r *reach) next() *object {
	if len(r.queue) == 0 {
		return nil
	}
	o := r.queue[0]
	r.queue = r.queue[1:]
	return o
}

// reached returns the objects that live registers, deferred calls and package variables lead to,
// and those that others may know.
func (s *state) reached(live func(*activation) []ssa.Value, escaped map[*object]bool) map[*object]bool {
	led := newReach()
	for _, a := range s.stack {
		for _, r := range live(a) {
			each(a.regs[r], led.add)
		}
		for _, d := range a.defers {
			each(d.fn, led.add)
			for _, v := range d.args {
				each(v, led.add)
			}
		}
	}
	cells := map[*object][]cell{}
	for c := range s.store {
		cells[c.of] = append(cells[c.of], c)
		if c.of.isGlobal || escaped[c.of] {
			led.add(c.of)
		}
	}
	for o := led.next(); o != nil; o = led.next() {
		for _, c := range cells[o] {
			each(s.store[c], led.add)
		}
		for _, parent := range o.parents {
			led.add(parent)
		}
	}
	return led.seen
}

// key returns a text that is the same for equal states only; dead registers have been dropped.
func (s *state) key(order func(*activation) []ssa.Value) string {
	var b strings.Builder
	for _, a := range s.stack {
		b.WriteString(a.name)
		b.WriteString(" " + strconv.Itoa(a.block.Index) + "." + strconv.Itoa(a.at))
		if a.guessed {
			b.WriteString("?")
		}
		if a.result != nil {
			b.WriteString("=" + a.result.Name())
		}
		a.writeAfter(&b)
		for _, r := range order(a) {
			b.WriteString(" " + r.Name() + "=")
			writeValue(&b, a.regs[r])
		}
		for _, d := range a.defers {
			b.WriteString(" defer ")
			writeValue(&b, d.fn)
			for _, v := range d.args {
				writeValue(&b, v)
			}
		}
		b.WriteString("\n")
	}
	for _, c := range s.cells() {
		b.WriteString(c.of.id + "." + c.path + "=")
		writeValue(&b, s.store[c])
	}
	for _, k := range slices.Sorted(maps.Keys(s.counts)) {
		b.WriteString("\n" + k + " " + strconv.Itoa(s.counts[k]))
	}
	for _, p := range s.started {
		b.WriteString(" " + strconv.Itoa(p))
	}
	return b.String()
}

// writeAfter writes what is done when the activation returns.
func (a *activation) writeAfter(b *strings.Builder) {
	for _, stmt := range a.after {
		fmt.Fprintf(b, " then %d %d %d", stmt.Op, stmt.Arg, stmt.Value)
	}
}

// cells returns the cells of the store, in a fixed order.
func (s *state) cells() []cell {
	return slices.SortedFunc(maps.Keys(s.store), cell.before)
}

// join puts a field behind a path.
func join(path, field string) string {
	if path == "" {
		return field
	}
	if strings.HasPrefix(field, "[") {
		return path + field
	}
	return path + "." + field
}

// fieldName returns the name of a field of the struct that a type is, or points to.
func fieldName(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		return s.Field(i).Name()
	}
	return strconv.Itoa(i)
}
