// Package trace counts what belongs to a request.
package trace

import (
	"context"
	"sync"
)

// Tracer begins traces.
type Tracer struct{ limit int }

// New returns a tracer.
func New(limit int) *Tracer { return &Tracer{limit: limit} }

// Begin begins a trace.
func (t *Tracer) Begin() *Trace { return &Trace{limit: t.limit} }

// Trace counts spans.
type Trace struct {
	mu    sync.Mutex
	spans int
	limit int
}

type key struct{}

// With puts the trace into a context.
func With(ctx context.Context, t *Trace) context.Context { return context.WithValue(ctx, key{}, t) }

// From returns the trace that is in a context. It makes none.
func From(ctx context.Context) *Trace {
	t, _ := ctx.Value(key{}).(*Trace)
	return t
}

// Span counts one more, up to the limit.
func (t *Trace) Span() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.spans >= t.limit {
		return false
	}
	t.spans++
	return true
}
