// Command rpcserver is a server for remote calls over TCP with a pool of workers, after those of Thrift: one
// goroutine accepts connections and puts them into a queue, workers take them from it, and answer calls until the
// client has no more. A server that is being stopped takes no more connections.
package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
)

const (
	workers = 3
	clients = 3
	rounds  = 8 // of connections, for each client
)

// call is what a client asks: that a number is added to an account.
type call struct{ Account, Add int }

// accounts are what the calls are about.
type accounts struct {
	mu   sync.Mutex
	sums [2]int
}

func (a *accounts) add(account, n int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sums[account] += n
	return a.sums[account]
}

// server has connections that wait for a worker.
type server struct {
	listener   net.Listener
	mu         sync.Mutex
	come       *sync.Cond // a connection, or the end
	queue      []net.Conn
	isStopping bool
	served     int
	all        sync.WaitGroup
	accounts   accounts
}

func newServer() (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s := &server{listener: l}
	s.come = sync.NewCond(&s.mu)
	return s, err
}

// accept takes connections until the server is stopped.
func (s *server) accept() {
	defer s.all.Done()
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		//empire:yield
		if !s.submit(c) {
			c.Close()
		}
	}
}

// submit hands a connection to the workers, if there are some.
func (s *server) submit(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStopping {
		return false
	}
	s.queue = append(s.queue, c)
	s.come.Signal()
	return true
}

// next waits for a connection; nil if there is none and no more will come.
func (s *server) next() net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 && !s.isStopping {
		s.come.Wait()
	}
	if len(s.queue) == 0 {
		return nil
	}
	c := s.queue[0]
	s.queue = s.queue[1:]
	s.served++
	return c
}

// work serves connections.
func (s *server) work() {
	defer s.all.Done()
	for {
		//empire:yield
		c := s.next()
		if c == nil {
			return
		}
		if err := s.serve(c); err != nil {
			fmt.Fprintln(os.Stderr, "a connection ends:", err)
		}
	}
}

// serve answers all calls of a connection.
func (s *server) serve(c net.Conn) error {
	defer c.Close()
	in, out := gob.NewDecoder(c), gob.NewEncoder(c)
	for {
		var ask call
		if err := in.Decode(&ask); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		//empire:yield
		sum := s.accounts.add(ask.Account, ask.Add)
		if err := out.Encode(sum); err != nil {
			return err
		}
	}
}

// stop lets the workers end when the queue is empty, and returns how many connections were left in it.
func (s *server) stop() int {
	//empire:yield
	s.end()
	s.listener.Close()
	s.all.Wait()
	return len(s.queue)
}

func (s *server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isStopping = true
	s.come.Broadcast()
}

// client makes two calls on each of its connections.
func client(address string, end *sync.WaitGroup) {
	defer end.Done()
	for range rounds {
		c, err := net.Dial("tcp", address)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		in, out := gob.NewDecoder(c), gob.NewEncoder(c)
		for account := range 2 {
			var sum int
			if out.Encode(call{account, 1}) != nil || in.Decode(&sum) != nil {
				fmt.Fprintln(os.Stderr, "no answer")
			}
		}
		c.Close()
	}
}

func main() {
	s, err := newServer()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s.all.Add(workers + 1)
	for range workers {
		//empire:yield
		go s.work()
	}
	//empire:yield
	go s.accept()
	var end sync.WaitGroup
	end.Add(clients)
	for range clients {
		//empire:yield
		go client(s.listener.Addr().String(), &end)
	}
	end.Wait()
	left := s.stop()
	if sum := clients * rounds; left > 0 || s.served != sum || s.accounts.sums != [2]int{sum, sum} {
		fmt.Println(s.served, "connections were served,", left, "are left;", s.accounts.sums)
		os.Exit(1)
	}
	fmt.Println(s.served, "connections were served")
}
