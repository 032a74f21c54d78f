// Package queuetest holds queues and buckets to what package queue promises of them.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/empire-go/empire-go/sweep/queue"
)

// Queue tests a queue. The function returns a new one each time, whose holders may be silent for so long.
func Queue(t *testing.T, fresh func(t *testing.T, silence time.Duration) queue.Queue) {
	tests := map[string]func(t *testing.T, q queue.Queue){
		"order": order, "identity": identity, "return": giveBack, "clear": remove, "canceled": canceled,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, fresh(t, time.Minute)) }) // nobody is silent by being slow
	}
	// These wait for silences, and nothing else: so they do it side by side.
	for name, test := range map[string]func(t *testing.T, q queue.Queue){"silence": silence, "many": many, "lost": lost} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, fresh(t, brief))
		})
	}
}

// brief is a silence that passes, and is longer than what a busy machine may take for a step.
const brief = 1500 * time.Millisecond

// soon is for what comes at once, but on a busy machine, and late for what comes after a silence.
const soon = time.Minute

func late(q queue.Queue) time.Duration { return 5*q.Silence() + soon }

func publish(t *testing.T, q queue.Queue, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := q.Publish(t.Context(), name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
}

// take fetches one task, with the name wanted.
func take(t *testing.T, q queue.Queue, wait time.Duration, want string) queue.Lease {
	t.Helper()
	got, err := q.Fetch(t.Context(), 1, wait)
	if err != nil || len(got) != 1 {
		t.Fatalf("%d tasks, %v; want %s", len(got), err, want)
	}
	if string(got[0].Task()) != want {
		t.Fatalf("task %s, want %s", got[0].Task(), want)
	}
	return got[0]
}

// none requires that there is nothing to fetch.
func none(t *testing.T, q queue.Queue, wait time.Duration) {
	t.Helper()
	if got, err := q.Fetch(t.Context(), 1, wait); err != nil || len(got) > 0 {
		t.Fatalf("%d tasks, %v; want none", len(got), err)
	}
}

// count waits until there are so many tasks.
func count(t *testing.T, q queue.Queue, want queue.Count) {
	t.Helper()
	var got queue.Count
	for end := time.Now().Add(soon); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var err error
		if got, err = q.Count(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got == want {
			return
		}
	}
	t.Fatalf("%+v, want %+v", got, want)
}

func done(t *testing.T, l queue.Lease) {
	t.Helper()
	if err := l.Done(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// order: the oldest first, several at a time.
func order(t *testing.T, q queue.Queue) {
	count(t, q, queue.Count{})
	publish(t, q, "a", "b", "c", "d")
	count(t, q, queue.Count{Waiting: 4})
	first := take(t, q, soon, "a")
	if first.Handed() != 1 {
		t.Errorf("handed out %d times", first.Handed())
	}
	count(t, q, queue.Count{Waiting: 3, Held: 1})
	rest, err := q.Fetch(t.Context(), 3, soon)
	if err != nil || len(rest) != 3 {
		t.Fatalf("%d tasks, %v", len(rest), err)
	}
	for i, l := range rest {
		if want := string("bcd"[i]); string(l.Task()) != want {
			t.Errorf("task %s, want %s", l.Task(), want)
		}
		done(t, l)
	}
	done(t, first)
	count(t, q, queue.Count{})
	none(t, q, 10*time.Millisecond)
}

// identity: what has been added is left out, also when it is done.
func identity(t *testing.T, q queue.Queue) {
	publish(t, q, "a", "a", "a")
	l := take(t, q, soon, "a")
	none(t, q, 20*time.Millisecond)
	done(t, l)
	publish(t, q, "a")
	count(t, q, queue.Count{})
}

// silence: who says nothing loses the task, who does keeps it.
func silence(t *testing.T, q queue.Queue) {
	publish(t, q, "a")
	lazy := take(t, q, soon, "a")
	begin := time.Now()
	l := take(t, q, late(q), "a")
	if spent := time.Since(begin); spent < q.Silence()*8/10 {
		t.Errorf("handed to another after %s", spent)
	}
	if l.Handed() != 2 {
		t.Errorf("handed out %d times", l.Handed())
	}
	for range 6 {
		time.Sleep(q.Silence() / 3)
		if err := l.Extend(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	none(t, q, q.Silence()/4)
	done(t, l)
	lazy.Done(t.Context()) // may be an error, but does no harm
	count(t, q, queue.Count{})
	none(t, q, 2*q.Silence())
}

// giveBack: what is given back is for others, but not at once.
func giveBack(t *testing.T, q queue.Queue) {
	publish(t, q, "a")
	l := take(t, q, soon, "a")
	const after = 150 * time.Millisecond
	begin := time.Now()
	if err := l.Return(t.Context(), after); err != nil {
		t.Fatal(err)
	}
	l = take(t, q, soon+late(q), "a")
	if spent := time.Since(begin); spent < after*8/10 {
		t.Errorf("handed out again after %s", spent)
	}
	done(t, l)
	count(t, q, queue.Count{})
}

// many: several workers, of which each drops some tasks, do each task once or more.
func many(t *testing.T, q queue.Queue) {
	const tasks, workers = 200, 4
	for i := range tasks {
		publish(t, q, fmt.Sprint(i))
	}
	var mu sync.Mutex
	did := map[string]int{}
	var running sync.WaitGroup
	for w := range workers {
		running.Go(func() {
			for n := 0; ; n++ {
				got, err := q.Fetch(t.Context(), 1, q.Silence()*2)
				if err != nil {
					t.Error(err)
					return
				}
				if len(got) == 0 {
					return
				}
				if (n+w)%37 == 7 && got[0].Handed() == 1 {
					continue
				}
				mu.Lock()
				did[string(got[0].Task())]++
				mu.Unlock()
				if err := got[0].Done(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	twice := 0
	for i := range tasks {
		switch n := did[fmt.Sprint(i)]; {
		case n == 0:
			t.Errorf("task %d is lost", i)
		case n > 1:
			twice++
		}
	}
	if twice > 0 {
		t.Errorf("%d tasks were done twice", twice)
	}
	count(t, q, queue.Count{})
}

// lost: who holds a task is told when it is another's.
func lost(t *testing.T, q queue.Queue) {
	publish(t, q, "a", "b")
	a := take(t, q, soon, "a")
	if err := queue.Hold(t.Context(), q, a, func(ctx context.Context) error {
		time.Sleep(2 * q.Silence())
		return ctx.Err()
	}); err != nil {
		t.Fatal(err)
	}
	done(t, a)
	b := take(t, q, soon, "b")
	err := queue.Hold(t.Context(), q, silent{b}, func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(late(q)):
			return nil
		}
	})
	if !errors.Is(err, queue.ErrLost) {
		t.Errorf("%v, want %v", err, queue.ErrLost)
	}
	done(t, take(t, q, late(q), "b"))
}

// silent is held by who is not heard.
type silent struct{ queue.Lease }

func (silent) Extend(context.Context) error { return errors.New("not heard") }

func remove(t *testing.T, q queue.Queue) {
	publish(t, q, "a", "b")
	take(t, q, soon, "a")
	if err := q.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	count(t, q, queue.Count{})
	publish(t, q, "c")
	done(t, take(t, q, soon, "c"))
}

func canceled(t *testing.T, q queue.Queue) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if got, err := q.Fetch(ctx, 1, time.Minute); err == nil || len(got) > 0 {
		t.Errorf("%d tasks, %v", len(got), err)
	}
	if spent := time.Since(begin); spent > soon {
		t.Errorf("waited %s", spent)
	}
}

// Bucket tests an empty bucket.
func Bucket(t *testing.T, b queue.Bucket) {
	ctx := t.Context()
	must := func(err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Fatalf("%v, want %v", err, want)
		}
	}
	_, _, err := b.Get(ctx, "a1")
	must(err, queue.ErrNone)
	must(b.Create(ctx, "a1", []byte("x")), nil)
	must(b.Create(ctx, "a1", []byte("y")), queue.ErrExists)
	value, revision, err := b.Get(ctx, "a1")
	must(err, nil)
	if string(value) != "x" {
		t.Fatalf("%q", value)
	}
	must(b.Update(ctx, "a1", []byte("z"), revision), nil)
	must(b.Update(ctx, "a1", []byte("w"), revision), queue.ErrExists)
	if value, _, err = b.Get(ctx, "a1"); err != nil || string(value) != "z" {
		t.Fatalf("%q, %v", value, err)
	}
	must(b.Remove(ctx, "a1"), nil)
	must(b.Remove(ctx, "none"), nil)
	_, _, err = b.Get(ctx, "a1")
	must(err, queue.ErrNone)
	must(b.Create(ctx, "a1", []byte("v")), nil)
}
