// Command connections_kept_fixed keeps the connections of a chat in a map, with their
// number.
package main

import (
	"fmt"
	"net"
	"sync"
)

// Chat is who is connected.
type Chat struct {
	mu     sync.Mutex
	names  map[string]net.Conn
	online int
}

// Join adds a connection.
func (c *Chat) Join(name string, conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.online++
	c.names[name] = conn
}

// Broadcast sends a line to all who are connected, and returns how many there are.
func (c *Chat) Broadcast(line string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.names {
		conn.Write([]byte(line))
	}
	return c.online
}

func main() {
	chat := &Chat{names: map[string]net.Conn{}}
	here, there := net.Pipe()
	go func() {
		line := make([]byte, 80)
		for {
			if _, err := there.Read(line); err != nil {
				return
			}
		}
	}()
	done := make(chan bool)
	go func() {
		chat.Join("gopher", here)
		done <- true
	}()
	if chat.Broadcast("hello") > 1 {
		panic("too many")
	}
	<-done
	here.Close()
	fmt.Println("done")
}
