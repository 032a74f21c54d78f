// Command handed_lock_often_fixed saves a document three times: it locks the file and leaves
// it to a goroutine to unlock it when it is written. Then two editors begin to work, and both
// lock.
package main

import (
	"fmt"
	"sync"
)

// Document is a text and its length. It is not safe for concurrent use.
type Document struct {
	text   string
	length int
}

// Set changes the text.
func (d *Document) Set(text string) {
	d.text = text
	d.length = len(text)
}

// save writes the document in the background.
func save(file *sync.Mutex, text string) {
	file.Lock()
	go func() {
		defer file.Unlock()
		fmt.Println("saved", text)
	}()
}

func main() {
	d := &Document{}
	var file sync.Mutex
	for _, text := range []string{"a", "b", "c"} {
		save(&file, text)
	}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		file.Lock()
		defer file.Unlock()
		d.Set("one")
	}()
	go func() {
		defer wg.Done()
		file.Lock()
		defer file.Unlock()
		d.Set("three")
	}()
	wg.Wait()
	fmt.Println(d.text, d.length)
}
