// Command other_lock_fixed replaces a document by a template while another
// goroutine prints it.
package main

import (
	"fmt"
	"sync"
)

func main() {
	template := &Document{title: "Untitled", body: "Once upon a time"}
	draft := &Document{title: "Draft"}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		draft.CopyFrom(template)
	}()
	go func() {
		defer wg.Done()
		title, body := draft.Text()
		fmt.Printf("%s: %s\n", title, body)
	}()
	wg.Wait()
}
