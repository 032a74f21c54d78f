package refine

import (
	"cmp"
	"context"
	"sync"

	"github.com/empire-go/empire-go/limit"
)

// store remembers values under keys, with what it has cost to make them. It keeps two generations of
// them: when the younger one is full, the older one is dropped, with what nobody has asked for since it was
// the younger.
type store[V any] struct {
	mutex      sync.Mutex
	young, old map[limit.Key]entry[V]
	size       int // of all values in young, in the units of put
	limit      int
}

type entry[V any] struct {
	value V
	size  int
	cost  limit.Work
}

func newStore[V any](most int) *store[V] {
	return &store[V]{young: map[limit.Key]entry[V]{}, limit: most}
}

func (s *store[V]) get(key limit.Key) (entry[V], bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	e, ok := s.young[key]
	if !ok {
		if e, ok = s.old[key]; ok {
			s.add(key, e)
		}
	}
	return e, ok
}

// put keeps a value of a size, unless there is one, or it is too large.
func (s *store[V]) put(key limit.Key, e entry[V]) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, ok := s.young[key]; !ok && e.size <= s.limit {
		s.add(key, e)
	}
}

func (s *store[V]) add(key limit.Key, e entry[V]) {
	if s.size+e.size > s.limit {
		s.young, s.old, s.size = map[limit.Key]entry[V]{}, s.young, 0
	}
	s.young[key] = e
	s.size += e.size
}

// remembered returns what is remembered under a key, or else what make makes. It costs what it costs to
// make it, once under a context (limit.Ledger): an answer may not depend on what others have asked.
func remembered[V any](ctx context.Context, s *store[V], key limit.Key, make func(context.Context) (V, int, error)) (
	value V, err error) {
	paid, isPaid := limit.Paid(ctx, key)
	e, ok := s.get(key)
	if !ok {
		within := ctx
		if isPaid {
			within = limit.Free(ctx)
		}
		before := limit.Spent(within)
		e.value, e.size, err = make(within)
		if err = cmp.Or(err, ctx.Err()); err != nil { // what is made with the last of the work is not known to be paid
			return e.value, err
		}
		e.cost = paid
		if !isPaid {
			e.cost = limit.Spent(within) - before
		}
		s.put(key, e)
	} else if !isPaid {
		if err := limit.Pay(ctx, e.cost); err != nil {
			return value, err
		}
	}
	if !isPaid {
		limit.NotePaid(ctx, key, e.cost)
	}
	return e.value, nil
}
