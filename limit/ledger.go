package limit

import (
	"context"
	"crypto/sha256"
	"sync"
)

// Several questions may need the same result, which is then made once and remembered. Who asks first
// pays for it; who asks later finds it paid. Which question is the first is said by their order,
// not by time, so that what an answer costs is the same in every run; and so it is whether
// anybody else has made the result before: the first question pays for one that is remembered
// from elsewhere what it took to make it.

// Key names a result: it is a digest of all that the result depends on.
type Key [sha256.Size]byte

// KeyOf returns the key of a result that depends on the bytes.
func KeyOf(b []byte) Key { return sha256.Sum256(b) }

// Ledger notes which results have been paid for.
type Ledger struct {
	outer *Ledger // of those who asked before; it stays as it is while this one is in use
	mu    sync.Mutex
	paid  map[Key]Work
}

type ledgerKey struct{}

// WithLedger returns a context under which results are noted in a ledger of its own. Those of the
// context that it is made of are paid for already.
func WithLedger(ctx context.Context) (context.Context, *Ledger) {
	l := &Ledger{outer: ledgerOf(ctx), paid: map[Key]Work{}}
	return context.WithValue(ctx, ledgerKey{}, l), l
}

func ledgerOf(ctx context.Context) *Ledger {
	l, _ := ctx.Value(ledgerKey{}).(*Ledger)
	return l
}

// Paid returns what was paid for a result under the context; false if that has not happened.
func Paid(ctx context.Context, key Key) (w Work, ok bool) {
	for l := ledgerOf(ctx); l != nil && !ok; l = l.outer {
		w, ok = l.entry(key)
	}
	return w, ok
}

func (l *Ledger) entry(key Key) (w Work, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, ok = l.paid[key]
	return w, ok
}

// NotePaid notes that so much was paid for a result.
func NotePaid(ctx context.Context, key Key, w Work) {
	if l := ledgerOf(ctx); l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.paid[key] = w
	}
}

// Total returns what was paid for all results in the ledger itself.
func (l *Ledger) Total() (sum Work) {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.paid {
		sum += w
	}
	return sum
}

// Settle hands on what is in the ledger to the one around it, and returns how much of that was paid
// twice: those who asked at the same time did not know of each other.
func (l *Ledger) Settle() (twice Work) {
	if l == nil || l.outer == nil {
		return 0
	}
	l.outer.mu.Lock()
	defer l.outer.mu.Unlock()
	for key, w := range l.paid {
		if _, ok := l.outer.paid[key]; ok {
			twice += w
		}
		l.outer.paid[key] = w
	}
	return twice
}
