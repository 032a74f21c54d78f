package execute

import (
	"maps"
	"math/rand"
	"time"

	"golang.org/x/tools/go/ssa"
)

// Trace is what happened in a run.
type Trace struct{ units []*unit }

// Schedule says who goes on at scheduling points: at the numbered ones the option with
// the number; else the goroutine that ran goes on, and where it cannot, the next one.
type Schedule struct {
	Choices map[int]int
	Seed    int64 // not zero: at random from there on

	preemptions int // how many of the choices stop a goroutine that could go on
}

// Finding is a scenario that was seen.
type Finding struct {
	Scenario int
	Pattern  int
	Schedule Schedule
	Text     string // the events
}

// Report is the outcome of a search.
type Report struct {
	Runs     int
	Findings map[int]Finding // by scenario: the first one
	Ended    map[string]int  // how runs came to an end
	Objects  int             // the most that were seen in a run
	Events   int             // likewise
	Complete bool            // all schedules within the bounds were run

	Returned map[*ssa.Function]bool // functions that came to a return in a run

	watch    *watch
	observer func(Schedule) Observer // of each run; nil: none
}

// Budget bounds a search.
type Budget struct {
	Runs, Random int // of schedules with few choices, and of random ones
	Time         time.Duration
	Seed         int64
	Wanted       map[int]bool // stop when all of these scenarios have been seen; nil: do not
}

// option is a scheduling point of a run.
type option struct {
	n        int  // of goroutines that could go on
	preempts bool // the one that runs is among them
}

// maxPreemptions and maxChoices bound the schedules that are searched in order (Musuvathi
// and Qadeer, iterative context bounding, PLDI 2007).
const (
	maxPreemptions = 2
	maxChoices     = 4
)

// Search runs the program under many schedules: first all that differ from the one
// without preemption at one scheduling point, then at two and more, with two preemptions
// at most, then random ones.
func Search(p *Program, s *Subject, b Budget) (*Report, error) {
	return newReport(s).search(p, b)
}

// Observe runs the program under many schedules, as Search does, with an observer of each.
func Observe(p *Program, b Budget, observer func(Schedule) Observer) (*Report, error) {
	r := newReport(&Subject{})
	r.observer = observer
	return r.search(p, b)
}

// ObserveOnce runs it under one schedule.
func ObserveOnce(p *Program, s Schedule, o Observer) error {
	r := newReport(&Subject{})
	r.observer = func(Schedule) Observer { return o }
	_, err := r.run(p, s)
	return err
}

func newReport(s *Subject) *Report {
	return &Report{Findings: map[int]Finding{}, Ended: map[string]int{}, Returned: map[*ssa.Function]bool{},
		watch: newWatch(s)}
}

func (r *Report) search(p *Program, b Budget) (*Report, error) {
	deadline := time.Now().Add(b.Time)
	level := []Schedule{{}}
	random := rand.New(rand.NewSource(b.Seed + 1))
	r.Complete = true
	done := func() bool {
		if time.Now().After(deadline) {
			r.Complete = false
			return true
		}
		return b.Wanted != nil && r.has(b.Wanted)
	}
	for depth := 0; depth <= maxChoices && len(level) > 0; depth++ {
		var next []Schedule
		random.Shuffle(len(level), func(i, j int) { level[i], level[j] = level[j], level[i] })
		for _, schedule := range level {
			if r.Runs >= b.Runs || done() {
				r.Complete = false
				break
			}
			trail, err := r.run(p, schedule)
			if err != nil {
				return r, err
			}
			last := -1
			for k := range schedule.Choices {
				last = max(last, k)
			}
			for k := last + 1; k < len(trail) && len(next) < 4*b.Runs; k++ {
				preemptions := schedule.preemptions
				if trail[k].preempts {
					preemptions++
				}
				for option := 1; option < trail[k].n && preemptions <= maxPreemptions; option++ {
					choices := maps.Clone(schedule.Choices)
					if choices == nil {
						choices = map[int]int{}
					}
					choices[k] = option
					next = append(next, Schedule{Choices: choices, preemptions: preemptions})
				}
			}
		}
		level = next
	}
	for k := range b.Random {
		if done() {
			break
		}
		if _, err := r.run(p, Schedule{Seed: b.Seed + int64(k) + 1}); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Report) has(wanted map[int]bool) bool {
	for s := range wanted {
		if _, ok := r.Findings[s]; !ok {
			return false
		}
	}
	return true
}

// run carries out one schedule. The result is its scheduling points.
func (r *Report) run(p *Program, s Schedule) ([]option, error) {
	var trail []option
	random := rand.New(rand.NewSource(s.Seed))
	stay := []float64{0.5, 0.8, 0.9, 0.97}[uint64(s.Seed)%4]
	m := p.newMachine(r.watch)
	m.returned, m.random = r.Returned, uint64(s.Seed)
	choose := func(n int, free bool) int {
		k := s.Choices[len(trail)]
		if s.Seed != 0 {
			k = 0
			if free || random.Float64() > stay {
				k = random.Intn(n)
			}
		}
		trail = append(trail, option{n, !free})
		m.choices = len(trail)
		return min(k, n-1)
	}
	m.decide = func(options []*goroutine, current *goroutine) int {
		return choose(len(options), options[0] != current)
	}
	m.among = func(n int) int { return choose(n, true) }
	if r.observer != nil {
		m.observer = r.observer(s)
	}
	m.run()
	r.Runs++
	r.Ended[m.ended]++
	r.Objects = max(r.Objects, len(m.objects))
	n := 0
	for _, u := range m.trace.units {
		n += len(u.events)
	}
	r.Events = max(r.Events, n)
	if m.err != nil {
		return nil, m.err
	}
	for scenario, f := range m.match(r.Findings) {
		f.Schedule = s
		r.Findings[scenario] = f
	}
	return trail, nil
}
