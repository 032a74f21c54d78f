// Package registry keeps codecs by name in package variables. It has no main
// function: clients call what is exported.
package registry

import "sync"

// Codec turns text into other text.
type Codec func(string) string

var (
	mu     sync.RWMutex
	codecs = map[string]Codec{}
	latest string
)

// Register adds a codec.
func Register(name string, codec Codec) {
	mu.Lock()
	codecs[name] = codec
	remember(name)
	mu.Unlock()
}

// remember sets the latest name. The caller holds the lock.
func remember(name string) { latest = name }

// Latest returns the codec that was registered last.
func Latest() Codec {
	mu.RLock()
	defer mu.RUnlock()
	name := latest
	return codecs[name]
}
