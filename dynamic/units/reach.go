package units

import (
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// object is who can reach an object.
type object struct {
	owner     uint32 // the goroutine that has made it, or was alone when it accessed it first
	maker     string // the constructor that has made it; "" if it was none
	user      uint32 // the goroutine that was the first to access it when others could, too
	published bool   // others can reach it, too
	shared    bool   // and another one than the user has accessed it
	gone      bool
}

// objects is a table by number, in pages; one is freed when all its objects are gone.
type objects struct {
	pages []*page
}

const pageSize = 1 << 10

type page struct {
	gone   int
	states [pageSize]object
}

// freed stands for pages that were freed.
var freed = &page{gone: pageSize}

// maxObjects bounds the table.
const maxObjects = 1 << 28

// object returns the state of an object. Who asks for one that is gone gets one that everybody can
// reach, but keeps nothing in it.
func (t *Tracker) object(n uint32) *object {
	if n > maxObjects {
		return &object{published: true, shared: true}
	}
	i := int(n / pageSize)
	if i >= len(t.objects.pages) {
		t.objects.pages = append(t.objects.pages, make([]*page, i+1-len(t.objects.pages))...)
	}
	switch t.objects.pages[i] {
	case nil:
		t.objects.pages[i] = &page{}
	case freed:
		return &object{published: true, shared: true, gone: true}
	}
	return &t.objects.pages[i].states[n%pageSize]
}

// forget forgets an object that is gone.
func (t *Tracker) forget(n uint32) {
	delete(t.messages, n)
	o := t.object(n)
	if n > maxObjects || o.gone {
		return
	}
	*o = object{published: true, shared: true, gone: true}
	p := &t.objects.pages[n/pageSize]
	if (*p).gone++; (*p).gone == pageSize {
		*p = freed
	}
}

// reach follows which objects others may have learned of.
func (t *Tracker) reach(g *goroutine, e trace.Event) {
	switch e.Op {
	case trace.ObjectMade:
		if o := t.object(e.Object); o.owner == 0 {
			o.owner = g.number
			g.fresh = append(g.fresh, e.Object)
			if f := g.newest; f != nil && f.kind == watch.Constructor {
				o.maker = t.site(f.Site).function
			}
		}
	case trace.Escape:
		if e.Object == 0 {
			t.publish(g)
		} else {
			t.object(e.Object).published = true
		}
	case trace.Start:
		if e.Arg == 0 && e.Goroutine != 1 { // nobody knows who has started it, and when
			t.forked = true
			for _, g := range t.goroutines {
				if g != nil {
					t.publish(g)
				}
			}
		}
	case trace.Go:
		t.forked = true
		t.publish(g)
	case trace.Send, trace.Presend, trace.Close, trace.Done, trace.Offer, // an Offer may have been taken
		trace.Unlock, trace.RUnlock, trace.OnceEnd, trace.Signal, trace.Broadcast, trace.Add:
		t.publish(g)
	}
}

// publish says that others may reach what only the goroutine has reached so far.
func (t *Tracker) publish(g *goroutine) {
	for _, o := range g.fresh {
		t.object(o).published = true
	}
	g.fresh = g.fresh[:0]
}

// isPrivate tells whether no other goroutine can reach an object that a goroutine accesses. That
// the goroutine is the first one to be seen at it does not mean that it has made it: it is sure
// to have if it was alone. What a constructor does with the object that it makes itself is private
// by where it stands: where the static half knows of an access there, others may have what the
// object's fields lead to.
func (t *Tracker) isPrivate(g *goroutine, number uint32, s *site) bool {
	o := t.object(number)
	switch {
	case o.published:
	case s.static:
		o.published = true
	case o.owner == 0 && !t.forked:
		o.owner = g.number
		g.fresh = append(g.fresh, number)
	case o.owner != g.number, s.known && o.maker != "" && o.maker == s.function:
		o.published = true
	}
	return !o.published
}

// use notes that a goroutine accesses an object that others can reach.
func (t *Tracker) use(g *goroutine, number uint32) {
	o := t.object(number)
	switch {
	case o.user == 0:
		o.user = g.number
	case o.user != g.number && !o.shared:
		o.shared = true
		t.goroutine(o.user).target.valid = false
	}
}

// share says that several goroutines have accessed an object that others can reach: in a reduced trace, some of
// the accesses were left out.
func (t *Tracker) share(g *goroutine, number uint32) {
	o := t.object(number)
	o.published = true
	if o.shared {
		return
	}
	o.shared = true
	g.target.valid = false
	if o.user != 0 {
		t.goroutine(o.user).target.valid = false
	}
}
