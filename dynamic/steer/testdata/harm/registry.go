package harm

import "sync"

var (
	registryMu sync.Mutex
	names      = map[string]int{}
	nextID     int
)

// Register gives each name a number, but two of them the same one.
func Register(name string) int {
	registryMu.Lock()
	id := nextID
	registryMu.Unlock()
	registryMu.Lock()
	defer registryMu.Unlock()
	names[name] = id
	nextID = id + 1
	return id
}
