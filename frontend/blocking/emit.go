package blocking

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/simplify"
)

// emit makes the model of what was evaluated.
func (l *lowerer) emit() (*Model, error) {
	l.waitAtLooks()
	p := &esl.Program{Objects: []esl.Object{{Name: "program"}}}
	names, taken := map[string]int{}, map[string]bool{}
	unique := func(name string) string {
		name = cmp.Or(name, "object")
		own := name
		for taken[own] { // by another one of the name, or by a literal in the function of that name
			names[name]++
			own = fmt.Sprintf("%s$%d", name, names[name]+1)
		}
		taken[own] = true
		return own
	}
	for i, c := range l.locks.all {
		p.Locks = append(p.Locks, esl.Lock{Name: unique(c.name()), Kind: l.kinds[i], Pos: c.of.pos})
	}
	for _, o := range l.channels.all {
		p.Channels = append(p.Channels, esl.Channel{Name: unique(o.name), Capacity: o.modelled(), Pos: o.pos})
	}
	for _, c := range l.conditions.all {
		p.Conditions = append(p.Conditions, esl.Condition{Name: unique(c.name()), Pos: c.of.pos})
	}
	for _, c := range l.groups.all {
		p.Groups = append(p.Groups, esl.Group{Name: unique(c.name()), Pos: c.of.pos})
	}
	for i, c := range l.variables.all {
		p.Variables = append(p.Variables, esl.Variable{Name: unique(c.name()), Values: l.valueCount(i)})
	}
	var clients []int
	for i, q := range l.processes {
		if q.client {
			clients = append(clients, i)
		}
		name := q.name
		if i > 0 {
			name = fmt.Sprintf("g%d", i)
		}
		p.Processes = append(p.Processes, esl.Process{Name: name, Entry: i, Copies: 1, Initial: i == 0, Pos: q.pos})
		p.Functions = append(p.Functions, esl.Function{Name: unique("run " + q.name), Body: q.body()})
	}
	var isIdle func(function, at int) bool
	if l.c.Local != nil { // which branches a run takes is asked
		isIdle = simplify.Idle(l.poll, p)
	} else {
		p = simplify.Waiting(l.poll, p)
	}
	m := &Model{Program: p, Clients: clients, Code: l.code, Branches: l.branches, Lists: l.lists, Looks: l.looks,
		NilUses: l.nilUses, LateReports: l.lateReports, ClosedUses: l.closedUses,
		Skips: l.skips, SkipsJoins: l.skipsJoins, IsIdle: isIdle, isOfCall: l.c.Local != nil,
		doubtful: l.doubtful(), assumed: l.assumed}
	m.Rounds, m.Loops = l.rounds()
	m.Guesses = slices.SortedFunc(maps.Keys(l.guesses), func(a, b Guess) int {
		return cmp.Or(strings.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col,
			strings.Compare(a.What, b.What))
	})
	return m, esl.Validate(p)
}

// valueCount returns how many values a variable of the model has.
func (l *lowerer) valueCount(variable int) int {
	n := l.values[variable]
	if v := l.known.shared[l.variables.all[variable]]; n == 0 && v != nil {
		n = max(1, len(v.values))
	}
	return n
}

// name is the name of a cell, as the source has it.
func (c cell) name() string {
	if c.path == "" {
		return c.of.name
	}
	return strings.TrimPrefix(c.of.name+"."+c.path, ".")
}

// body makes the statements of a goroutine: those of each node, one after the other.
func (p *process) body() []esl.Stmt {
	var body []esl.Stmt
	emit := func(s esl.Stmt) int { body = append(body, s); return len(body) - 1 }
	emit(esl.Stmt{Op: esl.Goto, Targets: []int{1}}) // it begins before it is at its first operation
	for _, s := range p.before {
		emit(s)
	}
	if len(p.nodes) == 0 {
		for _, s := range p.after {
			emit(s)
		}
		return body
	}
	begin := make([]int, len(p.nodes)+1) // behind the last node: the end
	type jump struct{ at, slot, to int }
	var jumps []jump
	for n, node := range p.nodes {
		begin[n] = len(body)
		if node.branching == never {
			emit(node.arcs[0].stmts[0])
			continue
		}
		branch := -1
		if len(node.arcs) > 1 || node.branching == waiting || node.branching == passing {
			op := map[branching]esl.Op{one: esl.Select, guessed: esl.Choice, waiting: esl.Select, passing: esl.SelectDefault}
			branch = emit(esl.Stmt{Op: op[node.branching]})
		}
		var targets []int
		for _, a := range node.arcs {
			targets = append(targets, len(body))
			for _, s := range a.stmts {
				emit(s)
			}
			to := a.to
			if to < 0 {
				to = len(p.nodes)
			}
			jumps = append(jumps, jump{emit(esl.Stmt{Op: esl.Goto}), 0, to})
		}
		if branch >= 0 {
			body[branch].Targets = targets
			if node.branching == guessed {
				body[branch].Pos = node.pos
			} else if len(node.arcs[0].stmts) > 0 {
				body[branch].Pos = node.arcs[0].stmts[0].Pos
			}
		}
	}
	begin[len(p.nodes)] = len(body)
	for _, j := range jumps {
		body[j.at].Targets = []int{begin[j.to]}
	}
	return body
}
