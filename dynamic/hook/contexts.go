package hook

import (
	"context"
	"reflect"
	"sync"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// A context that ends ends those that were made of it: their channels are closed, too, in the same step. Of each
// context that a function ends it is kept which one it was made of, as long as neither has ended, as package context
// does. One that has a deadline may also end by itself.
var children = struct {
	sync.Mutex
	of        map[unsafe.Pointer]map[unsafe.Pointer]bool // by the channel of a context: those of what is made of it
	deadlines map[unsafe.Pointer]*deadline               // by that of one that ends by itself, or with such a one
}{of: map[unsafe.Pointer]map[unsafe.Pointer]bool{}, deadlines: map[unsafe.Pointer]*deadline{}}

// parent is the context that one was made of, and its channel, nil if that never ends or is not known.
func parent(ctx context.Context) (context.Context, unsafe.Pointer) {
	own := receiver(ctx.Done())
	for ctx != nil {
		v := reflect.ValueOf(ctx)
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return nil, nil
		}
		// All contexts of package context but those that do not end with their parent have it in this field.
		f := v.Elem().FieldByName("Context")
		if !f.IsValid() || !f.CanInterface() {
			return nil, nil
		}
		var ok bool
		if ctx, ok = f.Interface().(context.Context); !ok {
			return nil, nil
		}
		if p := receiver(ctx.Done()); p != own {
			return ctx, p
		}
	}
	return nil, nil
}

// begun keeps what a context was made of. One that is made of a context that has ended has ended.
func (e Ended) begun(ctx context.Context) {
	g := Here()
	if g.off || ctx == nil || steering != nil {
		return
	}
	own := receiver(ctx.Done())
	above, from := parent(ctx)
	if own == nil {
		return
	}
	if seen(from); from == nil || above.Err() == nil {
		if ctx.Err() != nil { // by itself, at once
			e.closed(g, own)
			return
		}
		e.watch(g, ctx, own, from)
	}
	if from == nil {
		return
	}
	children.Lock()
	if children.of[from] == nil {
		children.of[from] = map[unsafe.Pointer]bool{}
	}
	children.of[from][own] = true
	children.Unlock()
	if ctx.Err() == nil {
		return
	}
	seen(own)
	// It is told by whoever ended the other one, if that one was seen ending; if not, here.
	children.Lock()
	isMine := children.of[from][own]
	if isMine {
		delete(children.of, from)
	}
	children.Unlock()
	if isMine {
		g.look(e.site, from, func() {})
		e.closed(g, own)
	}
}

// closed records that a context has ended where it is made.
func (e Ended) closed(g *Goroutine, own unsafe.Pointer) {
	if o := g.channelObject(trace.Close, e.site, own); o != nil {
		o.exact.lock()
		defer o.exact.unlock()
		g.numbered(trace.Close, e.site, o)
	}
}

// ending takes a context, by its channel and that of what it was made of, and all contexts that end with it out of what
// is kept: a context comes before those that were made of it. If another one has taken it out, isMine is false.
func ending(own, from unsafe.Pointer) (all []unsafe.Pointer, isMine bool) {
	children.Lock()
	defer children.Unlock()
	siblings := children.of[from]
	if from != nil && !siblings[own] {
		return nil, false
	}
	delete(siblings, own)
	if len(siblings) == 0 {
		delete(children.of, from)
	}
	all = []unsafe.Pointer{own}
	for i := 0; i < len(all); i++ {
		for child := range children.of[all[i]] {
			all = append(all, child)
		}
		delete(children.of, all[i])
		if d := children.deadlines[all[i]]; d != nil && d.own == all[i] {
			d.told = true
			d.stop()
			watched.Add(-1)
		}
		delete(children.deadlines, all[i])
	}
	return all[1:], true
}
