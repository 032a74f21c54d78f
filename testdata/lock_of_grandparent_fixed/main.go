// Command lock_of_grandparent_fixed has houses in streets in cities, which are guarded by the lock of the city.
package main

import (
	"fmt"
	"sync"
)

type City struct {
	mu      sync.RWMutex
	streets []*Street
}

type Street struct {
	city   *City
	name   string
	houses map[string]*House
}

type House struct {
	street       *Street
	guests, beds int
}

func (c *City) Street(name string) *Street {
	s := &Street{city: c, name: name, houses: map[string]*House{}}
	c.mu.Lock()
	c.streets = append(c.streets, s)
	c.mu.Unlock()
	return s
}

func (s *Street) House(name string, beds int) *House {
	h := &House{street: s, beds: beds}
	s.city.mu.Lock()
	defer s.city.mu.Unlock()
	s.houses[name] = h
	return h
}

func (h *House) lock()   { h.street.city.mu.Lock() }
func (h *House) unlock() { h.street.city.mu.Unlock() }

func (h *House) Enter() bool {
	h.lock()
	defer h.unlock()
	if h.guests == h.beds {
		return false
	}
	h.guests++
	return true
}

func (h *House) Free() int {
	h.street.city.mu.RLock()
	defer h.street.city.mu.RUnlock()
	beds := h.beds
	guests := h.guests
	return beds - guests
}

func (h *House) Rebuild(beds int) {
	h.lock()
	if h.guests <= beds {
		h.beds = beds
	}
	h.unlock()
}

func main() {
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		c := &City{}
		s := c.Street(name)
		x := s.House("x", 2)
		y := s.House("y", 3)
		for i := range 2 {
			wg.Go(func() { fmt.Println(x.Enter(), y.Enter()) })
			wg.Go(func() { x.Rebuild(i); y.Rebuild(i) })
			wg.Go(func() { fmt.Println(x.Free(), y.Free()) })
		}
	}
	wg.Wait()
}
