// Command waitgroup_array_fixed compiles and prints what came of it.
package main

import "sync"

var compile sync.WaitGroup

// Output is what a build has written so far.
type Output struct {
	files int
	bytes int
}

// Set changes the output.
func (o *Output) Set(files, bytes int) {
	o.files = files
	o.bytes = bytes
}

// Get returns the output.
func (o *Output) Get() (files, bytes int) {
	files = o.files
	bytes = o.bytes
	return files, bytes
}

func main() {
	output := &Output{}
	compile.Add(1)
	go func() {
		defer compile.Done()
		output.Set(12, 4096)
	}()
	compile.Wait()
	println(output.Get())
}
