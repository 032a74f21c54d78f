package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/queue"
)

// toVerify is an answer that was drawn.
type toVerify struct {
	asked  sweep.Asked
	answer sweep.Answer
	worker string
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

// verify answers again what was drawn, and compares, until one is wrong. It returns how many were compared.
func (c *Coordinator) verify(ctx context.Context) (compared int) {
	for v := range c.checks {
		own, err := sweep.Ask(ctx, c.Session, v.asked)
		if ctx.Err() != nil {
			return compared
		}
		if err != nil || !own.IsDecided() {
			continue // nothing can be said
		}
		compared++
		if !isSame(own, v.answer) {
			c.wrong <- v
			break
		}
	}
	return compared
}

// wrongAnswer returns the error of a wrong answer, if one was found; those of its worker are removed.
func (c *Coordinator) wrongAnswer(ctx context.Context) error {
	select {
	case v := <-c.wrong:
		c.forget(ctx, v.worker)
		return fmt.Errorf("worker %s: has handed in a wrong answer to %s %v; its answers are removed, keep it out and "+
			"sweep again", v.worker, v.asked.Request.Type, v.asked.Request.Fields)
	default:
		return nil
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
