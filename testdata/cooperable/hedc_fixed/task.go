package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
)

// task is to fetch the page of a day for a search.
type task struct {
	search *search
	day    int
	page   string

	mu        sync.Mutex
	cancelled bool
	worker    int // who has begun it, 0 nobody
	stop      context.CancelFunc
}

// run fetches the page, unless the task is cancelled.
func (t *task) run(worker int) {
	//empire:yield
	ctx, isOpen := t.begin(worker)
	if !isOpen {
		return
	}
	found, err := fetch(ctx, t.page)
	//empire:yield
	t.store(found, err)
}

// begin notes who is at the task.
func (t *task) begin(worker int) (ctx context.Context, isOpen bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancelled {
		return nil, false
	}
	t.worker = worker
	ctx, t.stop = context.WithCancel(context.Background())
	return ctx, true
}

// store gives what was found to the search, if the task is not cancelled.
func (t *task) store(found []observation, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancelled {
		return
	}
	t.stop()
	t.search.add(t.day, found, err)
}

// cancel stops the task, if it is not done.
func (t *task) cancel() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelled = true
	t.search.leaveOut(t.day, t.worker)
	if t.stop != nil {
		t.stop()
	}
}

// fetch gets a page.
func fetch(ctx context.Context, page string) (found []observation, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	err = json.NewDecoder(answer.Body).Decode(&found)
	return found, err
}
