// Command read_before_join fetches pages in a goroutine and prints how much
// that was. main reads the numbers before it waits for the goroutine.
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

	pages := crawl.pages // too early
	bytes := crawl.bytes
	wg.Wait()
	fmt.Println(pages, "pages,", bytes, "bytes")
}
