package pool

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/child"
	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/queue"
)

// Coordinator plans a sweep, hands it out and gathers the answers. It keeps nothing by itself: when it is killed, and
// started again, the identity of the sweep is the same, as that is a hash of all that it asks; the answers are in the
// bucket, and what it had not looked at is in the queue of results. A sweep is done when each part of the plan has an
// answer in the bucket, and not before.
type Coordinator struct {
	Pool     *jetstream.Pool
	Session  *empire.Session
	Plan     *sweep.Plan
	Load     empire.Request // that the session has loaded
	Shipment *Shipment      // nil: each worker has a checkout
	Again    bool           // answer what has been answered before as well
	Silence  time.Duration  // of a worker, after which its task goes to another; 0: DefaultSilence
	Batch    int            // parts in a task; 0: DefaultBatch
	// Verify is of how many answers one is answered here again, drawn at random, besides the first one of each
	// worker; 1: all, 0: none.
	Verify   int
	Log      *slog.Logger
	Metrics  *Metrics // may be nil
	Progress func(done, total int)

	id     string
	run    string // with Again: which answers are those of this sweep
	bucket queue.Bucket
	queues *jetstream.Sweep
	byKey  map[string]*sought
	open   int // parts without an answer
	checks chan toVerify
	wrong  chan error
	first  map[string]bool            // workers of whom an answer was drawn
	seen   map[[sha256.Size]byte]bool // results that were looked at: one comes again if the nodes did not hear of that
	began  time.Time

	mu  sync.Mutex
	sum Summary
}

// The defaults of a Coordinator.
const (
	DefaultSilence = 30 * time.Second
	DefaultBatch   = 25
	DefaultVerify  = 100
)

// Summary is how a sweep was carried out.
type Summary struct {
	Sweep     string
	Parts     int
	Before    int // answers that were there
	Answered  int // answers that were handed in
	Twice     int // of them, a second time
	Crashes   int // of children
	Foreign   int // answers to what was not handed out, which do not count
	Verified  int
	Lost      int // parts without an answer in the end, unless the sweep was interrupted
	Workers   int
	Published int // how often what had no answer was handed out
	Seconds   float64
}

// sought is a part of the plan, or several that ask the same.
type sought struct {
	parts    []int
	asked    sweep.Asked
	answered bool
	worker   string
}

type toVerify struct {
	asked  sweep.Asked
	answer sweep.Answer
	worker string
}

// Run carries out the sweep. When the context is done it returns what has been answered by then; workers go on with
// what was handed out. An error means that there is no table: of the nodes, or that an answer is wrong.
func (c *Coordinator) Run(ctx context.Context) (*sweep.Table, Summary, error) {
	c.began = time.Now()
	err := c.prepare(ctx)
	if err == nil && c.open > 0 {
		err = c.gather(ctx)
	}
	c.sum.Seconds = time.Since(c.began).Seconds()
	if ctx.Err() != nil {
		return c.Plan.Table(true), c.sum, nil
	}
	c.sum.Lost = c.open
	if err != nil {
		return nil, c.sum, err
	}
	if c.queues != nil {
		if err := c.queues.Remove(ctx); err != nil {
			c.Log.Warn("the queue of the sweep is still there", "why", err)
		}
	}
	return c.Plan.Table(false), c.sum, nil
}

// prepare finds out what has no answer.
func (c *Coordinator) prepare(ctx context.Context) error {
	all, err := c.Plan.Asked()
	if err != nil {
		return err
	}
	c.byKey, c.first, c.seen = map[string]*sought{}, map[string]bool{}, map[[sha256.Size]byte]bool{}
	var keys []string
	for i, a := range all {
		if c.byKey[a.Key] == nil {
			c.byKey[a.Key] = &sought{asked: a}
			keys = append(keys, a.Key)
		}
		c.byKey[a.Key].parts = append(c.byKey[a.Key].parts, i)
	}
	c.id = answers.Hash(keys, c.Load.Timeout, c.Load.Memory, c.Again)[:16]
	c.sum.Sweep, c.sum.Parts, c.open = c.id, len(keys), len(keys)
	if c.bucket, err = c.Pool.Answers(ctx); err != nil {
		return err
	}
	if c.Again {
		c.run = strconv.FormatInt(c.began.UnixNano(), 36)
	} else if err := c.recall(ctx); err != nil {
		return err
	}
	c.sum.Before = len(keys) - c.open
	record, err := c.Plan.Record()
	if err != nil {
		return err
	}
	written, err := pack(record)
	if err != nil {
		return err
	}
	if c.Shipment != nil && c.open > 0 {
		if err := c.Pool.PutObject(ctx, sourcesName+c.Shipment.Name, c.Shipment.text); err != nil {
			return err
		}
	}
	return c.Pool.PutObject(ctx, planName+c.id, written)
}

// recall takes the answers that the bucket has to what is open.
func (c *Coordinator) recall(ctx context.Context) error {
	var open []*sought
	for _, s := range c.byKey {
		if !s.answered {
			open = append(open, s)
		}
	}
	found := make([]*kept, len(open))
	err := parallel(len(open), func(i int) error {
		k, _, err := lookUp(ctx, c.bucket, open[i].asked.Key)
		if err == nil && k != nil && k.isEnough(open[i].asked.Request, c.run) {
			found[i] = k
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, k := range found {
		if k != nil {
			c.set(open[i], k.Answer, true)
		}
	}
	return nil
}

// parallel calls the function for each number, several at a time, and returns an error of one of them.
func parallel(n int, each func(i int) error) error {
	const workers = 8
	var running sync.WaitGroup
	failures := make(chan error, workers)
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for range min(workers, n) {
		running.Go(func() {
			for i := range next {
				if err := each(i); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	running.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

// set is the answer to what was sought.
func (c *Coordinator) set(s *sought, a sweep.Answer, before bool) {
	for i := range a.Rows {
		a.Rows[i].Stored = before
	}
	for _, part := range s.parts {
		c.Plan.Set(part, a)
	}
	if !s.answered {
		s.answered = true
		c.open--
	}
	c.Metrics.left(c.open, len(c.byKey))
	if c.Progress != nil {
		c.Progress(len(c.byKey)-c.open, len(c.byKey))
	}
}

// gather hands out what has no answer, and takes in what workers hand in, until nothing is open.
func (c *Coordinator) gather(ctx context.Context) error {
	silence := c.Silence
	if silence == 0 {
		silence = DefaultSilence
	}
	var err error
	if c.queues, err = c.Pool.OpenSweep(ctx, c.id, silence); err != nil {
		return err
	}
	c.Log.Info("the sweep has begun", "sweep", c.id, "parts", len(c.byKey), "open", c.open)
	stop, err := c.listen(ctx)
	if err != nil {
		return err
	}
	defer stop()
	c.checks, c.wrong = make(chan toVerify, len(c.byKey)+1), make(chan error, 1)
	verified := make(chan struct{})
	go func() {
		defer close(verified)
		c.verify(ctx)
	}()
	err = c.loop(ctx)
	close(c.checks)
	if err != nil {
		return err
	}
	<-verified
	select {
	case err := <-c.wrong:
		return err
	default:
		return nil
	}
}

// loop is gather until nothing is open.
func (c *Coordinator) loop(ctx context.Context) error {
	if err := c.publishOpen(ctx); err != nil {
		return err
	}
	for c.open > 0 {
		select {
		case err := <-c.wrong:
			return err
		default:
		}
		got, err := c.queues.Results.Fetch(ctx, 100, time.Second)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.Log.Warn("the nodes do not answer", "why", err)
			if jetstream.IsGone(err) {
				return fmt.Errorf("the queue of the sweep is gone; sweep again to go on")
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

// draw decides whether an answer is answered here again.
func (c *Coordinator) draw(s *sought, k *kept) {
	if c.Verify == 0 || !k.Answer.IsDecided() || k.Answer.Error != "" {
		return
	}
	isFirst := !c.first[s.worker]
	c.first[s.worker] = true
	if isFirst {
		c.sum.Workers++
	}
	if isFirst || rand.IntN(c.Verify) == 0 {
		c.checks <- toVerify{s.asked, k.Answer, s.worker}
	}
}

// verify answers again what was drawn, and compares.
func (c *Coordinator) verify(ctx context.Context) {
	for v := range c.checks {
		own, err := sweep.Ask(ctx, c.Session, v.asked)
		if ctx.Err() != nil {
			return
		}
		if err != nil || !own.IsDecided() {
			continue // nothing can be said
		}
		c.sum.Verified++
		if isSame(own, v.answer) {
			continue
		}
		c.forget(ctx, v.worker)
		c.wrong <- fmt.Errorf("worker %s: has handed in a wrong answer to %s %v; its answers are removed, keep it out and "+
			"sweep again", v.worker, v.asked.Request.Type, v.asked.Request.Fields)
		return
	}
}

// isSame tells whether two answers are the same but for times.
func isSame(a, b sweep.Answer) bool {
	lasting := func(a sweep.Answer) string {
		a.Rows = slices.Clone(a.Rows)
		for i := range a.Rows {
			a.Rows[i].Milliseconds, a.Rows[i].Stored = 0, false
		}
		text, err := json.Marshal(a)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	return lasting(a) == lasting(b)
}

// forget removes the answers of a worker.
func (c *Coordinator) forget(ctx context.Context, worker string) {
	for key, s := range c.byKey {
		if s.worker == worker {
			if err := c.bucket.Remove(ctx, key); err != nil && !errors.Is(err, queue.ErrNone) {
				c.Log.Error("a wrong answer may still be there", "key", key, "why", err)
			}
		}
	}
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
