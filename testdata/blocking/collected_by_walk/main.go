// Command collected_by_walk collects the names of files, and waits for a result that comes only if there are none.
package main

import (
	"io/fs"
	"path/filepath"
)

func main() {
	var names []string
	filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		names = append(names, path)
		return nil
	})
	results := make(chan string, 1)
	if len(names) == 0 {
		results <- "none"
	}
	<-results // want blocked
}
