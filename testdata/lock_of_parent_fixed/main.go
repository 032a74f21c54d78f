// Command lock_of_parent_fixed has rooms, which are guarded by the lock of the house that they are in.
package main

import (
	"fmt"
	"sync"
)

// House has rooms, and one lock for them.
type House struct {
	mu    sync.Mutex
	rooms []*Room
}

// Room is guests and beds, guarded by the lock of its house.
type Room struct {
	house        *House
	guests, beds int
}

// NewHouse returns a house with so many rooms.
func NewHouse(rooms int) *House {
	h := &House{}
	for range rooms {
		h.rooms = append(h.rooms, &Room{house: h, beds: 2})
	}
	return h
}

// Enter lets a guest in, if there is a bed.
func (r *Room) Enter() bool {
	r.house.mu.Lock()
	defer r.house.mu.Unlock()
	if r.guests == r.beds {
		return false
	}
	r.guests++
	return true
}

// Rebuild makes a room for so many.
func (r *Room) Rebuild(beds int) {
	r.house.mu.Lock()
	defer r.house.mu.Unlock()
	if r.guests <= beds {
		r.beds = beds
	}
}

func main() {
	houses := []*House{NewHouse(2), NewHouse(3)}
	var wg sync.WaitGroup
	for _, h := range houses {
		for i, r := range h.rooms {
			wg.Go(func() { fmt.Println(r.Enter()) })
			wg.Go(func() { r.Rebuild(i) })
		}
	}
	wg.Wait()
}
