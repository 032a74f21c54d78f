package blocking

import (
	"cmp"
	"fmt"
	"go/types"
	"iter"
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
	number    uint32 // the same, as a number
	name      string // as the source has it
	pos       esl.Pos
	made      ssa.Instruction   // what makes it; nil: nothing does
	capacity  int               // of a channel; -1: it is not known
	element   int               // of a channel: the type of what is sent on it, see footprints.number
	isMany    bool              // it stands for many objects
	isTimer   bool              // a channel that gets a value when time has passed
	isOnce    bool              // it gets one
	parents   []*object         // of a context: those with which it ends
	isTimed   bool              // it may end by itself
	isOver    bool              // a context that is never done
	isGlobal  bool              // a package variable that is followed
	isForeign bool              // one that is not, or that may be anything at any time
	paths     map[string]uint32 // the numbers of the paths of its cells
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

// The number of an object is the first half of those of its cells.
const (
	halfKey = 32
	anyPath = 1<<halfKey - 1
)

// key numbers a cell.
func (c cell) key() uint64 {
	n, ok := c.of.paths[c.path]
	if !ok {
		if c.of.paths == nil {
			c.of.paths = map[string]uint32{}
		}
		n = uint32(len(c.of.paths))
		c.of.paths[c.path] = n
	}
	return c.of.cells() | uint64(n)
}

// cells returns what the numbers of the cells of an object begin with.
func (o *object) cells() uint64 { return uint64(o.number) << halfKey }

// stored is what is in a cell.
type stored struct {
	at    cell
	value value
}

// activation is a call of a function. States share it until it goes on in one of them.
type activation struct {
	fn      *ssa.Function
	name    string // of the function
	block   *ssa.BasicBlock
	at      int
	isAgain bool // it has come to the block along a back edge: to the head of a loop, once more
	regs    map[ssa.Value]value
	defers  []deferred
	result  ssa.Value       // of the caller, for what is returned; nil if nobody wants that
	guessed bool            // a branch of it was a guess
	assumed *ssa.BasicBlock // of an operation that was taken to be done: see lowerer.take
	after   []esl.Stmt
	once    *atOnce // it is the function of a goroutine that is run at once; nil: it is not

	isShared bool
	known    []ssa.Value // see lowerer.order; nil: it has gone on since
	text     string      // see key; "": it has gone on since
}

// deferred is a call that is yet to be made.
type deferred struct {
	at   ssa.CallInstruction
	fn   value
	args []value
}

// state is the state of a goroutine that is evaluated. Its memory is a tree that states share: most of them differ in
// few of the cells that there are.
type state struct {
	stack   []*activation
	store   *tree[stored] // by the numbers of cells
	lasting *lasting
	made    *tree[*object] // what it has made itself, and more on other ways, if it has been joined
	counts  *tree[int]     // how often something was made or started, by what learned.countOf numbers
	started []int          // the processes that were started, ascending
	ended   bool           // the program is
}

func newState() *state { return &state{lasting: &lasting{}} }

// top returns the activation that goes on.
func (s *state) top() *activation { return s.own(len(s.stack) - 1) }

// own returns an activation that may be changed.
func (s *state) own(i int) *activation {
	a := s.stack[i]
	if a.isShared {
		b := *a
		b.isShared = false
		b.regs, b.defers = maps.Clone(a.regs), slices.Clone(a.defers)
		a = &b
		s.stack[i] = a
	}
	a.known, a.text = nil, ""
	return a
}

func (s *state) clone() *state {
	t := *s
	t.started, t.stack = slices.Clone(s.started), slices.Clone(s.stack)
	for _, a := range s.stack {
		a.isShared = true
	}
	return &t
}

// get returns what is in a cell; ok is false if nothing was stored there.
func (s *state) get(c cell) (v value, ok bool) {
	in, ok := s.store.at(c.key())
	return in.value, ok
}

func (s *state) put(c cell, v value) { s.store = s.store.with(c.key(), stored{c, v}) }

func (s *state) remove(c cell) { s.store = s.store.without(c.key(), 0) }

// contents yields the cells of an object to which something was stored, and what is in them, as it is now.
func (s *state) contents(o *object) iter.Seq2[cell, value] {
	in := s.store.within(o.cells(), anyPath)
	return func(yield func(cell, value) bool) {
		in.each(func(_ uint64, x stored) bool { return yield(x.at, x.value) })
	}
}

// set sets a register.
func (s *state) set(r ssa.Value, v value) {
	if r != nil {
		s.top().regs[r] = v
	}
}

// key returns a text that is the same for equal states only; dead registers have been dropped.
func (l *lowerer) key(s *state) string {
	var b strings.Builder
	for _, a := range s.stack {
		if a.text == "" {
			a.text = a.describe(l.order(a))
		}
		b.WriteString(a.text)
	}
	fmt.Fprint(&b, l.known.memories.of(s.store), " ", l.known.tallies.of(s.counts), s.started)
	return b.String()
}

// describe returns a text that is the same for equal activations only, given the registers of which something is known.
func (a *activation) describe(known []ssa.Value) string {
	var b strings.Builder
	b.WriteString(a.name)
	b.WriteString(" " + strconv.Itoa(a.block.Index) + "." + strconv.Itoa(a.at))
	if a.guessed {
		b.WriteString("?")
	}
	if a.assumed != nil {
		b.WriteString("!" + strconv.Itoa(a.assumed.Index))
	}
	if a.result != nil {
		b.WriteString("=" + a.result.Name())
	}
	if a.once != nil {
		b.WriteString("@")
	}
	a.writeAfter(&b)
	for _, r := range known {
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
	return b.String()
}

// writeAfter writes what is done when the activation returns.
func (a *activation) writeAfter(b *strings.Builder) {
	for _, stmt := range a.after {
		fmt.Fprintf(b, " then %d %d %d", stmt.Op, stmt.Arg, stmt.Value)
	}
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
