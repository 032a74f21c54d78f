// Command handler serves requests that read and write one struct, and makes them itself.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Stats is what the server knows of its visitors.
type Stats struct {
	mu       sync.Mutex
	visits   int
	longest  int
	visitors map[string]int
}

func (s *Stats) visit(name string) (nth, visits int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visits++
	s.visitors[name]++
	s.longest = max(s.longest, len(name))
	return s.visitors[name], s.visits
}

// ServeHTTP answers how often somebody was here.
func (s *Stats) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.ToLower(r.URL.Query().Get("name"))
	nth, visits := s.visit(name)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"name": name, "visit": nth, "of": visits, "greeting": strings.Repeat("hello ", 8)})
}

func main() {
	s := &Stats{visitors: map[string]int{}}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 15_000 {
				r := httptest.NewRequest("GET", fmt.Sprintf("/hello?name=Visitor%d&from=%d", i%100, g), nil)
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				var answer struct{ Visit int }
				if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Visit == 0 {
					panic(fmt.Sprint(err, w.Body))
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(s.visits, s.longest, len(s.visitors))
}
