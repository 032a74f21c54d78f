// Command http_handler_fixed serves a page that says who came last. Requests are served at the
// same time.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Visitor is the last visitor and the page that was asked for.
type Visitor struct {
	mu   sync.Mutex
	name string
	page string
}

// Note notes a visitor.
func (v *Visitor) Note(name, page string) {
	v.mu.Lock()
	v.name = name
	v.page = page
	v.mu.Unlock()
}

func main() {
	v := &Visitor{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		v.Note(r.RemoteAddr, r.URL.Path)
		fmt.Fprintln(w, "hello")
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	var visits sync.WaitGroup
	for _, page := range []string{"/index", "/about"} {
		visits.Go(func() {
			answer, err := http.Get(server.URL + page)
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(answer.Status)
			answer.Body.Close()
		})
	}
	visits.Wait()
}
