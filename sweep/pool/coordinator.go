package pool

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep"
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
	wrong  chan toVerify
	first  map[string]bool            // workers of whom an answer was drawn
	seen   map[[sha256.Size]byte]bool // results that were looked at: one comes again if the nodes did not hear of that
	began  time.Time
	sum    Summary
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

// parallel calls the function for each number, several at a time, and returns the first error; after that it calls it
// no more.
func parallel(n int, each func(i int) error) error {
	all, ctx := errgroup.WithContext(context.Background())
	all.SetLimit(8)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		all.Go(func() error { return each(i) })
	}
	return all.Wait()
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
