// Package bus counts what is sent, and tells a hook. Send asks whether there is a hook, and gets it
// when it has let go of the lock: it may have been taken away.
package bus

import "sync"

// Bus counts what is sent.
type Bus struct {
	mu   sync.RWMutex
	hook func(n int)
	sent int
}

// New returns a bus without a hook.
func New() *Bus { return &Bus{} }

// SetHook sets what is told of each sending, nil for nothing.
func (b *Bus) SetHook(hook func(n int)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hook = hook
}

// hookNow returns the hook.
func (b *Bus) hookNow() func(n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.hook
}

// Send sends.
func (b *Bus) Send() {
	b.mu.Lock()
	b.sent++
	n, hooked := b.sent, b.hook != nil
	b.mu.Unlock()
	if hooked {
		b.hookNow()(n)
	}
}
