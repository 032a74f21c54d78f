package pool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/empire-go/empire-go/sweep/child"
	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/queue"
)

// Worker takes tasks of any sweep, and hands in answers.
type Worker struct {
	Pool    *jetstream.Pool
	Name    string        // for people
	Dir     string        // the checkout that tasks without sources are about
	Slots   int           // tasks that are carried out at a time, each with a child of its own; 0: one
	Forever bool          // wait for tasks until it is stopped
	Idle    time.Duration // without Forever: end when there was no task for so long
	Command []string      // that starts a child
	Scratch string        // a directory for what is thrown away; "": one of the system's
	Log     *slog.Logger
	Metrics *Metrics // may be nil

	mu      sync.Mutex
	refused map[string]string // sweeps that it cannot answer, and why
	joined  map[string]*jetstream.Sweep
	seen    time.Time // when there was last something to do
	state   WorkerState
}

// WorkerState is what a worker tells of itself.
type WorkerState struct {
	Worker   string
	Slots    int
	Busy     int
	Answered int // parts, since it was started
	Crashes  int // of children
	Refused  string
}

// errStopped ends the slots of a worker that has nothing more to do.
var errStopped = errors.New("there is nothing more to do")

// Run carries out tasks until there are none, or the context is done. The error says why it could not carry out any.
func (w *Worker) Run(ctx context.Context) error {
	w.refused, w.joined = map[string]string{}, map[string]*jetstream.Sweep{}
	w.seen = time.Now()
	slots := max(w.Slots, 1)
	w.state = WorkerState{Worker: w.Name, Slots: slots}
	scratch, err := os.MkdirTemp(w.Scratch, "empire-worker")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	working, end := context.WithCancelCause(ctx)
	defer end(nil)
	sources := newSources(w.Pool, scratch)
	var running sync.WaitGroup
	for n := range slots {
		home := filepath.Join(scratch, "home"+strconv.Itoa(n))
		if err := os.Mkdir(home, 0o700); err != nil {
			return err
		}
		s := &slot{worker: w, sources: sources, home: home}
		running.Go(func() {
			defer s.child.Stop()
			for working.Err() == nil {
				if err := s.turn(working); err != nil {
					end(err)
				}
			}
		})
	}
	running.Go(func() {
		for working.Err() == nil {
			w.tell("")
			select {
			case <-working.Done():
			case <-time.After(2 * time.Second):
			}
		}
	})
	running.Wait()
	if ctx.Err() != nil || errors.Is(context.Cause(working), errStopped) {
		return nil
	}
	return context.Cause(working)
}

// tell tells the state of the worker: of the sweep with the identity, or of all that it takes part in.
func (w *Worker) tell(sweep string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.joined {
		if sweep != "" && sweep != id {
			continue
		}
		state := w.state
		state.Refused = w.refused[id]
		if text, err := pack(state); err == nil {
			w.Pool.Tell(id, text)
		}
	}
}

// join returns the sweeps that there are, without those that were refused.
func (w *Worker) join(ctx context.Context) ([]*jetstream.Sweep, error) {
	ids, err := w.Pool.Sweeps(ctx)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	there := map[string]*jetstream.Sweep{}
	var all []*jetstream.Sweep
	for _, id := range ids {
		s := w.joined[id]
		if s == nil {
			if s, err = w.Pool.JoinSweep(ctx, id); jetstream.IsGone(err) {
				continue // it has just ended, or is being made
			}
			if err != nil {
				return nil, err
			}
		}
		there[id] = s
		if w.refused[id] == "" {
			all = append(all, s)
		}
	}
	w.joined = there
	return all, nil
}

// isOver tells whether there is nothing more to do.
func (w *Worker) isOver(ctx context.Context) error {
	if w.Forever {
		return nil
	}
	w.mu.Lock()
	idle, ids, refused, why := time.Since(w.seen), []string{}, 0, ""
	for id := range w.joined {
		if w.refused[id] == "" {
			ids = append(ids, id)
		} else {
			refused, why = refused+1, w.refused[id]
		}
	}
	w.mu.Unlock()
	if refused > 0 && len(ids) == 0 {
		return &child.RefusedError{Why: why}
	}
	if idle < w.Idle {
		return nil
	}
	for _, id := range ids {
		// What others have may come back.
		if s, err := w.Pool.StateOf(ctx, id); err == nil && s.Left() > 0 && !s.Paused {
			return nil
		}
	}
	return errStopped
}

func (w *Worker) note(change func(*WorkerState)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = time.Now()
	change(&w.state)
}

// refuse notes that the worker cannot answer a sweep.
func (w *Worker) refuse(id, why string) {
	w.mu.Lock()
	isNew := w.refused[id] == ""
	w.refused[id] = why
	w.mu.Unlock()
	if isNew {
		w.Log.Error("refused: "+why, "sweep", id)
		w.tell(id)
	}
}

// turn looks for a task in each sweep, and carries it out.
func (s *slot) turn(ctx context.Context) error {
	w := s.worker
	sweeps, err := w.join(ctx)
	if err != nil {
		if ctx.Err() == nil {
			w.Log.Warn("the nodes do not answer", "why", err)
			pause(ctx, time.Second)
		}
		return nil
	}
	for _, own := range sweeps {
		// One that has tasks is asked again and again; the child stays the same.
		for ctx.Err() == nil {
			got, err := own.Tasks.Fetch(ctx, 1, time.Second)
			if err != nil || len(got) == 0 {
				break
			}
			w.note(func(s *WorkerState) { s.Busy++ })
			s.carryOut(ctx, own, got[0])
			w.note(func(s *WorkerState) { s.Busy-- })
			if w.isRefused(own.ID) {
				break
			}
		}
	}
	if len(sweeps) == 0 {
		pause(ctx, time.Second)
	}
	if ctx.Err() != nil {
		return nil
	}
	return w.isOver(ctx)
}

func (w *Worker) isRefused(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refused[id] != ""
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// carryOut carries out a task under its lease.
func (s *slot) carryOut(ctx context.Context, own *jetstream.Sweep, l queue.Lease) {
	w := s.worker
	if l.Handed() > 1 {
		w.Metrics.again()
	}
	err := queue.Hold(ctx, own.Tasks, l, func(ctx context.Context) error { return s.answer(ctx, own, l.Task()) })
	var refused *child.RefusedError
	switch {
	case err == nil:
		if err := l.Done(ctx); err != nil && ctx.Err() == nil {
			w.Log.Info("a task may be handed out again", "why", err)
		}
	case errors.As(err, &refused):
		w.refuse(own.ID, refused.Why)
		l.Return(ctx, time.Second) // else it comes back by itself
	case errors.Is(err, queue.ErrLost):
		w.Log.Warn("a task went to another worker, as this one was not heard of", "silence", own.Tasks.Silence())
	case ctx.Err() != nil:
		l.Return(context.WithoutCancel(ctx), 0)
	default:
		w.Log.Warn("a task is given back", "why", err)
		l.Return(ctx, time.Second)
	}
}

// threads is how many threads each child may use: the slots share the processors.
func (w *Worker) threads() string {
	return fmt.Sprint("GOMAXPROCS=", max(runtime.GOMAXPROCS(0)/max(w.Slots, 1), 1))
}
