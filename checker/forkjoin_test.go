package checker

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/esl"
)

// TestAgainstInterpreterForkJoin is about the fork-join exception: units that start
// goroutines and join them, early, late, or in the next unit.
func TestAgainstInterpreterForkJoin(t *testing.T) { compare(t, 150, forkJoin) }

// forkJoin returns a program in which main has one or two units on one of two
// objects, with the starts and joins of a helper inside and outside of them, and
// the helper a unit on either object.
func forkJoin(seed uint64) *esl.Program {
	r := rand.New(rand.NewPCG(seed, 0xf02c))
	p := &esl.Program{
		Name:    fmt.Sprintf("fork and join %d", seed),
		Objects: []esl.Object{{Name: "w"}, {Name: "v"}},
		Processes: []esl.Process{
			{Name: "main", Entry: 0, Copies: 1, Initial: true},
			{Name: "helper", Entry: 1, Copies: 1 + r.IntN(3)/2},
		},
	}
	shared := r.IntN(2) // the object that both units access
	p.Locations = []esl.Location{{Object: shared, Name: "a"}, {Object: shared, Name: "b"}}
	main, helper := &forks{Rand: r}, &forks{Rand: r}
	for range 1 + r.IntN(2) {
		main.maybe(4, esl.Stmt{Op: esl.Start, Arg: 1})
		main.unit("Main", shared, func() {
			main.access()
			main.maybe(2, esl.Stmt{Op: esl.Start, Arg: 1})
			main.access()
			main.maybe(2, esl.Stmt{Op: esl.Join, Arg: 1})
			main.access()
			main.access()
		})
		main.maybe(4, esl.Stmt{Op: esl.Join, Arg: 1})
	}
	helper.unit("Helper", shared, func() {
		helper.access()
		helper.maybe(4, esl.Stmt{Op: esl.Done}) // early
		helper.access()
	})
	helper.emit(esl.Stmt{Op: esl.Done})
	p.Functions = []esl.Function{{Name: "main", Body: main.body}, {Name: "helper", Body: helper.body}}
	return p
}

// forks writes the body of one function.
type forks struct {
	*rand.Rand
	body []esl.Stmt
}

func (f *forks) emit(s esl.Stmt) { f.body = append(f.body, s) }

// maybe writes the statement once in n times.
func (f *forks) maybe(n int, s esl.Stmt) {
	if f.IntN(n) == 0 {
		f.emit(s)
	}
}

// access writes at most one access.
func (f *forks) access() {
	if f.IntN(4) > 0 {
		f.emit(esl.Stmt{Op: esl.Access, Arg: f.IntN(2), Access: []esl.AccessKind{esl.Read, esl.Write}[f.IntN(2)]})
	}
}

// unit writes a unit on either object that has the events on the shared one.
func (f *forks) unit(label string, shared int, body func()) {
	begin := esl.Stmt{Op: esl.UnitBegin, Arg: f.IntN(2), Unit: label}
	if begin.Arg != shared {
		begin.With = []int{shared}
	}
	f.emit(begin)
	body()
	f.emit(esl.Stmt{Op: esl.UnitEnd, Arg: begin.Arg})
}
