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
// does. A context that ends by itself, at its deadline, closes its channel without a record.
var children = struct {
	sync.Mutex
	of map[unsafe.Pointer]map[unsafe.Pointer]bool // by the channel of a context: those of the contexts made of it
}{of: map[unsafe.Pointer]map[unsafe.Pointer]bool{}}

// parent is the channel of the context that one was made of, nil if that never ends or is not known.
func parent(ctx context.Context) unsafe.Pointer {
	own := receiver(ctx.Done())
	for ctx != nil {
		v := reflect.ValueOf(ctx)
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return nil
		}
		// All contexts of package context but those that do not end with their parent have it in this field.
		f := v.Elem().FieldByName("Context")
		if !f.IsValid() || !f.CanInterface() {
			return nil
		}
		var ok bool
		if ctx, ok = f.Interface().(context.Context); !ok {
			return nil
		}
		if p := receiver(ctx.Done()); p != own {
			return p
		}
	}
	return nil
}

// begun keeps what a context was made of. One that is made of a context that has ended has ended.
func (e Ended) begun(ctx context.Context) {
	g := Here()
	if g.off || ctx == nil || steering != nil {
		return
	}
	own, from := receiver(ctx.Done()), parent(ctx)
	if own == nil || from == nil {
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
	// It is told by whoever ended the other one, if that one was seen ending; if not, here.
	children.Lock()
	isMine := children.of[from][own]
	delete(children.of, from)
	children.Unlock()
	if isMine {
		g.look(e.site, from, func() {})
		if o := g.channelObject(trace.Close, e.site, own); o != nil {
			o.exact.lock()
			defer o.exact.unlock()
			g.numbered(trace.Close, e.site, o)
		}
	}
}

// ending takes all contexts that end with one out of what is kept: a context comes before those that were made of it.
func ending(ctx context.Context) (all []unsafe.Pointer) {
	own, from := receiver(ctx.Done()), parent(ctx)
	children.Lock()
	defer children.Unlock()
	if siblings := children.of[from]; siblings != nil {
		delete(siblings, own)
		if len(siblings) == 0 {
			delete(children.of, from)
		}
	}
	all = []unsafe.Pointer{own}
	for i := 0; i < len(all); i++ {
		for child := range children.of[all[i]] {
			all = append(all, child)
		}
		delete(children.of, all[i])
	}
	return all[1:]
}
