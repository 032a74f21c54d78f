// Command channel_broadcast loads a configuration and tells all workers by closing a
// channel. It is closed before the second field is there.
package main

import (
	"fmt"
	"sync"
)

// Config is where a server is.
type Config struct {
	host string
	port int
}

// Load fills the configuration in, and tells it by closing ready.
func (c *Config) Load(ready chan struct{}) {
	c.host = "localhost"
	close(ready) // too early
	c.port = 8080
}

// Address returns host and port.
func (c *Config) Address() string {
	host := c.host
	port := c.port
	return fmt.Sprintf("%s:%d", host, port)
}

func main() {
	config := &Config{}
	ready := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			<-ready
			fmt.Println(config.Address())
		})
	}
	config.Load(ready)
	wg.Wait()
}
