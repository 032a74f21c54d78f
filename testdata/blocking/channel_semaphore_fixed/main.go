// Program channel_semaphore_fixed: the mended channel_semaphore.
package main

import (
	"fmt"
)

func main() {
	slots := make(chan struct{}, 1)
	task := func(skip bool) {
		slots <- struct{}{}
		if skip {
			<-slots
			return
		}
		fmt.Println("task")
		<-slots
	}
	task(true)
	task(false)
}
