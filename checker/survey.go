package checker

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
)

// What locks alone rule out costs a walk through the program, if it is asked of all processes at once: of one process
// that is any of them, in two copies. Its units have the accesses, and its locks the gaps, of all that have them, so
// that what is ruled out there is ruled out for each two. Most queries end with that, and need no pushdown system of a
// process; of the others the guesses remain that it has left. It is done with the labels of the units, as most of them
// keep to a discipline, and a few do not.

// survey is what locks alone leave.
type survey struct {
	unruled bool                         // nothing is known: everything is left
	left    map[[2]int][][2]esl.UnitName // by locations: the units of the guesses
	races   map[int]bool                 // locations
	units   []map[esl.UnitName]bool      // by process: those that it may have
}

// newSurvey makes the survey of a program for the scenarios. The error says that the context is done.
func newSurvey(ctx context.Context, p *esl.Program, o Options) (*survey, error) {
	if o.AskAll || p.HasBlocking() {
		return &survey{unruled: true}, nil
	}
	c, err := newCheck(ctx, anyProcess(p), o)
	if err != nil {
		return &survey{unruled: true}, nil // too large; it may be less so with one label
	}
	if c.model == nil {
		return nil, ctx.Err()
	}
	s := &survey{left: map[[2]int][][2]esl.UnitName{}, races: map[int]bool{}}
	guesses, err := c.model.GuessesContext(ctx, o.searched(o.Scenarios))
	if err != nil {
		return nil, err
	}
	for _, g := range guesses {
		if at := [2]int{g.L1, g.L2}; g.U.Copy < g.V.Copy {
			s.left[at] = append(s.left[at], [2]esl.UnitName{g.UnitU(), g.UnitV()})
		}
	}
	for _, g := range c.model.RaceGuesses() {
		s.races[g.Location] = true
	}
	known := map[int]map[esl.UnitName]bool{}
	for _, q := range p.Processes {
		if known[q.Entry] == nil {
			known[q.Entry] = unitsFrom(p, q.Entry)
		}
		s.units = append(s.units, known[q.Entry])
	}
	return s, nil
}

// isEmpty tells whether there is nothing left to search for.
func (s *survey) isEmpty() bool { return !s.unruled && len(s.left) == 0 && len(s.races) == 0 }

// leaves tells whether a guess of the program, or of the program with one label, is left.
func (s *survey) leaves(g cpds.Guess) bool {
	return s.unruled || slices.ContainsFunc(s.left[[2]int{g.L1, g.L2}], func(left [2]esl.UnitName) bool {
		u, v := left[0], left[1]
		return s.units[g.U.Process][u] && (g.LabelU == anyLabel || g.LabelU == u.Label) &&
			s.units[g.V.Process][v] && v.Object == g.ObjectV && (g.LabelV == anyLabel || g.LabelV == v.Label)
	})
}

// raceGuesses returns the guesses of races that are left.
func (s *survey) raceGuesses(all []cpds.RaceGuess) []cpds.RaceGuess {
	return slices.DeleteFunc(all, func(g cpds.RaceGuess) bool { return !s.unruled && !s.races[g.Location] })
}

// anyProcess returns the program with one process, which is any of those of the program. Nobody waits in it but for
// locks.
func anyProcess(p *esl.Program) *esl.Program {
	q := p.Rewritten(func(_ esl.Place, s esl.Stmt) esl.Stmt {
		switch s.Op {
		case esl.Goto, esl.Choice, esl.Call, esl.Return, esl.Access, esl.UnitBegin, esl.UnitEnd,
			esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
			return s
		}
		return esl.Stmt{Op: esl.Skip, Pos: s.Pos}
	})
	var entries []int
	for _, process := range p.Processes {
		entries = append(entries, process.Entry)
	}
	slices.Sort(entries)
	entries = slices.Compact(entries)
	body := []esl.Stmt{{Op: esl.Choice}}
	for _, entry := range entries {
		body[0].Targets = append(body[0].Targets, len(body))
		body = append(body, esl.Stmt{Op: esl.Call, Arg: entry}, esl.Stmt{Op: esl.Return})
	}
	q.Processes = []esl.Process{{Name: "any", Entry: len(q.Functions), Copies: 2}}
	q.Functions = append(q.Functions, esl.Function{Name: "any process", Body: body})
	return q
}

// unitsFrom returns the units that processes with an entry function may begin.
func unitsFrom(p *esl.Program, entry int) map[esl.UnitName]bool {
	units := map[esl.UnitName]bool{}
	for s := range p.StatementsFrom(entry) {
		if s.Op == esl.UnitBegin {
			units[esl.UnitName{Object: s.Arg, Label: s.Unit}] = true
		}
	}
	return units
}
