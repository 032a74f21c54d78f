// Program channel_semaphore: A place in the semaphore is not given back on one path.
package main

import (
	"fmt"
)

func main() {
	slots := make(chan struct{}, 1)
	task := func(skip bool) {
		slots <- struct{}{} // want blocked
		if skip {
			return
		}
		fmt.Println("task")
		<-slots
	}
	task(true)
	task(false)
}
