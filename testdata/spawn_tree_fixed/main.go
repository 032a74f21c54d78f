// Command spawn_tree_fixed adds up the sizes of the files in a tree, with a
// goroutine for each folder.
package main

import (
	"fmt"
	"sync"
)

// folder is a folder with files and other folders.
type folder struct {
	sizes   []int
	folders []*folder
}

// Usage is the space that files use.
type Usage struct {
	mu    sync.Mutex
	files int
	bytes int
}

// Add counts a file.
func (u *Usage) Add(size int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.files++
	u.bytes += size
}

// Line returns the usage as text.
func (u *Usage) Line() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	files := u.files
	bytes := u.bytes
	return fmt.Sprintf("%d files, %d bytes", files, bytes)
}

// walk adds the files of a folder to usage. It starts a goroutine for each
// folder in it.
func walk(f *folder, usage *Usage, wg *sync.WaitGroup) {
	defer wg.Done()
	for _, sub := range f.folders {
		wg.Add(1)
		go walk(sub, usage, wg)
	}
	for _, size := range f.sizes {
		usage.Add(size)
	}
}

func main() {
	docs := &folder{sizes: []int{100, 250}}
	code := &folder{sizes: []int{900}, folders: []*folder{{sizes: []int{40, 60}}}}
	root := &folder{sizes: []int{5}, folders: []*folder{docs, code}}

	usage := new(Usage)
	var wg sync.WaitGroup
	wg.Add(1)
	go walk(root, usage, &wg)
	wg.Wait()

	fmt.Println(usage.Line())
}
