// Command ready_and_done_fixed has a goroutine that counts for two wait groups: ready says
// that the settings are there, done that it is finished.
package main

import (
	"fmt"
	"sync"
)

// Settings is an address.
type Settings struct {
	host string
	port int
}

func main() {
	settings := &Settings{}
	var ready, done sync.WaitGroup
	ready.Add(1)
	done.Add(2)
	go func() {
		settings.host = "localhost"
		settings.port = 80
		ready.Done()
		done.Done()
	}()
	go func() {
		defer done.Done()
		ready.Wait()
		host := settings.host
		port := settings.port
		if host != "" && port == 0 {
			panic("no port")
		}
	}()
	done.Wait()
	fmt.Println("done")
}
