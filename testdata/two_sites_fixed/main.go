// Command two_sites_fixed meters two connections and itself. The meter that
// both connections use is locked; so is the one that main keeps for itself.
package main

import (
	"fmt"
	"sync"
)

// Meter counts packets and their bytes.
type Meter struct {
	name    string
	mu      sync.Mutex
	packets int
	bytes   int
}

// NewMeter returns a meter that has counted nothing.
func NewMeter(name string) *Meter {
	return &Meter{name: name}
}

// Add counts a packet.
func (m *Meter) Add(packet string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.packets++
	m.bytes += len(packet)
}

// Line returns the numbers as text.
func (m *Meter) Line() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	packets := m.packets
	bytes := m.bytes
	return fmt.Sprintf("%s: %d packets, %d bytes", m.name, packets, bytes)
}

func main() {
	network := NewMeter("network")
	local := NewMeter("local")

	var wg sync.WaitGroup
	for _, packet := range []string{"hello", "world"} {
		local.Add(packet)
		wg.Add(1)
		go func() {
			defer wg.Done()
			network.Add(packet)
		}()
	}
	local.Add("bye")
	wg.Wait()

	fmt.Println(local.Line())
	fmt.Println(network.Line())
}
