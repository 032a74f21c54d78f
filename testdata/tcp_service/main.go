// Command tcp_service serves a connection, and counts what comes on it one after the other.
package main

import (
	"net"
	"os"
	"sync"
)

// Traffic is how many parcels have come, and their bytes: at least one for each.
type Traffic struct {
	mu      sync.Mutex
	parcels int
	bytes   int
}

// serve counts until the connection ends.
func serve(conn *net.TCPConn, t *Traffic) {
	buffer := make([]byte, 16)
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		t.mu.Lock()
		t.parcels++
		t.mu.Unlock()
		t.mu.Lock()
		t.bytes += n
		t.mu.Unlock()
	}
}

// isOdd tells whether a parcel has no bytes.
func (t *Traffic) isOdd() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	parcels := t.parcels
	bytes := t.bytes
	return bytes < parcels
}

func main() {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		os.Exit(1)
	}
	t := &Traffic{}
	done := make(chan bool)
	go func() {
		if conn, err := listener.AcceptTCP(); err == nil {
			serve(conn, t)
		}
		done <- true
	}()
	if conn, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		conn.Write([]byte("one"))
		conn.Write([]byte("two"))
		conn.Close()
	}
	if t.isOdd() {
		os.Exit(3)
	}
	<-done
}
