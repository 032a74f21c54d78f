// Command channel_leftover_fixed asks a goroutine to save, and takes the first message that
// comes for the answer. One from before is taken first.
package main

import "fmt"

// File is a name and a size.
type File struct {
	name string
	size int
}

// Save sets both.
func (f *File) Save(name string, size int) {
	f.name = name
	f.size = size
}

// Stat returns both.
func (f *File) Stat() (name string, size int) {
	name = f.name
	size = f.size
	return name, size
}

func main() {
	f := &File{}
	saved := make(chan bool, 2)
	saved <- true // of an earlier time
	go func() {
		f.Save("a.txt", 3)
		saved <- true
	}()
	<-saved
	<-saved
	fmt.Println(f.Stat())
}
