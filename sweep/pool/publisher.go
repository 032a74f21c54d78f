package pool

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/jetstream"
)

// publisher hands in answers: several at a time where they come fast, and each soon.
type publisher struct {
	worker *Worker
	sweep  *jetstream.Sweep

	mu     sync.Mutex
	result result
	size   int
	timer  *time.Timer // of what is kept back
}

// What is kept back at most: what a worker that is killed has answered in vain.
const (
	maxKeptBack = 200 * time.Millisecond
	maxTogether = 256 << 10 // bytes
)

// add hands in an answer.
func (p *publisher) add(ctx context.Context, a answered) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if len(text) > maxAnswer {
		if packed, err := pack(a); err != nil || len(packed) > maxAnswer || len(text) > maxUnpacked/2 {
			a.Answer = sweep.Answer{Error: fmt.Sprintf("the answer has more than %d MiB", maxAnswer>>20)}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size > 0 && p.size+len(text) > maxAnswer {
		if err := p.flushLocked(ctx); err != nil {
			return err
		}
	}
	p.result.Answers = append(p.result.Answers, a)
	if p.size += len(text); p.size > maxTogether {
		return p.flushLocked(ctx)
	}
	if p.timer == nil {
		// What fails here is handed in with the next ones, or at the end.
		p.timer = time.AfterFunc(maxKeptBack, func() { p.flush(ctx) })
	}
	return nil
}

// flush hands in what was kept back.
func (p *publisher) flush(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.flushLocked(ctx)
}

func (p *publisher) flushLocked(ctx context.Context) error {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if len(p.result.Answers) == 0 {
		return nil
	}
	p.result.Number = time.Now().UnixNano()
	text, err := pack(p.result)
	if err != nil {
		return err
	}
	id := answers.Hash(p.worker.Name, p.result.Answers[0].Key, p.result.Number)
	if err := p.sweep.Results.Publish(ctx, id, text); err != nil {
		return err
	}
	n := len(p.result.Answers)
	p.worker.note(func(s *WorkerState) { s.Answered += n })
	p.result.Answers, p.size = nil, 0
	return nil
}
