package execute

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestStates carries out trials of the programs in testdata/states: of what a function make makes, after up to two
// calls of functions step, two more in each order, and together. What a run shows that has begun with a copy of a
// state is what one shows that has carried out everything.
func TestStates(t *testing.T) {
	loaded := loadPrograms(t, "testdata/states/*/main.go")
	for _, pkg := range loaded.Packages {
		t.Run(filepath.Base(pkg.Pkg.Path()), func(t *testing.T) { compareStates(t, pkg, loaded.Embedded) })
	}
}

func compareStates(t *testing.T, pkg *ssa.Package, files Files) {
	copies, whole := New(pkg, files), New(pkg, files)
	whole.whole = true
	steps := callsNamed(pkg, "step")
	before := [][]Call{nil}
	for _, a := range steps {
		before = append(before, []Call{a})
		for _, b := range steps {
			before = append(before, []Call{a, b})
		}
	}
	trials := 0
	for _, maker := range callsNamed(pkg, "make") {
		for _, calls := range before {
			for i, u := range steps {
				v := steps[(i+len(calls))%len(steps)]
				trial := &Trial{Make: maker.Func, Before: calls, Calls: []Call{u, v}}
				for _, order := range []Order{Together, InOrder, Reversed, InOrderAtOnce, ReversedAtOnce} {
					schedule := Schedule{Choices: map[int]int{trials % 7: 1}}
					trials++
					got, want := textOf(copies.Carry(trial, order, schedule)), textOf(whole.Carry(trial, order, schedule))
					if got != want {
						t.Fatalf("%s, then %s, then %s and %s, order %d: from a copy\n\t%s\nwant\n\t%s", maker.Func.Name(),
							namesOf(calls), u.Func.Name(), v.Func.Name(), order, got, want)
					}
				}
			}
		}
	}
	t.Logf("%d runs, %d instructions with copies, %d without", trials, copies.Executed, whole.Executed)
}

// callsNamed returns calls of the functions whose names begin so, in the order of their names.
func callsNamed(pkg *ssa.Package, prefix string) (all []Call) {
	for name, member := range pkg.Members {
		if fn, ok := member.(*ssa.Function); ok && strings.HasPrefix(name, prefix) {
			all = append(all, Call{Func: fn})
		}
	}
	slices.SortFunc(all, func(a, b Call) int { return strings.Compare(a.Func.Name(), b.Func.Name()) })
	return all
}

func namesOf(calls []Call) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Func.Name())
	}
	return strings.Join(names, ", ")
}

// textOf writes down all that a run shows.
func textOf(s *Shown, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(s.Lines, s.After, s.Results, s.Waits, s.Blocked, s.Panics, s.Joint, s.Stuck[0] != nil,
		s.Stuck[1] != nil, len(s.Scenarios), len(s.Races), s.Trail, s.Went, s.CalledBack)
}
