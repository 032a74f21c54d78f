// Package jetstream is the queue, and the bucket, on NATS JetStream: in this process (see Node and NodeOptions), or on
// a node or a cluster of three. It knows nothing of what the tasks are.
//
// A sweep has a stream of tasks and one of results, each with one consumer; answers of all sweeps are in one bucket
// of keys and values, and what is large in one of objects. The consumers allow any number of deliveries: a worker that
// dies, or has the wrong sources, must not use up tries.
package jetstream

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/empire-go/empire-go/sweep/queue"
)

const (
	streamPrefix = "SWEEP_"
	resultSuffix = "_RESULTS"
	workersName  = "workers"     // of the consumer of tasks
	resultsName  = "coordinator" // of that of results
	answerBucket = "EMPIRE_ANSWERS"
	objectBucket = "EMPIRE_OBJECTS"
)

// subjectOf returns the subject of messages about a sweep.
func subjectOf(sweep, what, from string) string { return "sweep." + sweep + "." + what + "." + from }

// Sweep is the queues of a sweep.
type Sweep struct {
	ID      string
	Tasks   queue.Queue
	Results queue.Queue

	pool *Pool
}

// OpenSweep returns the queues of a sweep, which are made if they are not there. Who holds a task may be silent for
// so long.
func (p *Pool) OpenSweep(ctx context.Context, id string, silence time.Duration) (*Sweep, error) {
	s := &Sweep{ID: id, pool: p}
	tasks, err := p.open(ctx, streamPrefix+id, workersName, subjectOf(id, "task", "all"), silence)
	if err != nil {
		return nil, err
	}
	tasks.subject = subjectOf(id, "task", "all")
	results, err := p.open(ctx, streamPrefix+id+resultSuffix, resultsName, subjectOf(id, "result", "*"), silence)
	if err != nil {
		return nil, err
	}
	results.subject = subjectOf(id, "result", nameOf(p.role))
	s.Tasks, s.Results = tasks, results
	return s, nil
}

// Nobody is who publishes results where the nodes do not know who that is.
const Nobody = "nobody"

func nameOf(r Role) string {
	if r.Name == "" {
		return Nobody
	}
	return r.Name
}

// open opens a stream with its consumer, which are made if they are not there.
func (p *Pool) open(ctx context.Context, name, consumer, subject string, silence time.Duration) (*natsQueue, error) {
	q := &natsQueue{pool: p, silence: silence}
	err := p.place(ctx, func(ctx context.Context, replicas int) (err error) {
		if q.stream, err = p.js.Stream(ctx, name); errors.Is(err, jetstream.ErrStreamNotFound) {
			q.stream, err = p.js.CreateStream(ctx, jetstream.StreamConfig{
				Name: name, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy,
				Storage: jetstream.FileStorage, Replicas: replicas, Duplicates: queue.Window,
			})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	q.look = func(ctx context.Context) error {
		_, err := q.stream.Info(ctx)
		return err
	}
	return q, again(ctx, func(ctx context.Context) (err error) {
		q.consumer, err = q.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: silence, MaxDeliver: -1,
			MaxAckPending: -1, FilterSubject: subject,
		})
		return err
	})
}

// patience is how long one waits for a node that is missing before less is done without it.
const patience = 10 * time.Second

// place makes what is kept on several nodes. Where one of them is missing, and stays so, that cannot be made: then it
// is kept on one.
func (p *Pool) place(ctx context.Context, make func(ctx context.Context, replicas int) error) error {
	begin := time.Now()
	return again(ctx, func(ctx context.Context) error {
		replicas := p.copies()
		if replicas > 1 && time.Since(begin) > patience {
			replicas = 1
		}
		return make(ctx, replicas)
	})
}

// JoinSweep returns the queues of a sweep for a worker: it can fetch tasks, and publish results.
func (p *Pool) JoinSweep(ctx context.Context, id string) (*Sweep, error) {
	tasks := &natsQueue{pool: p}
	err := again(ctx, func(ctx context.Context) (err error) {
		tasks.consumer, err = p.js.Consumer(ctx, streamPrefix+id, workersName)
		return err
	})
	if err != nil {
		return nil, err
	}
	tasks.silence = tasks.consumer.CachedInfo().Config.AckWait
	results := &natsQueue{pool: p, silence: tasks.silence, subject: subjectOf(id, "result", nameOf(p.role))}
	results.look = func(ctx context.Context) error { // a worker may not see the stream; the two go together
		_, err := tasks.consumer.Info(ctx)
		return err
	}
	return &Sweep{id, tasks, results, p}, nil
}

// IsGone tells whether an error is that a sweep has no queue any more.
func IsGone(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) ||
		errors.Is(err, jetstream.ErrConsumerDeleted) || errors.Is(err, jetstream.ErrNoStreamResponse)
}

// Remove removes the queues.
func (s *Sweep) Remove(ctx context.Context) error {
	for _, name := range []string{streamPrefix + s.ID, streamPrefix + s.ID + resultSuffix} {
		err := again(ctx, func(ctx context.Context) error { return s.pool.js.DeleteStream(ctx, name) })
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

// Pause hands out no more tasks of a sweep, until Resume. Those that are held go on.
func (p *Pool) Pause(ctx context.Context, id string) error {
	return again(ctx, func(ctx context.Context) error {
		_, err := p.js.PauseConsumer(ctx, streamPrefix+id, workersName, time.Now().AddDate(10, 0, 0))
		return err
	})
}

// Resume hands out tasks again.
func (p *Pool) Resume(ctx context.Context, id string) error {
	return again(ctx, func(ctx context.Context) error {
		_, err := p.js.ResumeConsumer(ctx, streamPrefix+id, workersName)
		return err
	})
}

// SweepState is what the nodes know of a sweep.
type SweepState struct {
	queue.Count
	Again  int    // tasks that were handed out more than once
	Leader string // the node that the others follow; "": there is one node, or none is chosen
	Paused bool
}

// StateOf returns what the nodes know of a sweep.
func (p *Pool) StateOf(ctx context.Context, id string) (s SweepState, err error) {
	err = again(ctx, func(ctx context.Context) error {
		consumer, err := p.js.Consumer(ctx, streamPrefix+id, workersName)
		if err != nil {
			return err
		}
		info, err := consumer.Info(ctx)
		if err != nil {
			return err
		}
		s = SweepState{Count: queue.Count{Waiting: int(info.NumPending), Held: info.NumAckPending},
			Again: info.NumRedelivered, Paused: info.Paused}
		if info.Cluster != nil {
			s.Leader = info.Cluster.Leader
		}
		return nil
	})
	return s, err
}

// natsQueue is a stream with its consumer.
type natsQueue struct {
	pool     *Pool
	subject  string
	silence  time.Duration
	stream   jetstream.Stream                // nil: this one may not see it
	consumer jetstream.Consumer              // nil: this one may not fetch
	look     func(ctx context.Context) error // an error for which IsGone says so where the stream is no more
}

// Silence is part of queue.Queue.
func (q *natsQueue) Silence() time.Duration { return q.silence }

// Publish is part of queue.Queue. That nobody takes the message may pass, as while a leader is elected; not where the
// stream is gone.
func (q *natsQueue) Publish(ctx context.Context, id string, task []byte) error {
	return againWithin(ctx, publishTime, func(ctx context.Context) error {
		_, err := q.pool.js.Publish(ctx, q.subject, task, jetstream.WithMsgID(id))
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			if gone := q.look(ctx); IsGone(gone) {
				return gone
			}
		}
		return err
	})
}

// maxPull is for how long one request for tasks waits: when a leader is lost, so is the request.
const maxPull = 2 * time.Second

// Fetch is part of queue.Queue.
func (q *natsQueue) Fetch(ctx context.Context, n int, wait time.Duration) ([]queue.Lease, error) {
	if q.consumer == nil {
		return nil, errors.New("only the coordinator may fetch these")
	}
	for end := time.Now().Add(wait); ; {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pull := max(min(time.Until(end), maxPull), 10*time.Millisecond)
		got, err := q.pull(ctx, n, pull)
		if len(got) > 0 {
			return got, nil
		}
		if err != nil && (IsGone(err) || q.pool.conn.IsClosed()) {
			return nil, err
		}
		if !time.Now().Before(end) {
			return nil, ctx.Err()
		}
		if err != nil && !sleep(ctx, 100*time.Millisecond) {
			return nil, ctx.Err()
		}
	}
}

func (q *natsQueue) pull(ctx context.Context, n int, wait time.Duration) (got []queue.Lease, err error) {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := q.consumer.Fetch(n, jetstream.FetchContext(limited))
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		got = append(got, natsLease{q, m})
		// One request may wait for the rest of what was asked for; there is no need to.
		if len(got) < n && len(batch.Messages()) == 0 {
			cancel()
		}
	}
	if err := batch.Error(); len(got) == 0 && err != nil && limited.Err() == nil {
		return nil, err
	}
	return got, nil
}

// Count is part of queue.Queue.
func (q *natsQueue) Count(ctx context.Context) (c queue.Count, err error) {
	err = again(ctx, func(ctx context.Context) error {
		held, err := q.consumer.Info(ctx)
		if err != nil {
			return err
		}
		info, err := q.stream.Info(ctx)
		if err != nil {
			return err
		}
		c.Held = held.NumAckPending
		c.Waiting = max(int(info.State.Msgs)-c.Held, 0)
		return nil
	})
	return c, err
}

// Clear is part of queue.Queue.
func (q *natsQueue) Clear(ctx context.Context) error {
	return again(ctx, func(ctx context.Context) error { return q.stream.Purge(ctx) })
}

// natsLease is a message.
type natsLease struct {
	queue   *natsQueue
	message jetstream.Msg
}

func (l natsLease) Task() []byte { return l.message.Data() }

func (l natsLease) Handed() int {
	about, err := l.message.Metadata()
	if err != nil {
		return 1
	}
	return int(about.NumDelivered)
}

// From returns who has published a result, as far as the nodes see to it.
func (l natsLease) From() string {
	return l.message.Subject()[strings.LastIndex(l.message.Subject(), ".")+1:]
}

func (l natsLease) Extend(context.Context) error {
	if !l.queue.pool.conn.IsConnected() {
		return errors.New("there is no connection")
	}
	return l.message.InProgress()
}

// Done waits for 5 s only: where the leader is lost, its answer may not come at all, and being handed out again costs
// less.
func (l natsLease) Done(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	return l.message.DoubleAck(ctx)
}

func (l natsLease) Return(_ context.Context, after time.Duration) error {
	return l.message.NakWithDelay(after)
}
