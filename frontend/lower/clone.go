package lower

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/segments"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
	"github.com/empire-go/empire-go/frontend/units"
	"github.com/empire-go/empire-go/limit"
)

// cloneKey says for which use a function is lowered.
type cloneKey struct {
	node    *pointsto.Node
	args    tag.Tag // tuple: of the parameters, then of the captured variables
	makes   int     // a constructor: the star that it is to make, else -1
	wanted  bool    // whether want matters
	want    tag.Tag // tuple: of the results; a path that returns something else is no path of this clone
	private uint    // the stars that are private on entry
	fresh   uint64  // the parameters whose memory nobody else has yet on entry, as bits
	look    string  // the key of all that it reads, for a caller that may forget it
	root    bool    // a goroutine begins here, with no unit open

	exit     exitKind // how it is left; other ways are no paths of this clone
	deferred bool     // a panic runs it
	pushes   uint32   // the deferred calls that it leaves for its callers: see leftBehind
}

// clone is a function in one use: a control-flow graph of segments, the first of
// which is its entry.
type clone struct {
	cloneKey
	index      int
	name       string // unique, in the model
	goName     string
	fn         *function
	segments   []*segment
	bySegment  map[string]int
	statesAt   map[place]int // how many segments begin at an instruction
	units      []units.Frame // opened on entry, in order
	touched    uint          // stars accessed by its own instructions
	recovers   bool          // a deferred call may recover
	privateOut uint          // stars that are private wherever it returns
	replaced   uint64        // locations whose contents are replaced wherever it returns
	learned    learned       // nil until a way to return is found
	built      bool
	stays      bool                // it is built, and never returns
	relevance  *relevance.Function // nil: every read counts
	idleLoops  int                 // how many loops have a bit in state.idle
	recursive  bool                // it calls what is not built yet
	frames     []units.Frame       // units, before idle ones were dropped
}

// segment is a straight piece of a clone.
type segment struct {
	segments.Segment

	block *ssa.BasicBlock
	instr int
	state state

	unwinds bool // it runs the deferred calls because of a panic
	calm    bool // a panic of the first instruction is modelled before it
	ending  *ending
}

// outcome is one way in which an instruction can go.
type outcome struct {
	stmts []esl.Stmt
	state state
}

// clone returns the lowered function for a key. A clone that is being built
// (recursion) is returned as it is; its privateOut is then 0.
func (l *lowerer) clone(key cloneKey) *clone {
	if l.isCoarse(key.node) {
		key = key.coarse()
	}
	if c, ok := l.clones[key]; ok {
		return c
	}
	fn := key.node.Func
	c := &clone{cloneKey: key, index: len(l.order), goName: fn.String(), fn: l.function(fn), bySegment: map[string]int{},
		statesAt: map[place]int{}}
	if l.Kept.LeavesOrder(key.node) {
		l.standsFor(c, key.node)
	}
	c.name = l.cloneName(c)
	l.clones[key] = c
	l.order = append(l.order, c)
	if like := l.families[key.family()]; like != nil && like.built && !like.recursive {
		l.buildLike(c, like)
	} else {
		l.build(c)
	}
	c.stays = c.built && !slices.ContainsFunc(c.segments, func(s *segment) bool { return s.End == segments.Return })
	return c
}

// cloneName returns a unique name that says what the clone is for.
func (l *lowerer) cloneName(c *clone) string {
	var notes []string
	star := func(k int) string { return l.Stars.Stars[k].Name }
	for i, g := range l.tags.Parts(c.args) {
		if g.Kind != tag.None && g.Kind != tag.Foreign {
			notes = append(notes, fmt.Sprintf("%s=%s", c.inputName(i), l.tags.String(g, star)))
		}
	}
	if c.makes >= 0 {
		notes = append(notes, "makes "+star(c.makes))
	}
	switch c.exit {
	case exitPanic:
		notes = append(notes, "panics")
	case exitGone:
		notes = append(notes, "ends the goroutine")
	}
	name := c.goName
	if len(notes) > 0 {
		name += " [" + strings.Join(notes, ", ") + "]"
	}
	return l.uniqueName(name)
}

// uniqueName returns the name, with a number if another clone has it.
func (l *lowerer) uniqueName(base string) string {
	name := base
	for i := 2; l.names[name]; i++ {
		name = fmt.Sprintf("%s #%d", base, i)
	}
	l.names[name] = true
	return name
}

// inputName returns the name of parameter or captured variable i.
func (c *clone) inputName(i int) string {
	fn := c.fn.Func
	if i < len(fn.Params) {
		return fn.Params[i].Name()
	}
	return fn.FreeVars[i-len(fn.Params)].Name()
}

// build lowers the body of c.
func (l *lowerer) build(c *clone) {
	fn := c.fn.Func
	if len(fn.Blocks) == 0 {
		c.segments = []*segment{{Segment: segments.Segment{End: segments.Return}}}
		c.privateOut, c.replaced, c.built = 0, 0, true
		return
	}
	if l.isCoarse(c.node) {
		l.buildCoarse(c)
		return
	}
	c.privateOut, c.replaced = 0, ^uint64(0)
	if l.dispatch(c) {
		return
	}
	s := state{private: c.private}
	for i, v := range ssaflow.Inputs(c.fn.Func) {
		s = s.with(v, l.tags.Part(c.args, i))
	}
	c.recovers = l.Recovers(c.node)
	if c.look == "" && (!c.followsPanics() || l.panicEndsUnit(c)) {
		c.relevance = l.reads.RelevanceOf(c.node)
	}
	entry := &segment{}
	c.segments = []*segment{entry}
	c.units = l.unitsOf(c, s)
	for _, u := range c.units {
		if !u.Direct {
			entry.Stmts = append(entry.Stmts, u.Begin())
		}
	}
	l.continueWith(c, entry, fn.Blocks[0], 0, []outcome{{nil, s}})
	for i := 0; i < len(c.segments); i++ {
		switch seg := c.segments[i]; {
		case seg.block != nil:
			l.run(c, seg)
		case seg.unwinds:
			l.unwind(c, seg)
		}
		if l.err != nil {
			return
		}
	}
	c.frames = c.units
	if c.exit != exitPanic {
		l.families[c.family()] = c
	}
	l.end(c)
}

// maxDispatch bounds the uses that one use of a function is split into.
const maxDispatch = 256

// dispatch handles a clone whose caller knew nothing of an input that may be a
// star: it only calls the clones for each thing that the input can be, and reports
// whether it did so.
func (l *lowerer) dispatch(c *clone) bool {
	uses := [][]tag.Tag{nil}
	unknown := false
	for i, v := range ssaflow.Inputs(c.fn.Func) {
		options := []tag.Tag{l.tags.Part(c.args, i)}
		if !options[0].IsDefinite() {
			options = l.choices.UnknownInput(c.node, v)
			unknown = unknown || len(options) > 1 || options[0].IsDefinite()
		}
		if uses = tag.Combine(uses, options); len(uses) > maxDispatch {
			l.err = ErrTooLarge
			return true
		}
	}
	if !unknown {
		return false
	}
	entry := &segment{}
	c.segments = []*segment{entry}
	out := ^uint(0)
	for _, use := range uses {
		key := c.cloneKey
		key.args = l.tags.Compose(tag.Tuple, use)
		target := l.clone(key)
		if l.err != nil {
			return true
		}
		if target.built {
			out &= target.privateOut
			c.replaced &= target.replaced
		} else {
			out, c.replaced = 0, 0
		}
		entry.Next = append(entry.Next, len(c.segments))
		way := &segment{Segment: segments.Segment{Stmts: []esl.Stmt{{Op: esl.Call, Arg: target.index}}, End: segments.Return}}
		if target.stays {
			way.End = segments.Stuck
		}
		c.segments = append(c.segments, way)
	}
	c.privateOut, c.built = out, true
	return true
}

// place is an instruction of a function.
type place struct{ block, instr int }

// maxStates bounds the states that are told apart at an instruction by what values are there. Where many values may be
// a star, each by itself, their number is exponential.
const maxStates = 64

// segmentAt returns the index of the segment that begins at an instruction in a
// state.
func (l *lowerer) segmentAt(c *clone, b *ssa.BasicBlock, instr int, s state) int {
	at := place{b.Index, instr}
	if c.statesAt[at] >= l.states {
		s = s.forgetful()
	}
	key := binary.AppendUvarint(binary.AppendUvarint(append(l.room[:0], 'i'), uint64(b.Index)), uint64(instr))
	l.room = l.appendKey(key, c, s)
	known := len(c.segments)
	i := c.segmentFor(l.room, segment{block: b, instr: instr, state: s})
	if i == known {
		c.statesAt[at]++
	}
	return i
}

// segmentFor returns the index of the segment with a key, which is added if there is none.
func (c *clone) segmentFor(key []byte, seg segment) int {
	i, ok := c.bySegment[string(key)]
	if !ok {
		i = len(c.segments)
		c.bySegment[string(key)] = i
		added := seg
		c.segments = append(c.segments, &added)
	}
	return i
}

// stuck returns the index of the segment from which there is no way on: one for each choice of units that are
// open, because where two ways meet the same are.
func (c *clone) stuck(s state) int {
	key := binary.AppendUvarint([]byte{'x'}, uint64(s.opened))
	return c.segmentFor(key, segment{Segment: segments.Segment{End: segments.Stuck}})
}

// before returns the index of the segment that executes the statements and goes on at another one.
func (l *lowerer) before(c *clone, stmts []esl.Stmt, at int) int {
	if len(stmts) == 0 {
		return at
	}
	l.room = binary.AppendUvarint(append(l.room[:0], 's'), uint64(at))
	for _, st := range stmts {
		l.room = st.AppendIdentity(l.room)
	}
	known := len(c.segments)
	if at = c.segmentFor(l.room, segment{Segment: segments.Segment{Stmts: stmts, Next: []int{at}}}); at == known {
		l.count(len(stmts))
	}
	return at
}

// continueWith ends seg with a choice of the outcomes, after which control is at
// the instruction.
func (l *lowerer) continueWith(c *clone, seg *segment, b *ssa.BasicBlock, instr int, outcomes []outcome) {
	seg.End = segments.Jump
	for _, o := range outcomes {
		l.proceed(c, seg, o, func() int {
			if o.state.unwinds() {
				return l.unwindingAt(c, o.state)
			}
			return l.segmentAt(c, b, instr, c.fn.from(b, instr, o.state))
		})
	}
	if len(outcomes) == 0 {
		seg.End = segments.Stuck
	}
}

// continueAt adds the outcome to the choice at the end of seg, with control at a
// segment after it.
func (l *lowerer) continueAt(c *clone, seg *segment, o outcome, at int) {
	seg.Next = append(seg.Next, l.before(c, o.stmts, at))
}

// count notes that statements were made, and stops when they are too many.
func (l *lowerer) count(n int) {
	l.statements += n + 1
	if l.statements > maxStatements && l.err == nil {
		l.err = ErrTooLarge
	}
	if err := limit.Pay(l.ctx, limit.Work(n+1)*limit.Statement); l.err == nil && err != nil {
		l.err = err
	}
}

// run lowers the instructions of a segment until control splits.
func (l *lowerer) run(c *clone, seg *segment) {
	b, s, calm := seg.block, seg.state, seg.calm
	l.count(1)
	for i := seg.instr; i < len(b.Instrs); i++ {
		switch instr := b.Instrs[i].(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.Jump:
			l.jump(c, seg, b, s, b.Succs)
			return
		case *ssa.If:
			if g := l.tagOf(c, s, instr.Cond); g.Kind == tag.Truth {
				l.jump(c, seg, b, s, b.Succs[1-g.Field:2-g.Field])
			} else {
				l.branch(c, seg, b, s, instr.Cond)
			}
			return
		case *ssa.RunDefers:
			begin, entered := l.enter(c, s, instr)
			seg.Stmts, s = append(seg.Stmts, begin...), entered
			if len(s.defers) > 0 {
				l.continueWith(c, seg, b, i, l.runDeferred(c, s))
				return
			}
		case *ssa.Panic:
			if modref.IsMisuseOfIterator(b) {
				seg.End = segments.Stuck
				return
			}
			seg.End, seg.Next = segments.Jump, []int{l.unwindingAt(c, l.unwound(c, s, instr))}
			return
		case *ssa.Return:
			if len(s.defers) > 0 { // left behind by a loop body; the SSA form has lost the RunDefers
				l.continueWith(c, seg, b, i, l.runDeferred(c, s))
				return
			}
			seg.ending = &ending{seg.Stmts, s, instr}
			return
		default:
			if c.followsPanics() && !calm && l.mayPanic(c, s, instr) {
				l.panicSplit(c, seg, b, i, s)
				return
			}
			begin, entered := l.enter(c, s, instr)
			seg.Stmts, s = append(seg.Stmts, begin...), entered
			outcomes := l.quit(c, l.handsOver(c, s, instr, l.visits(c, instr, l.stepForgetting(c, s, instr))), instr)
			if l.err != nil {
				return
			}
			if len(outcomes) != 1 || outcomes[0].state.unwinds() || outcomes[0].state.ended {
				l.continueWith(c, seg, b, i+1, outcomes)
				return
			}
			calm = calm && len(outcomes[0].stmts) == 0 && c.panicsAlike(s, outcomes[0].state, instr)
			seg.Stmts = append(seg.Stmts, outcomes[0].stmts...)
			s = outcomes[0].state
		}
	}
	seg.End = segments.Stuck
}

// jump ends seg with a choice of blocks. from is nil on the way to a recover block.
func (l *lowerer) jump(c *clone, seg *segment, from *ssa.BasicBlock, s state, targets []*ssa.BasicBlock) {
	seg.End = segments.Jump
	for _, to := range targets {
		next := s
		for i, pred := range to.Preds {
			if pred != from {
				continue
			}
			for _, phi := range ssaflow.Phis(to) {
				if ownership.LeadsNowhere(phi.Edges[i]) || l.isOtherThan(c, s, phi, i) {
					next = next.with(phi, tag.Tag{Kind: tag.Foreign})
				} else {
					next = next.with(phi, l.carried(c, s, phi.Edges[i]))
				}
			}
			break
		}
		next = next.only(c.fn.LiveIn[to.Index])
		next, ok := c.settlePromises(next, to.Instrs[ssaflow.FirstAfterPhis(to)])
		if !ok {
			continue
		}
		if from != nil {
			next = c.fn.forgetVisits(next, from, to)
		}
		ways := []crossing{{nil, next}}
		if from != nil {
			ways = l.cross(c, from, to, next)
			if group := l.happensBefore.Edges[c.node][ssaflow.Edge{From: from, To: to}]; l.Rules.Use(
				rules.ChannelJoins, group != nil) {
				for i := range ways {
					ways[i].stmts = append(ways[i].stmts, esl.Stmt{
						Op: esl.Join, Arg: -1 - group.Index, Pos: l.position(from.Instrs[len(from.Instrs)-1])})
				}
			}
		}
		for _, way := range ways {
			seg.Next = append(seg.Next, l.before(c, way.stmts, l.segmentAt(c, to, ssaflow.FirstAfterPhis(to), way.state)))
		}
	}
}

// doReturn ends seg with a return, or stuck if the results are not those wanted.
func (l *lowerer) doReturn(c *clone, seg *segment, s state, instr *ssa.Return, out *uint) {
	if c.wanted {
		for i, v := range instr.Results {
			if !l.matches(c, l.tags.Part(c.want, i), l.decisive(c, s, v), v) {
				seg.End = segments.Stuck
				return
			}
		}
	}
	if c.exit == exitPanic || c.exit == exitGone || s.breaksPromise() {
		seg.End = segments.Stuck
		return
	}
	l.putNew(c, seg, s, instr)
	l.leave(c, seg, s, ssaflow.TokenPos(instr), out)
}

// matches tells whether a result with tag got can be the one wanted: the same star
// or contents, or none of them. Of a result without a tag the points-to set
// decides, and it may be several.
func (l *lowerer) matches(c *clone, want, got tag.Tag, v ssa.Value) bool {
	if tag.IsOfMembers(got) {
		return true
	}
	isWatched := func(g tag.Tag) bool { return g.Kind == tag.Object || g.Kind == tag.Contents || g.Kind == tag.Companion }
	got.Path = l.keys.AnyElement(got.Path)
	switch want.Kind {
	case tag.Holder, tag.Truth:
		return l.holders.Ungrown(got) == want || got.Kind == tag.None
	case tag.Closure:
		return l.choices.MatchesFunction(want, got)
	case tag.Nilness: // of another tag it is not known
		return got == want || got.Kind != tag.Nilness
	}
	if got.Kind == tag.None && isWatched(want) {
		return slices.Contains(slices.Concat(l.choices.Unknown(c.node, v), l.choices.ContentsOf(c.node, v),
			l.choices.CompanionsOf(c.node, v)), want)
	}
	if isWatched(got) || isWatched(want) {
		return want == got
	}
	plain := tag.Tag{Kind: tag.Foreign}
	return got.Kind != tag.Foreign || want.Kind != tag.Foreign || got == plain || want == plain || got == want
}
