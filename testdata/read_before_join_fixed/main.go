// Command read_before_join_fixed fetches pages in a goroutine and prints how
// much that was. main waits for the goroutine before it reads the numbers, so
// no lock is needed.
package main

import (
	"fmt"
	"sync"
)

// Crawl counts what was fetched.
type Crawl struct {
	pages int
	bytes int
}

// Fetch stands for the download of a page.
func (c *Crawl) Fetch(body string) {
	c.pages++
	c.bytes += len(body)
}

func main() {
	crawl := &Crawl{}

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		crawl.Fetch("<html></html>")
	}()

	wg.Wait()
	pages := crawl.pages
	bytes := crawl.bytes
	fmt.Println(pages, "pages,", bytes, "bytes")
}
