package blocking

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// A goroutine is apart if what it is handed leads to no object, and nothing that it may call uses a package variable:
// no other one can notice what it does, but for the goroutines that it starts and the end of the program. Where such a
// goroutine is started once more with the same arguments, the second one does what the first one does, and the model
// needs one of them.

// startApart starts a goroutine that is apart; ok is false if it is none.
func (l *lowerer) startApart(s *state, site ssa.CallInstruction, c callee) (stmts []esl.Stmt, ok bool) {
	if c.native != nil || l.quiet.isLeftOut(c.fn) || isModelled(c.fn) || !l.isApart(c) {
		return nil, false
	}
	key := fmt.Sprintf("go apart %s %s", l.position(site), c.fn)
	for _, v := range c.args {
		key += " " + keyOf(v)
	}
	p := l.apart[key]
	if p == nil && l.count(s, "go "+l.siteKey(s, site)) < l.most(s) {
		p = l.processOf(s, site, key, c, nil, nil)
		l.apart[key] = p
	}
	stmts = l.share(s)
	if p == nil {
		l.guess(site, "what goroutines do of which more are started here than are followed")
		return stmts, true
	}
	if slices.Contains(s.started, p.index) {
		return stmts, true
	}
	s.noteStarted(p.index)
	return append(stmts, esl.Stmt{Op: esl.Start, Arg: p.index, Pos: l.position(site)}), true
}

func (l *lowerer) isApart(c callee) bool {
	for _, v := range slices.Concat(c.args, c.bindings) {
		if _, isNumber := v.(number); !isNumber {
			return false
		}
	}
	return !l.quiet.usesVariables(c.fn)
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
