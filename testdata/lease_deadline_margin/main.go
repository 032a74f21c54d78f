// Command lease_deadline_margin renews a lease when it has run out. It looks twice,
// as it takes time to ask for a new one.
package main

import "sync"

const (
	lifetime = 5
	margin   = 10
)

// Lease is good until its deadline.
type Lease struct {
	mu       sync.Mutex
	deadline int
}

// good reports whether the lease is good at some time.
func (l *Lease) good(at int) bool {
	return l.deadline > at
}

// ask asks for a new deadline.
func ask(now int) int {
	return now + lifetime
}

// Renew renews the lease if it has run out.
func (l *Lease) Renew(now int) bool {
	l.mu.Lock()
	good := l.good(now)
	l.mu.Unlock()
	if good {
		return false
	}

	deadline := ask(now)

	l.mu.Lock()
	defer l.mu.Unlock()
	if l.good(now + margin) { // BUG: no lease is as good as that
		return false
	}
	l.deadline = deadline
	return true
}

func main() {
	lease := &Lease{deadline: 100}
	renewed := make(chan bool)
	for range 2 {
		go func() {
			renewed <- lease.Renew(101)
		}()
	}
	first := <-renewed
	second := <-renewed
	if !first && !second {
		panic("nobody has renewed the lease")
	}
}
