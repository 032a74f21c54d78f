// Command collected_by_walk_fixed gets a result in any case.
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
	} else {
		results <- names[0]
	}
	<-results
}
