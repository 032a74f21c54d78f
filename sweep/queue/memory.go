package queue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Memory is a queue in memory, for the goroutines of one process.
type Memory struct {
	silence time.Duration

	mu    sync.Mutex
	tasks []*held
	known map[string]time.Time // when a task with the identity was added
	swept time.Time            // when identities were last forgotten
	added chan struct{}        // closed when something may be there to fetch
}

// held is a task of a queue in memory.
type held struct {
	text   []byte
	handed int
	until  time.Time // to when it is somebody's; past: it waits
}

// NewMemory returns an empty queue. Who holds a task may be silent for so long.
func NewMemory(silence time.Duration) *Memory {
	return &Memory{silence: silence, known: map[string]time.Time{}, added: make(chan struct{})}
}

// Silence is part of Queue.
func (m *Memory) Silence() time.Duration { return m.silence }

// Publish is part of Queue.
func (m *Memory) Publish(_ context.Context, id string, task []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if at, ok := m.known[id]; ok && now.Sub(at) < Window {
		return nil
	}
	if now.Sub(m.swept) > Window {
		for id, at := range m.known {
			if now.Sub(at) > Window {
				delete(m.known, id)
			}
		}
		m.swept = now
	}
	m.known[id] = now
	m.tasks = append(m.tasks, &held{text: task})
	m.wake()
	return nil
}

// wake lets those that wait look again. The caller holds the lock.
func (m *Memory) wake() {
	close(m.added)
	m.added = make(chan struct{})
}

// Fetch is part of Queue.
func (m *Memory) Fetch(ctx context.Context, n int, wait time.Duration) ([]Lease, error) {
	deadline := time.Now().Add(wait)
	for {
		got, next, added := m.take(n)
		if len(got) > 0 {
			return got, nil
		}
		if next.IsZero() || next.After(deadline) {
			next = deadline
		}
		timer := time.NewTimer(time.Until(next))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-added:
			timer.Stop()
		case <-timer.C:
			if !time.Now().Before(deadline) {
				return nil, nil
			}
		}
	}
}

// take takes tasks that wait; or tells when the first one that is held may.
func (m *Memory) take(n int) (got []Lease, next time.Time, added chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	for _, t := range m.tasks {
		if t.until.After(now) {
			if next.IsZero() || t.until.Before(next) {
				next = t.until
			}
			continue
		}
		if len(got) == n {
			break
		}
		t.handed++
		t.until = now.Add(m.silence)
		got = append(got, &memoryLease{m, t, t.handed})
	}
	return got, next, m.added
}

// Count is part of Queue.
func (m *Memory) Count(context.Context) (c Count, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tasks {
		if t.until.After(time.Now()) {
			c.Held++
		} else {
			c.Waiting++
		}
	}
	return c, nil
}

// Clear is part of Queue.
func (m *Memory) Clear(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tasks = nil
	return nil
}

// memoryLease is a task that was handed out.
type memoryLease struct {
	queue  *Memory
	task   *held
	handed int // how often it had been when this was made: whether it is still this holder's
}

var errNotHeld = errors.New("the task is not held any more")

func (l *memoryLease) Task() []byte { return l.task.text }
func (l *memoryLease) Handed() int  { return l.handed }

func (l *memoryLease) Extend(context.Context) error { return l.hold(l.queue.silence) }

func (l *memoryLease) Return(_ context.Context, after time.Duration) error {
	err := l.hold(after)
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	l.queue.wake()
	return err
}

// hold holds the task for so long from now on.
func (l *memoryLease) hold(d time.Duration) error {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	if l.task.handed != l.handed || !slices.Contains(l.queue.tasks, l.task) {
		return errNotHeld
	}
	l.task.until = time.Now().Add(d)
	return nil
}

func (l *memoryLease) Done(context.Context) error {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	if !slices.Contains(l.queue.tasks, l.task) {
		return errNotHeld // it is done
	}
	l.queue.tasks = slices.DeleteFunc(l.queue.tasks, func(t *held) bool { return t == l.task })
	return nil
}
