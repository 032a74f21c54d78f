package hook

import (
	"context"
	"reflect"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// These hooks record, in programs that are recorded in full, what else goroutines learn of each other by: how many
// messages a channel has, whether a context is done, and the groups that are no sync.WaitGroup.

// look carries out an operation that only looks at a channel, and records it in one step.
func (g *Goroutine) look(site uint32, p unsafe.Pointer, operation func()) {
	o := g.channelObject(trace.Declined, site, p)
	if o == nil {
		operation()
		return
	}
	o.exact.lock()
	defer o.exact.unlock()
	operation()
	g.numbered(trace.Declined, site, o)
}

// Len is len(ch).
func Len[T any](g *Goroutine, site uint32, ch <-chan T) (n int) {
	g.look(site, receiver(ch), func() { n = len(ch) })
	return n
}

// LenToSend is len(ch).
func LenToSend[T any](g *Goroutine, site uint32, ch chan<- T) (n int) {
	g.look(site, channel(ch), func() { n = len(ch) })
	return n
}

// Err is ctx.Err(): it looks whether the channel of the context is closed.
func Err(g *Goroutine, site uint32, ctx context.Context) (err error) {
	if g.off || ctx == nil {
		return ctx.Err()
	}
	done := receiver(ctx.Done())
	if t := reflect.TypeOf(ctx); t.Kind() == reflect.Pointer && t.Elem().PkgPath() == contextPath {
		if !isWatched(done) {
			g.look(site, done, func() { err = ctx.Err() })
			return err
		}
		return g.errAt(site, done, ctx)
	}
	if err = ctx.Err(); err != nil { // it may be the user's, and have hooks: it is not called while the channel is held
		seen(done)
	}
	g.look(site, done, func() {})
	return err
}

// errAt is Err for a context that may end by itself at any moment.
func (g *Goroutine) errAt(site uint32, done unsafe.Pointer, ctx context.Context) (err error) {
	o := g.channelObject(trace.Declined, site, done)
	if o == nil {
		return ctx.Err()
	}
	o.exact.lock()
	if err = ctx.Err(); err != nil {
		o.exact.unlock()
		seen(done)
		o.exact.lock()
	}
	defer o.exact.unlock()
	g.numbered(trace.Declined, site, o)
	return err
}

var contextPath = reflect.TypeFor[context.Context]().PkgPath()

// Ended is where a context is made that a function ends.
type Ended struct{ site uint32 }

// Ends is where such a context is made: Ends(g, site).By(context.WithCancel(parent)).
func Ends(g *Goroutine, site uint32) Ended { return Ended{site} }

// By returns both, and lets the function record that it closes the channel of the context.
func (e Ended) By(ctx context.Context, cancel context.CancelFunc) (context.Context, context.CancelFunc) {
	e.begun(ctx)
	return ctx, func() { e.end(ctx, cancel) }
}

// ByCause is By for context.WithCancelCause.
func (e Ended) ByCause(ctx context.Context, cancel context.CancelCauseFunc) (context.Context, context.CancelCauseFunc) {
	e.begun(ctx)
	return ctx, func(cause error) { e.end(ctx, func() { cancel(cause) }) }
}

func (e Ended) end(ctx context.Context, cancel func()) {
	g := Here()
	o := g.channelObject(trace.Close, e.site, receiver(ctx.Done()))
	if o == nil {
		cancel()
		return
	}
	own := receiver(ctx.Done())
	_, from := parent(ctx)
	if ctx.Err() != nil {
		seen(own)
	}
	o.exact.lock()
	defer o.exact.unlock()
	var all []unsafe.Pointer
	isMine := false
	if ctx.Err() == nil {
		all, isMine = ending(own, from)
	}
	if !isMine {
		cancel()
		g.numbered(trace.Declined, e.site, o)
		return
	}
	var with []*object
	for _, p := range all {
		if child := g.objectAt(p, 0); child != nil {
			child.exact.lock()
			defer child.exact.unlock()
			with = append(with, child)
		}
	}
	cancel()
	g.numbered(trace.Close, e.site, o)
	for _, child := range with {
		g.numbered(trace.Close, e.site, child)
	}
}

// BlockBegin and BlockEnd are around a statement that is to be atomic.
func (g *Goroutine) BlockBegin(site uint32) { g.frame(trace.UnitBegin, site, 0) }

// BlockEnd ends what BlockBegin has begun.
func (g *Goroutine) BlockEnd(site uint32) { g.frame(trace.UnitEnd, site, 0) }
