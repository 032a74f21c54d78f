package pool

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep/child"
	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/queue"
)

// gather hands out what has no answer, and takes in what workers hand in, until nothing is open.
func (c *Coordinator) gather(ctx context.Context) error {
	c.Log.Info("the sweep has begun", "sweep", c.id, "parts", len(c.byKey), "open", c.open)
	stop, err := c.listen(ctx)
	if err != nil {
		return err
	}
	defer stop()
	c.checks, c.wrong = make(chan toVerify, len(c.byKey)+1), make(chan toVerify, 1)
	verifying, end := context.WithCancel(ctx)
	defer end()
	verified := make(chan int, 1)
	go func() { verified <- c.verify(verifying) }()
	err = c.loop(ctx)
	close(c.checks)
	if err != nil {
		end()
	}
	c.sum.Verified = <-verified
	if err == nil {
		err = c.wrongAnswer(ctx)
	}
	return err
}

// maxLost bounds how often the queues are made again, which the nodes have lost: somebody may remove them on purpose.
const maxLost = 20

// beforeAgain is how long one waits before that: who used a queue that is removed hears of it before its files are
// gone, and files of a new one with that name would go with them.
const beforeAgain = time.Second

// loop is gather until nothing is open. The queues are made if they are not there. Those that are gone, as they may be
// when the only node that knew of them was killed, are made again: all that counts is in the bucket.
func (c *Coordinator) loop(ctx context.Context) error {
	for lost := 0; ; {
		queues, err := c.Pool.OpenSweep(ctx, c.id, cmp.Or(c.Silence, DefaultSilence))
		if err == nil {
			c.queues = queues
			err = c.handOut(ctx)
		}
		if err == nil || ctx.Err() != nil || !jetstream.IsGone(err) {
			return err
		}
		if lost++; lost > maxLost {
			return fmt.Errorf("the queue of the sweep is gone, again and again (%w); sweep again to go on", err)
		}
		c.Log.Warn("the queue of the sweep is gone, and is made again", "why", err)
		pause(ctx, beforeAgain)
	}
}

// handOut hands out what has no answer, and takes in results, until nothing is open or the queues are gone.
func (c *Coordinator) handOut(ctx context.Context) error {
	if err := c.publishOpen(ctx); err != nil {
		return err
	}
	for c.open > 0 {
		if err := c.wrongAnswer(ctx); err != nil {
			return err
		}
		got, err := c.queues.Results.Fetch(ctx, 100, time.Second)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.Log.Warn("the nodes do not answer", "why", err)
			if jetstream.IsGone(err) {
				return err
			}
			continue
		}
		if len(got) > 0 {
			if err := c.takeIn(ctx, got); err != nil {
				return err
			}
			continue
		}
		if err := c.publishOpen(ctx); err != nil {
			return err
		}
	}
	return nil
}

// publishOpen hands out what has no answer, if nothing is handed out any more: at first, when the coordinator was
// started again after all was done, and when answers were lost or did not count.
func (c *Coordinator) publishOpen(ctx context.Context) error {
	tasks, err := c.queues.Tasks.Count(ctx)
	if err != nil {
		return err
	}
	results, err := c.queues.Results.Count(ctx)
	if err != nil || tasks.Left()+results.Left() > 0 {
		return err
	}
	if c.sum.Published > 0 { // another coordinator may have taken in the answers
		if err := c.recall(ctx); err != nil || c.open == 0 {
			return err
		}
	}
	if c.sum.Published++; c.sum.Published%10 == 0 {
		c.Log.Warn("some of the sweep has been handed out again and again", "open", c.open, "times", c.sum.Published)
	}
	batches, err := c.batches()
	if err != nil {
		return err
	}
	c.Log.Info("handing out", "sweep", c.id, "parts", c.open, "tasks", len(batches), "time", c.sum.Published)
	for _, t := range batches {
		text, err := pack(t)
		if err != nil {
			return err
		}
		var keys []string
		for _, a := range t.Asked {
			keys = append(keys, a.Key)
		}
		if err := c.queues.Tasks.Publish(ctx, answers.Hash(keys, c.sum.Published, c.began.UnixNano()), text); err != nil {
			return err
		}
	}
	return nil
}

// batches returns the tasks: what is open of one program after the other.
func (c *Coordinator) batches() (all []*task, err error) {
	size := c.Batch
	if size == 0 {
		size = DefaultBatch
	}
	var open []*sought
	for _, s := range c.byKey {
		if !s.answered {
			open = append(open, s)
		}
	}
	slices.SortFunc(open, func(a, b *sought) int {
		if n := strings.Compare(a.asked.Program, b.asked.Program); n != 0 {
			return n
		}
		return a.parts[0] - b.parts[0]
	})
	load := c.Load
	load.Dir = ""
	var last *task
	for i, s := range open {
		if last == nil || len(last.Asked) == size || open[i-1].asked.Program != s.asked.Program {
			last = &task{Module: c.Plan.ModuleRoot(), Load: load, Run: c.run}
			if c.Shipment != nil {
				last.Sources, last.Sub = c.Shipment.Name, c.Shipment.Sub
			}
			all = append(all, last)
		}
		r := s.asked.Request
		r.Dir = ""
		differs, err := differing(r, load)
		if err != nil {
			return nil, err
		}
		last.Asked = append(last.Asked, asked{s.asked.Key, s.asked.Program, differs})
	}
	return all, nil
}

// takeIn looks at results, keeps the answers that count, and then lets go of the results.
func (c *Coordinator) takeIn(ctx context.Context, got []queue.Lease) error {
	type counted struct {
		s *sought
		answered
		worker string
		before bool
	}
	var all []counted
	for _, l := range got {
		sum := sha256.Sum256(l.Task())
		if c.seen[sum] {
			continue
		}
		c.seen[sum] = true
		r, from := result{}, from(l)
		if err := unpack(l.Task(), &r); err != nil {
			c.Log.Warn("a result cannot be read", "worker", from, "why", err)
			continue
		}
		worker := child.Clip(r.Worker)
		if from != "" {
			worker = from + "/" + worker
		}
		for _, a := range r.Answers {
			s := c.byKey[a.Key]
			err := a.check()
			switch {
			case s == nil:
				c.sum.Foreign++
				c.Log.Warn("an answer to what was not handed out does not count", "worker", worker)
			case err != nil:
				c.Log.Warn("an answer does not count", "worker", worker, "why", err)
			default:
				all = append(all, counted{s, a, worker, s.answered})
			}
		}
	}
	now := make([]*kept, len(all))
	err := parallel(len(all), func(i int) (err error) {
		a := all[i]
		if a.before {
			return nil
		}
		k := &kept{a.Answer, a.s.asked.Request.Timeout, a.s.asked.Request.Memory, a.worker, c.run}
		now[i], err = keep(ctx, c.bucket, a.Key, k, c.Again)
		return err
	})
	if err != nil {
		return err
	}
	for i, a := range all {
		c.sum.Answered++
		c.sum.Crashes += a.Crashes
		if a.before || a.s.answered {
			c.sum.Twice++
			c.Metrics.second()
			continue
		}
		c.Metrics.answered(now[i].Answer, 0)
		a.s.worker = a.worker
		c.set(a.s, now[i].Answer, false)
		c.draw(a.s, now[i])
	}
	return parallel(len(got), func(i int) error {
		if err := got[i].Done(ctx); err != nil {
			c.Log.Info("a result may be looked at again", "why", err)
		}
		return nil
	})
}

// from returns who the nodes say has handed in a result; "": they do not know.
func from(l queue.Lease) string {
	if known, ok := l.(interface{ From() string }); ok && known.From() != jetstream.Nobody {
		return known.From()
	}
	return ""
}

// listen hears of workers that refuse, and tells how far the sweep is.
func (c *Coordinator) listen(ctx context.Context) (stop func(), err error) {
	var mu sync.Mutex
	said := map[string]bool{}
	quiet, err := c.Pool.States(func(s jetstream.State) {
		var w WorkerState
		if s.Sweep != c.id || unpack(s.Text, &w) != nil || w.Refused == "" {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if !said[w.Worker] {
			said[w.Worker] = true
			c.Log.Error("refused: "+child.Clip(w.Refused), "worker", child.Clip(w.Worker))
		}
	})
	if err != nil {
		return nil, err
	}
	return quiet, nil
}
