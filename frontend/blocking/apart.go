package blocking

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// A goroutine is apart if nothing that it is handed leads to an object that somebody else can have, and neither it nor
// what it starts uses a package variable: no other one can notice what it does, but for the end of the program. Where
// such a goroutine is started once more with the same arguments, the second one does what the first one does, and the
// model needs one of them.
//
// That no package variable is used is taken for granted until one is that may be; where more than one goroutine was
// started then, another round begins, in which they are not apart.

// startApart starts a goroutine that is apart; ok is false if it is none.
func (l *lowerer) startApart(s *state, site ssa.CallInstruction, c callee) (stmts []esl.Stmt, ok bool) {
	if c.native != nil || l.quiet.isLeftOut(c.fn) || isModelled(c.fn) || l.known.together[site] {
		return nil, false
	}
	key := fmt.Sprintf("go apart %s %s", l.position(site), c.fn)
	begin := s.clone()
	c, text, ok := l.handOver(s, begin, key, c)
	if !ok {
		return nil, false
	}
	key += text
	p := l.apart[key]
	if p == nil && l.count(s, "go "+l.siteKey(s, site)) < l.most(s) {
		if p = l.processOf(begin, site, key, c, nil, nil); p != nil {
			p.apartAt, p.apart = site, c.fn
		}
		l.apart[key] = p
	}
	stmts = l.share(s)
	if p == nil {
		l.guess(site, "what goroutines do of which more are started here than are followed")
		return stmts, true
	}
	if slices.Contains(s.started, p.index) {
		l.isMerged[site] = true
		return stmts, true
	}
	s.noteStarted(p.index)
	return append(stmts, esl.Stmt{Op: esl.Start, Arg: p.index, Pos: l.position(site)}), true
}

// handOver gives a goroutine objects of its own for those that it is handed and nobody else can have; the text tells
// what they are. ok is false if it is handed other ones, too.
func (l *lowerer) handOver(s, begin *state, key string, c callee) (own callee, text string, ok bool) {
	var reached *reach
	handed := func(v value) (value, bool) {
		p, isPointer := v.(pointer)
		if _, isNumber := v.(number); isNumber || !isPointer || p.path != "" {
			text += " " + keyOf(v)
			return v, isNumber
		}
		if _, isMemory := p.to.made.(*ssa.Alloc); !isMemory || p.to.isMany || l.known.escaped[p.to] {
			return nil, false
		}
		if reached == nil {
			reached = l.reached(s)
		}
		if reached.has(p.to) || l.known.operated[p.to] {
			return nil, false
		}
		o := l.object(fmt.Sprintf("%s handed %d", key, len(text)), p.to.name)
		o.pos, o.made = p.to.pos, p.to.made
		text += " own"
		for at, x := range s.contents(p.to) {
			switch x.(type) {
			case number, nothing:
			default:
				return nil, false
			}
			text += " " + at.path + keyOf(x)
			begin.put(cell{o, at.path}, x)
		}
		return pointer{o, ""}, true
	}
	own = c
	own.args, own.bindings = slices.Clone(c.args), slices.Clone(c.bindings)
	for _, all := range [][]value{own.args, own.bindings} {
		for i, v := range all {
			if all[i], ok = handed(v); !ok {
				return c, "", false
			}
		}
	}
	return own, text, true
}

// usesVariable notes that a goroutine uses a package variable of code that is followed: neither it nor those that have
// started it are apart.
func (l *lowerer) usesVariable(g *ssa.Global) {
	if l.process.isTogether || !l.c.IsFollowed(g.Pkg.Func("init")) {
		return
	}
	l.noteTogether()
}

// noteTogether notes the same of the goroutine that is evaluated.
func (l *lowerer) noteTogether() {
	for p := l.process; !p.isTogether; p = l.processes[p.parent] {
		p.isTogether = true
		if p.parent < 0 {
			return
		}
	}
}

// learnTogether finds out which goroutines are not apart of which there is one for several.
func (l *lowerer) learnTogether() {
	for _, p := range l.processes {
		if p.apartAt != nil && p.isTogether && l.isMerged[p.apartAt] && l.quiet.usesVariables(p.apart) {
			l.known.together[p.apartAt], l.known.changed = true, true
		}
	}
}

// leavesOut notes that a function is called that is not followed, or of which it is not known which one it is.
func (l *lowerer) leavesOut(fn *ssa.Function) {
	if !l.process.isTogether && (fn == nil || l.c.IsFollowed(fn) && l.quiet.usesVariables(fn)) {
		l.noteTogether()
	}
}

// leaveGoroutine goes on without a goroutine that is not followed. What it may let go on is in doubt; it returns false
// where that is known to goroutines that are followed, this one from here on among them, or where it uses package
// variables. Of an object that stands for many nothing is known anyway.
func (l *lowerer) leaveGoroutine(s *state, c callee) bool {
	handed := several(slices.Concat(c.args, c.bindings))
	if c.native != nil {
		handed = append(handed, *c.native)
	} else if l.quiet.usesVariables(c.fn) {
		return false
	}
	if slices.Contains(handed, nil) {
		return false
	}
	all := l.ledTo(s, handed)
	live := l.reached(s)
	if slices.ContainsFunc(all, func(o *object) bool { return !o.isMany && (live.has(o) || l.known.escaped[o]) }) {
		return false
	}
	for _, o := range all {
		l.doubts.objects[o] = true
	}
	return true
}

// usesVariables tells whether a function, or what it may call, uses a package variable of code that is followed.
func (q *quiet) usesVariables(fn *ssa.Function) bool {
	seen := map[*traits]bool{}
	for queue := []*traits{q.functions[fn]}; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		if t == nil {
			return true
		}
		if seen[t] {
			continue
		}
		seen[t] = true
		if q.c.IsFollowed(t.fn) && q.namesVariable(t.fn) {
			return true
		}
		queue = append(queue, t.callees...)
	}
	return false
}

// namesVariable tells whether an instruction of a function has a package variable as an operand; of those of packages
// that are not followed, as os.Stdout, the model has nothing.
func (q *quiet) namesVariable(fn *ssa.Function) bool {
	var room [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, v := range instr.Operands(room[:0]) {
				if g, ok := (*v).(*ssa.Global); ok && q.c.IsFollowed(g.Pkg.Func("init")) {
					return true
				}
			}
		}
	}
	return false
}
