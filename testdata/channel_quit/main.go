// Command channel_quit stops a goroutine that serves updates, and then looks at the
// result. It only asks it to stop.
package main

import "fmt"

// View is what is shown: a page, and a line on it.
type View struct {
	page int
	line int
}

// Show changes what is shown.
func (v *View) Show(page, line int) {
	v.page = page
	v.line = line
}

// Where returns what is shown.
func (v *View) Where() (page, line int) {
	page = v.page
	line = v.line
	return page, line
}

func serve(v *View, updates <-chan int, quit <-chan bool, stopped chan<- bool) {
	for {
		select {
		case page := <-updates:
			v.Show(page, 1)
		case <-quit:
			stopped <- true
			return
		}
	}
}

func main() {
	v := &View{}
	updates := make(chan int, 2)
	quit, stopped := make(chan bool, 1), make(chan bool, 1)
	go serve(v, updates, quit, stopped)
	updates <- 1
	updates <- 2
	quit <- true
	fmt.Println(v.Where()) // it need not have stopped
	<-stopped
}
