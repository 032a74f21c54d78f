// Command parent_changes has rooms, which are guarded by the lock of their hotel.
package main

import (
	"fmt"
	"sync"
)

type Hotel struct {
	mu    sync.Mutex
	rooms []*Room
}

type Room struct {
	hotel        *Hotel
	guests, beds int
}

func NewHotel(n int) *Hotel {
	h := &Hotel{}
	for range n {
		h.rooms = append(h.rooms, newRoom(h, 2))
	}
	return h
}

func (r *Room) Move(h *Hotel) {
	r.hotel.mu.Lock()
	defer r.hotel.mu.Unlock()
	r.hotel = h
}

func newRoom(h *Hotel, beds int) *Room { return &Room{hotel: h, beds: beds} }

func (h *Hotel) Free() (free int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rooms {
		beds := r.beds
		guests := r.guests
		free += beds - guests
	}
	return free
}

func (r *Room) Enter() bool {
	r.hotel.mu.Lock()
	defer r.hotel.mu.Unlock()
	if r.guests == r.beds {
		return false
	}
	r.guests++
	return true
}

func (r *Room) Rebuild(beds int) {
	r.hotel.mu.Lock()
	defer r.hotel.mu.Unlock()
	if r.guests <= beds {
		r.beds = beds
		r.guests = min(beds, r.guests)
	}
}

func main() {
	hotels := []*Hotel{NewHotel(2), NewHotel(3)}
	var wg sync.WaitGroup
	for _, h := range hotels {
		for i, r := range h.rooms {
			wg.Go(func() { fmt.Println(r.Enter()) })
			wg.Go(func() { fmt.Println(r.Enter()) })
			wg.Go(func() { r.Rebuild(i) })
			wg.Go(func() { r.Rebuild(2) })
			wg.Go(func() { r.Move(hotels[0]) })
		}
		wg.Go(func() { fmt.Println(h.Free()) })
	}
	wg.Wait()
}
