// Command map_counter_fixed counts the requests for each path of a web site.
package main

import (
	"fmt"
	"sync"
)

func main() {
	hits := NewHits()

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		serve(hits, "/", "/about", "/", "/")
	}()
	go func() {
		defer wg.Done()
		fmt.Printf("%d%% of the requests are for /\n", hits.Share("/"))
	}()
	wg.Wait()
}

// recorder is told about each request.
type recorder interface {
	Hit(path string)
}

// serve stands for a web server that answers requests.
func serve(r recorder, paths ...string) {
	for _, path := range paths {
		r.Hit(path)
	}
}
