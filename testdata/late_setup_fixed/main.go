// Command late_setup_fixed loads a configuration and dials the host that it
// names.
package main

import (
	"fmt"
	"sync"
)

// Config names a host and a port. It is not changed after it was loaded, so it
// needs no lock.
type Config struct {
	host string
	port int
}

// Load stores the configuration.
func (c *Config) Load(host string, port int) {
	c.host = host
	c.port = port
}

// Address returns host and port as text.
func (c *Config) Address() string {
	host := c.host
	port := c.port
	return fmt.Sprintf("%s:%d", host, port)
}

func main() {
	config := new(Config)
	config.Load("localhost", 8080) // before any other goroutine has it

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		fmt.Println("dialing", config.Address())
	}()
	wg.Wait()
}
