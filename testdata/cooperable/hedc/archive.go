package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// archive is a server on this machine that has what was observed of the sun: each day has a page with some events.
type archive struct {
	listener net.Listener
	pages    *http.ServeMux
}

// observation is an event of a day.
type observation struct {
	Day    int
	Kind   string
	Energy int
}

var kinds = []string{"flare", "filament", "radio burst"}

// observed is what is known of a day; what does not depend on who asks.
func observed(day int) (all []observation) {
	for i := range 1 + day%3 {
		all = append(all, observation{day, kinds[(day+i)%len(kinds)], 10*day + i})
	}
	return all
}

func newArchive() (*archive, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	pages := http.NewServeMux()
	pages.HandleFunc("GET /day/{day}", func(w http.ResponseWriter, r *http.Request) {
		day, err := strconv.Atoi(r.PathValue("day"))
		if err != nil || day < 0 {
			http.Error(w, "a day is a number", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(observed(day))
	})
	return &archive{l, pages}, nil
}

// serve answers until the archive is closed.
func (a *archive) serve() { http.Serve(a.listener, a.pages) }

func (a *archive) close() { a.listener.Close() }

// page is where a day is.
func (a *archive) page(day int) string {
	return fmt.Sprintf("http://%s/day/%d", a.listener.Addr(), day)
}
