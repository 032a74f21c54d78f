// Package bus counts what is sent, and tells a hook.
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

// Send sends.
func (b *Bus) Send() {
	b.mu.Lock()
	b.sent++
	n, hook := b.sent, b.hook
	b.mu.Unlock()
	if hook != nil {
		hook(n)
	}
}
