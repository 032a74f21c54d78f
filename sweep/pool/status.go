package pool

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/child"
	"github.com/empire-go/empire-go/sweep/jetstream"
)

// planName is what the plan of a sweep is kept under, with its identity.
const planName = "plan/"

// Watcher follows what goes on in a pool.
type Watcher struct {
	pool *jetstream.Pool
	stop func()

	mu      sync.Mutex
	heard   map[string]map[string]heard // by sweep and worker
	plans   map[string]*sweep.Record
	answers map[string]map[string]bool // by sweep: keys that have an answer
	samples map[string][]sample
}

type heard struct {
	state WorkerState
	at    time.Time
}

type sample struct {
	at   time.Time
	done int
}

// Watch begins to follow a pool.
func Watch(p *jetstream.Pool) (*Watcher, error) {
	w := &Watcher{pool: p, heard: map[string]map[string]heard{}, plans: map[string]*sweep.Record{},
		answers: map[string]map[string]bool{}, samples: map[string][]sample{}}
	var err error
	w.stop, err = p.States(func(s jetstream.State) {
		var state WorkerState
		if unpack(s.Text, &state) != nil {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.heard[s.Sweep] == nil {
			w.heard[s.Sweep] = map[string]heard{}
		}
		if len(w.heard[s.Sweep]) < 10_000 {
			w.heard[s.Sweep][s.From+" "+state.Worker] = heard{state, time.Now()}
		}
	})
	return w, err
}

// Close ends it.
func (w *Watcher) Close() { w.stop() }

// Status is how far a sweep is.
type Status struct {
	Sweep, Module string
	Done, Total   int
	jetstream.SweepState
	Rate    float64       // parts a second, lately; 0: not known
	Left    time.Duration // 0: not known
	Workers []WorkerState
}

// Status returns how far each sweep is that has a queue.
func (w *Watcher) Status(ctx context.Context) ([]Status, error) {
	ids, err := w.pool.Sweeps(ctx)
	if err != nil {
		return nil, err
	}
	var all []Status
	for _, id := range ids {
		s := Status{Sweep: id}
		if s.SweepState, err = w.pool.StateOf(ctx, id); jetstream.IsGone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := w.count(ctx, &s); err != nil {
			return nil, err
		}
		w.rate(&s)
		all = append(all, s)
	}
	return all, nil
}

// count counts the answers. What has one keeps it, so each is looked for until then.
func (w *Watcher) count(ctx context.Context, s *Status) error {
	w.mu.Lock()
	plan, has := w.plans[s.Sweep], w.answers[s.Sweep]
	w.mu.Unlock()
	if plan == nil {
		var err error
		if plan, err = readPlan(ctx, w.pool, s.Sweep); err != nil {
			return err
		}
		has = map[string]bool{}
		for _, p := range plan.Parts {
			has[p.Key] = false
		}
		w.mu.Lock()
		w.plans[s.Sweep], w.answers[s.Sweep] = plan, has
		w.mu.Unlock()
	}
	bucket, err := w.pool.Answers(ctx)
	if err != nil {
		return err
	}
	var open []string
	for key, ok := range has {
		if !ok {
			open = append(open, key)
		}
	}
	found := make([]bool, len(open))
	err = parallel(len(open), func(i int) error {
		k, _, err := lookUp(ctx, bucket, open[i])
		found[i] = k != nil
		return err
	})
	for i, ok := range found {
		has[open[i]] = ok
		if !ok {
			s.Done--
		}
	}
	s.Module, s.Total, s.Done = plan.Module, len(has), s.Done+len(has)
	return err
}

// rate finds out how fast the sweep is, from what was counted in the last minute, and who works.
func (w *Watcher) rate(s *Status) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	samples := append(w.samples[s.Sweep], sample{now, s.Done})
	samples = slices.DeleteFunc(samples, func(s sample) bool { return now.Sub(s.at) > time.Minute })
	w.samples[s.Sweep] = samples
	if first := samples[0]; now.Sub(first.at) > 500*time.Millisecond && s.Done > first.done {
		s.Rate = float64(s.Done-first.done) / now.Sub(first.at).Seconds()
		s.Left = time.Duration(float64(s.Total-s.Done) / s.Rate * float64(time.Second)).Round(time.Second)
	}
	for _, h := range w.heard[s.Sweep] {
		if now.Sub(h.at) < 15*time.Second {
			s.Workers = append(s.Workers, h.state)
		}
	}
	slices.SortFunc(s.Workers, func(a, b WorkerState) int { return strings.Compare(a.Worker, b.Worker) })
}

// WriteStatus writes a table: a line for each sweep, and below it one for each worker that was heard of.
func WriteStatus(to io.Writer, all []Status) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "sweep\tmodule\tanswered\tof\ttasks waiting\theld\tworkers\ta second\tleft\tstate")
	for _, s := range all {
		rate, left, state := "-", "-", "runs"
		if s.Rate > 0 {
			rate, left = fmt.Sprintf("%.1f", s.Rate), s.Left.String()
		}
		if s.Paused {
			state = "drained"
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\n", s.Sweep, child.Clip(s.Module), s.Done, s.Total,
			s.Waiting, s.Held, len(s.Workers), rate, left, state)
		for _, w := range s.Workers {
			note := fmt.Sprintf("%d of %d slots busy, %d answered, %d crashes", w.Busy, w.Slots, w.Answered, w.Crashes)
			if w.Refused != "" {
				note = "refused: " + child.Clip(w.Refused)
			}
			fmt.Fprintf(out, "  %s\t%s\n", child.Clip(w.Worker), note)
		}
	}
	return out.Flush()
}

func readPlan(ctx context.Context, p *jetstream.Pool, id string) (*sweep.Record, error) {
	text, err := p.Object(ctx, planName+id, maxUnpacked)
	if err != nil {
		return nil, err
	}
	record := &sweep.Record{}
	return record, unpack(text, record)
}

// Export returns the table of a sweep, of its answers in the bucket: no sources are needed.
func Export(ctx context.Context, p *jetstream.Pool, id string) (*sweep.Table, error) {
	record, err := readPlan(ctx, p, id)
	if err != nil {
		return nil, fmt.Errorf("no sweep %q: %w", id, err)
	}
	plan, err := record.Plan()
	if err != nil {
		return nil, err
	}
	bucket, err := p.Answers(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]*kept, len(record.Parts))
	err = parallel(len(found), func(i int) (err error) {
		found[i], _, err = lookUp(ctx, bucket, record.Parts[i].Key)
		return err
	})
	if err != nil {
		return nil, err
	}
	interrupted := false
	for i, k := range found {
		if k == nil {
			interrupted = true
			continue
		}
		plan.Set(i, k.Answer)
	}
	return plan.Table(interrupted), nil
}

// Drain hands out no more tasks of a sweep, and waits until none is held.
func Drain(ctx context.Context, p *jetstream.Pool, id string) error {
	if err := p.Pause(ctx, id); err != nil {
		return err
	}
	for {
		s, err := p.StateOf(ctx, id)
		if err != nil || s.Held == 0 {
			return err
		}
		pause(ctx, 500*time.Millisecond)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}
