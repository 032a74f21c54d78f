// Package queue hands out tasks to workers so that none is lost, whichever process ends at whichever moment: a
// task is there until it is done, and one whose worker has not been heard of for a while goes to another. So a
// task may be carried out twice, which has to make no difference.
//
// There are two queues: one in memory (see Memory), for a single process, and one on NATS JetStream (package
// jetstream). Package queuetest holds both to what is promised here.
package queue

import (
	"context"
	"errors"
	"time"
)

// Queue is tasks that wait for workers, or are held by them. Any number of goroutines, and of processes where the
// queue reaches them, may use it at once.
type Queue interface {
	// Publish adds a task. One with the identity of another that was added within Window is left out, so that
	// who does not know whether it was added may do so again.
	Publish(ctx context.Context, id string, task []byte) error
	// Fetch hands out at most n tasks, the oldest first. It waits for the first of them, for so long; there are
	// none if none has come.
	Fetch(ctx context.Context, n int, wait time.Duration) ([]Lease, error)
	// Count returns how many tasks there are.
	Count(ctx context.Context) (Count, error)
	// Clear removes all tasks.
	Clear(ctx context.Context) error
	// Silence is how long the holder of a task may be silent before it goes to another.
	Silence() time.Duration
}

// Window is for how long identities of tasks are remembered, at least.
const Window = 2 * time.Minute

// Lease is a task that is held by a worker.
type Lease interface {
	Task() []byte
	// Handed returns how often the task has been handed out, this time included. It is a bad measure of what is
	// wrong with a task: a worker that has the wrong sources, or was stopped, counts too.
	Handed() int
	// Extend tells that the worker is alive.
	Extend(ctx context.Context) error
	// Done removes the task. An error means that it may be handed out again.
	Done(ctx context.Context) error
	// Return gives the task back: after so long it is for others.
	Return(ctx context.Context, after time.Duration) error
}

// Count is how many tasks there are.
type Count struct{ Waiting, Held int }

// Left returns how many tasks are not done.
func (c Count) Left() int { return c.Waiting + c.Held }

// ErrLost is why a task is no longer carried out: its worker was silent for so long that it is another's.
var ErrLost = errors.New("the task was handed to another worker")

// Hold carries out a task, and tells meanwhile that the worker is alive, three times within what may pass in
// silence. The context of the call ends, with ErrLost as its cause, when that did not succeed for so long,
// as of a process that was stopped for a while.
func Hold(ctx context.Context, q Queue, l Lease, carryOut func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		heard := time.Now()
		tick := time.NewTicker(q.Silence() / 3)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			if time.Since(heard) > q.Silence() {
				cancel(ErrLost)
				return
			}
			if l.Extend(ctx) == nil {
				heard = time.Now()
			}
		}
	}()
	err := carryOut(ctx)
	close(ended)
	<-stopped
	if cause := context.Cause(ctx); errors.Is(cause, ErrLost) {
		return ErrLost
	}
	return err
}
