package sweep

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep/queue"
)

// sweeper answers parts in this process.
type sweeper struct {
	Options
	parts []*part

	mu    sync.Mutex
	done  int
	alone bool // no other part is answered at the time
}

// answer answers the parts, several at a time. What ran out of memory beside others is
// asked again alone.
func (s *sweeper) answer(ctx context.Context) {
	workers := s.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s.alone = workers == 1
	if s.Queue == nil || !s.work(ctx, s.Queue, workers) {
		s.work(ctx, queue.NewMemory(time.Hour), workers) // no goroutine of this process gets lost
	}
	if s.alone {
		return
	}
	s.alone = true
	for _, p := range s.parts {
		if slices.ContainsFunc(p.rows, func(r Row) bool { return !r.Stored && ranOutOfMemory(r) }) && ctx.Err() == nil {
			s.answerPart(ctx, p)
		}
	}
}

// work hands out the parts by a queue. False: that has failed, and there is more to do.
func (s *sweeper) work(ctx context.Context, q queue.Queue, workers int) bool {
	if len(s.parts) == 0 {
		return true
	}
	if err := s.publish(ctx, q, workers); err != nil {
		return false
	}
	working, allDone := context.WithCancel(ctx)
	defer allDone()
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for working.Err() == nil {
				// The queue may have tasks of others, and ours may have gone: it is asked until nothing is left to do.
				got, err := q.Fetch(working, 1, time.Second)
				if err != nil {
					return
				}
				for _, l := range got {
					s.carryOut(working, q, l)
				}
				if s.isDone() {
					allDone()
				}
			}
		})
	}
	running.Wait()
	return ctx.Err() != nil || s.isDone()
}

// maxBatch is how many parts a task has at most; there are eight tasks at least for each worker.
const maxBatch = 25

// publish publishes the numbers of the parts. What an earlier sweep has died of comes last.
func (s *sweeper) publish(ctx context.Context, q queue.Queue, workers int) error {
	if err := q.Clear(ctx); err != nil {
		return err
	}
	order := make([]int, len(s.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.parts[a].deaths - s.parts[b].deaths })
	run := strconv.FormatInt(time.Now().UnixNano(), 36)
	for batch := range slices.Chunk(order, min(max(len(order)/(8*workers), 1), maxBatch)) {
		task, err := json.Marshal(batch)
		if err != nil {
			return err
		}
		if err := q.Publish(ctx, answers.Hash(run, batch), task); err != nil {
			return err
		}
	}
	return nil
}

// carryOut answers the parts of a task.
func (s *sweeper) carryOut(ctx context.Context, q queue.Queue, l queue.Lease) {
	err := queue.Hold(ctx, q, l, func(ctx context.Context) error {
		var batch []int
		if err := json.Unmarshal(l.Task(), &batch); err != nil {
			return nil // it is no task of this sweep
		}
		for _, n := range batch {
			if n < 0 || n >= len(s.parts) {
				continue
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.answerOnce(ctx, s.parts[n])
		}
		return nil
	})
	if err == nil {
		l.Done(ctx) // if that fails it is handed out again, and is done
	}
}

// answerOnce answers a part unless that was done.
func (s *sweeper) answerOnce(ctx context.Context, p *part) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	s.answerPart(ctx, p)
	if ctx.Err() != nil && p.err != nil {
		return
	}
	p.done = true
	s.progress(len(s.parts))
}

func (s *sweeper) isDone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done == len(s.parts)
}

func (s *sweeper) progress(total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	if s.Progress != nil {
		s.Progress(s.done, total)
	}
}
