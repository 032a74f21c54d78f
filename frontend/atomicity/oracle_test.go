package atomicity_test

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/atomicity"
	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/facttest"
)

// TestOracle lets the interpreter judge the proofs, in random programs: it carries out calls at the same
// time, of units that are called effectively atomic and of others, and looks for an outcome that they do
// not have when those units run whole. EMPIRE_RANDOM is how many programs, EMPIRE_SEED the first one,
// EMPIRE_GROUPS how many groups of calls of each, EMPIRE_KEEP a folder for programs that refute a proof.
func TestOracle(t *testing.T) {
	count, first, groups := number("EMPIRE_RANDOM", 60), number("EMPIRE_SEED", 1), number("EMPIRE_GROUPS", 3)
	n := &tally{claimed: map[string]int{}, refused: map[string]int{}}
	const batch = 100
	for from := first; from < first+count; from += batch {
		texts := map[string]string{}
		for seed := from; seed < min(from+batch, first+count); seed++ {
			texts[fmt.Sprintf("p%d", seed)] = program(int64(seed))
		}
		for _, p := range facttest.Load(t, texts) {
			seed, _ := strconv.Atoi(strings.TrimPrefix(p.Name, "p"))
			j := &judge{T: t, Rand: rand.New(rand.NewSource(int64(seed))), Program: p, tally: n}
			j.program(groups)
		}
	}
	t.Logf("%d programs; %d units claimed, %d refused; %d groups of calls, %d without a reference; %d runs",
		count, n.units, n.others, n.groups, n.open, n.runs)
	if count >= 50 && (n.units < 20 || n.others < 20) {
		t.Error("too few proofs, or too few that are refused")
	}
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

type tally struct {
	units, others, groups, open, runs int
	claimed, refused                  map[string]int
}

// judge judges one program.
type judge struct {
	*testing.T
	*rand.Rand
	*facttest.Program
	*tally
	claims  [methods]bool
	refuted bool
}

func (j *judge) program(groups int) {
	proofs := atomicity.New(j.Context(), j.Insensitive(j.T))
	var claimed []int
	for i := range methods {
		proof := proofs.Unit(j.method(i))
		if j.claims[i] = proof.IsAtomic; proof.IsAtomic {
			claimed = append(claimed, i)
			j.units++
		} else {
			j.others++
		}
	}
	for range groups {
		if len(claimed) == 0 || j.refuted {
			return
		}
		j.group(claimed)
	}
}

// method returns a method of the type T.
func (j *judge) method(i int) *ssa.Function {
	t := j.Main.Type("T").Object().Type()
	return j.Main.Prog.LookupMethod(pointerTo(t), j.Main.Pkg, fmt.Sprintf("m%d", i))
}

// call is one that is made at the same time as others.
type call struct{ slot, method, input int }

func (j *judge) call(c call) execute.Call {
	return execute.Call{Func: j.Main.Func(fmt.Sprintf("g%d_%d_%d", c.slot, c.method, c.input))}
}

// group lets some calls meet.
func (j *judge) group(claimed []int) {
	trial := &execute.Trial{Make: j.Main.Func("New")}
	for range j.Intn(4) {
		trial.Before = append(trial.Before, j.call(call{j.Intn(slots), j.Intn(methods), j.Intn(inputs)}))
	}
	size := 2 + j.Intn(3)
	var calls []call
	var atomic []bool
	for slot := range size {
		m := claimed[j.Intn(len(claimed))]
		if slot >= 2 && j.Intn(3) == 0 {
			m = j.Intn(methods)
		}
		calls = append(calls, call{slot, m, j.Intn(inputs)})
		atomic = append(atomic, j.claims[m])
	}
	j.groups++
	allowed, ok := j.references(trial, calls, atomic)
	if !ok {
		j.open++
		return
	}
	together := j.together(trial, calls)
	look := func(s execute.Schedule, shown *execute.Shown) bool {
		j.runs++
		if text := textOf(shown); !allowed[text] {
			j.refute(trial, calls, s, text, allowed)
		}
		return j.refuted
	}
	var unsupported *execute.Unsupported
	if err := j.Program.Run.Search(together, 2, 60, look); errors.As(err, &unsupported) {
		j.open++
		return
	}
	for range 30 {
		s := execute.Schedule{Choices: map[int]int{}}
		for range 2 + j.Intn(5) {
			s.Choices[j.Intn(40)] = 1 + j.Intn(3)
		}
		shown, err := j.Program.Run.Carry(together, execute.Together, s)
		if err == nil && look(s, shown) {
			return
		}
	}
}

func (j *judge) together(trial *execute.Trial, calls []call) *execute.Trial {
	t := *trial
	for i, c := range calls {
		if i < 2 {
			t.Calls = append(t.Calls, j.call(c))
		} else {
			t.Beside = append(t.Beside, j.call(c))
		}
	}
	return &t
}

// references returns the outcomes of runs in which the atomic calls are made whole; not ok if they are
// too many, or one cannot be carried out.
func (j *judge) references(trial *execute.Trial, calls []call, atomic []bool) (map[string]bool, bool) {
	allowed := map[string]bool{}
	if !slices.Contains(atomic, false) {
		ok := true
		permute(calls, func(order []call) {
			t := *trial
			t.Before = slices.Clone(t.Before)
			for _, c := range order {
				t.Before = append(t.Before, j.call(c))
			}
			shown, err := j.Program.Run.Carry(&t, execute.InOrder, execute.Schedule{})
			if ok = ok && err == nil; ok {
				allowed[textOf(shown)] = true
			}
		})
		return allowed, ok
	}
	together := j.together(trial, calls)
	const most = 1500
	runs := 0
	for work := []execute.Schedule{{}}; len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if runs++; runs > most {
			return nil, false
		}
		shown, err := j.Program.Run.Carry(together, execute.Together, s)
		if err != nil {
			return nil, false
		}
		if areWhole(shown.Went, atomic) {
			allowed[textOf(shown)] = true
		}
		last := -1
		for k := range s.Choices {
			last = max(last, k)
		}
		for k := last + 1; k < len(shown.Trail); k++ {
			if before := current(shown.Went, k); shown.Trail[k].Preempts && before >= 0 && atomic[before] {
				continue
			}
			for option := 1; option < shown.Trail[k].Options; option++ {
				choices := map[int]int{k: option}
				for at, o := range s.Choices {
					choices[at] = o
				}
				work = append(work, execute.Schedule{Choices: choices})
			}
		}
	}
	return allowed, true
}

// current returns which call went on before a scheduling point, -1 if none did.
func current(went []int, k int) int {
	if k == 0 {
		return -1
	}
	return went[k-1]
}

// areWhole tells whether nothing went on between the steps of an atomic call.
func areWhole(went []int, atomic []bool) bool {
	left := map[int]bool{}
	for k, call := range went {
		if call >= 0 && left[call] && atomic[call] {
			return false
		}
		if k > 0 && went[k-1] != call {
			if left[went[k-1]] = true; call >= 0 && left[call] && atomic[call] {
				return false
			}
		}
	}
	return true
}

// permute yields all orders.
func permute(calls []call, f func([]call)) {
	if len(calls) == 0 {
		f(nil)
	}
	for i, c := range calls {
		rest := append(slices.Clone(calls[:i]), calls[i+1:]...)
		permute(rest, func(order []call) { f(append([]call{c}, order...)) })
	}
}

func textOf(shown *execute.Shown) string {
	var b strings.Builder
	for _, line := range shown.Lines {
		fmt.Fprintf(&b, "%s %s\n", line.Path, line.Text)
	}
	if shown.Blocked {
		b.WriteString("blocked\n")
	}
	return b.String()
}

// refute reports an outcome.
func (j *judge) refute(trial *execute.Trial, calls []call, s execute.Schedule, text string, allowed map[string]bool) {
	j.refuted = true
	if dir := os.Getenv("EMPIRE_KEEP"); dir != "" {
		if err := os.WriteFile(dir+"/"+j.Name+".go", []byte(j.Text), 0o644); err != nil {
			j.Error(err)
		}
	}
	var before, names []string
	for _, c := range trial.Before {
		before = append(before, c.Func.Name())
	}
	for _, c := range calls {
		names = append(names, fmt.Sprintf("g%d_%d_%d (claimed: %t)", c.slot, c.method, c.input, j.claims[c.method]))
	}
	j.Errorf("%s\n%s: after %v, %v with the schedule %v:\n%s\nnone of\n%s", j.Text, j.Name, before, names, s.Choices, text,
		strings.Join(slices.Sorted(keys(allowed)), "or\n"))
}
