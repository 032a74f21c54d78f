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
	mu.Unlock()
	remember(name) // BUG: the codec is there already, and the latest is another one
}

// remember sets the latest name.
func remember(name string) {
	mu.Lock()
	latest = name
	mu.Unlock()
}

// Latest returns the codec that was registered last.
func Latest() Codec {
	mu.RLock()
	defer mu.RUnlock()
	name := latest
	return codecs[name]
}
