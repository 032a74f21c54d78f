package hook

import (
	"context"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// A group of goroutines that hand on an error may have a context (errgroup.WithContext), which ends with the first
// error, or with Wait. The group gets a context of ours in between, that ends first, in one step with the record; the
// group's own end of it comes too late to change anything. Others may see that before the group has the error, and fail
// as well: the group is told of the first error only, as it keeps no other.

// groupContext is the context of a group.
type groupContext struct {
	Ended
	ctx     context.Context // the one in between
	cancel  context.CancelCauseFunc
	running sync.WaitGroup // the functions of the group
	failed  atomic.Bool    // one of them
}

var groupContexts = struct {
	sync.Mutex
	of map[unsafe.Pointer]*groupContext // by the group
}{of: map[unsafe.Pointer]*groupContext{}}

// GroupOf is errgroup.WithContext(ctx), which make is.
func GroupOf[T any](g *Goroutine, site uint32, make func(context.Context) (*T, context.Context),
	ctx context.Context) (*T, context.Context) {
	if g.off || ctx == nil || steering != nil {
		return make(ctx)
	}
	c := &groupContext{Ended: Ended{site}}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	c.begun(c.ctx)
	group, own := make(c.ctx)
	c.begun(own)
	groupContexts.Lock()
	defer groupContexts.Unlock()
	groupContexts.of[unsafe.Pointer(group)] = c
	return group, own
}

// groupContextOf is the context of a group that has one and has not been waited for.
func groupContextOf(group unsafe.Pointer) *groupContext {
	groupContexts.Lock()
	defer groupContexts.Unlock()
	return groupContexts.of[group]
}

// GoIn is group.Go(f), which start is, of a group that hands on an error.
func GoIn[T any](g *Goroutine, site uint32, group *T, start func(func() error), f func() error) {
	TryGoIn(g, site, group, func(f func() error) bool { start(f); return true }, f)
}

// TryGoIn is group.TryGo(f).
func TryGoIn[T any](g *Goroutine, site uint32, group *T, start func(func() error) bool, f func() error) bool {
	if g.off || group == nil || f == nil {
		return start(f)
	}
	p := unsafe.Pointer(group)
	g.before(trace.Add, site, p)
	of := groupContextOf(p)
	if of != nil {
		of.running.Add(1)
	}
	c := g.Fork(site)
	g.mayWait() // there may be a limit
	started := start(func() (err error) {
		if of != nil {
			defer of.running.Done()
		}
		g := c.Begin()
		defer g.End()
		defer g.before(trace.Done, site, p)
		if err = f(); err == nil || of == nil {
			return err
		}
		if of.failed.Swap(true) {
			return nil
		}
		of.end(of.ctx, func() { of.cancel(err) })
		return err
	})
	if !started && of != nil {
		of.running.Done()
	}
	return started
}

// WaitIn is group.Wait(). The context ends when all functions have returned.
func WaitIn[T any](g *Goroutine, site uint32, group *T, wait func() error) (err error) {
	p := unsafe.Pointer(group)
	of := groupContextOf(p)
	if of == nil {
		g.wait(trace.Wait, site, p, func() { err = wait() })
		return err
	}
	g.wait(trace.Wait, site, p, of.running.Wait)
	if of.ctx.Err() != nil {
		err = wait()
	} else {
		of.end(of.ctx, func() {
			err = wait() // it has nothing to wait for but the last steps of the group
			of.cancel(err)
		})
	}
	groupContexts.Lock()
	delete(groupContexts.of, p)
	groupContexts.Unlock()
	return err
}
