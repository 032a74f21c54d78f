package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/child"
	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/queue"
)

// slot carries out one task at a time, with a child that stays as long as the same packages are asked about.
type slot struct {
	worker  *Worker
	sources *sources
	home    string
	child   *child.Process
	loaded  string // what the child has loaded
	bucket  queue.Bucket
}

// maxCrashes is how often a part may end its child; then that is its answer.
const maxCrashes = 4

// answer answers what has no answer of a task. What crashes goes to the end: the rest of the task goes on.
func (s *slot) answer(ctx context.Context, own *jetstream.Sweep, text []byte) error {
	var t task
	if err := unpack(text, &t); err != nil {
		return &child.RefusedError{Why: "a task that cannot be read: " + err.Error()}
	}
	if err := t.check(); err != nil {
		return &child.RefusedError{Why: err.Error()}
	}
	left, err := s.unanswered(ctx, &t)
	if err != nil {
		return err
	}
	out := &publisher{worker: s.worker, sweep: own, result: result{Worker: s.worker.Name}}
	crashes := map[string]int{}
	for len(left) > 0 {
		next := left[0]
		asked, err := t.request(next)
		if err != nil {
			return &child.RefusedError{Why: "a task that cannot be read: " + err.Error()}
		}
		answer, err := s.ask(ctx, own, &t, asked)
		var crash *child.CrashError
		switch {
		case errors.As(err, &crash) && ctx.Err() == nil:
			crashes[next.Key]++
			s.worker.note(func(s *WorkerState) { s.Crashes++ })
			s.worker.Metrics.crash()
			s.worker.Log.Warn("a child has crashed", "program", next.Program, "crash", crashes[next.Key], "why", crash.Error())
			if crashes[next.Key] < maxCrashes {
				left = append(left[1:], next)
				continue
			}
			answer = sweep.Answer{Error: fmt.Sprintf("%s: the check has crashed %d times: %s", next.Program, maxCrashes,
				crash.Error())}
		case err != nil:
			out.flush(ctx) // what is known is handed in, if that is possible
			return err
		}
		left = left[1:]
		if err := out.add(ctx, answered{next.Key, answer, crashes[next.Key]}); err != nil {
			return err
		}
	}
	return out.flush(ctx)
}

// unanswered leaves out what the bucket has answers to: of a task that was handed out before, by another worker.
func (s *slot) unanswered(ctx context.Context, t *task) (left []asked, err error) {
	if s.bucket == nil {
		if s.bucket, err = s.worker.Pool.Answers(ctx); err != nil {
			return nil, err
		}
	}
	answered := make([]bool, len(t.Asked))
	err = parallel(len(t.Asked), func(i int) error {
		r, err := t.request(t.Asked[i])
		if err != nil {
			return &child.RefusedError{Why: "a task that cannot be read: " + err.Error()}
		}
		k, _, err := lookUp(ctx, s.bucket, r.Key)
		answered[i] = k != nil && k.isEnough(r.Request, t.Run)
		return err
	})
	for i, a := range t.Asked {
		if !answered[i] {
			left = append(left, a)
		}
	}
	return left, err
}

// ask has the slot's child answer a part; a new one, if there is none that has loaded what the task is about.
func (s *slot) ask(ctx context.Context, own *jetstream.Sweep, t *task, a sweep.Asked) (sweep.Answer, error) {
	load, err := json.Marshal(t.Load)
	if err != nil {
		return sweep.Answer{}, err
	}
	wanted := answers.Hash(t.Sources, t.Sub, string(load))
	if s.child != nil && s.loaded != wanted {
		s.child.Stop()
		s.child = nil
	}
	if s.child == nil {
		dir, env := s.worker.Dir, os.Environ()
		if t.Sources != "" {
			if dir, err = s.sources.dir(ctx, t.Sources); err != nil {
				return sweep.Answer{}, err
			}
			env = child.Env(s.home)
		}
		if dir, err = filepath.Abs(filepath.Join(dir, filepath.FromSlash(t.Sub))); err != nil {
			return sweep.Answer{}, err
		}
		if os.Getenv("GOMAXPROCS") == "" {
			env = append(env, s.worker.threads())
		}
		begin := time.Now()
		if s.child, err = child.Start(ctx, s.worker.Command, env, dir, t.Load); err != nil {
			return sweep.Answer{}, err
		}
		s.loaded = wanted
		s.worker.Metrics.loaded()
		s.worker.Log.Info("a child has loaded the packages", "sweep", own.ID, "module", t.Module, "process",
			s.child.ID(), "seconds", time.Since(begin).Seconds())
	}
	begin := time.Now()
	answer, err := s.child.Ask(ctx, a)
	if err != nil {
		s.child.Stop()
		s.child = nil
		return answer, err
	}
	s.worker.Metrics.answered(answer, time.Since(begin))
	return answer, nil
}
