// Command two_sites meters two connections and itself. A Meter has no lock: the
// one that both connections use gets its numbers wrong, the one that main keeps
// for itself is fine.
package main

import (
	"fmt"
	"sync"
)

// Meter counts packets and their bytes.
type Meter struct {
	name    string
	packets int
	bytes   int
}

// NewMeter returns a meter that has counted nothing.
func NewMeter(name string) *Meter {
	return &Meter{name: name}
}

// Add counts a packet. Callers must not do so concurrently.
func (m *Meter) Add(packet string) {
	m.packets++
	m.bytes += len(packet)
}

// Line returns the numbers as text.
func (m *Meter) Line() string {
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
			network.Add(packet) // shared by two goroutines
		}()
	}
	local.Add("bye")
	wg.Wait()

	fmt.Println(local.Line())
	fmt.Println(network.Line())
}
