// Command conpool has goroutines that ask questions over connections of a pool, which opens a few at most: who finds
// none that is free, and no room for a new one, waits. Whether there is room is looked at, and a connection is
// opened, in two steps, so that there may be more than are allowed.
package main

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
)

const (
	clients   = 4
	allowed   = 2
	questions = 50
	short     = 5 // questions after which a connection is closed
)

// connection is with a server that doubles numbers.
type connection struct {
	net.Conn
	answers *bufio.Reader
	asked   int
}

// open opens a connection with a server of its own.
func open() *connection {
	here, there := net.Pipe()
	go double(there)
	return &connection{Conn: here, answers: bufio.NewReader(here)}
}

// double answers each line with twice its number.
func double(c net.Conn) {
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		n, _ := strconv.Atoi(lines.Text())
		fmt.Fprintln(c, 2*n)
	}
}

// ask is the answer for a number.
func (c *connection) ask(n int) (int, error) {
	c.asked++
	if _, err := fmt.Fprintln(c, n); err != nil {
		return 0, err
	}
	line, err := c.answers.ReadString('\n')
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(line))
}

// pool has the connections that nobody uses, and how many there are.
type pool struct {
	mu    sync.Mutex
	freed *sync.Cond
	free  []*connection
	all   int
	most  int // there were at a time
}

// reuse is a free connection, or nil if there is room for a new one. It waits for either.
func (p *pool) reuse() *connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.free) == 0 && p.all >= allowed {
		p.freed.Wait()
	}
	if len(p.free) == 0 {
		return nil
	}
	c := p.free[0]
	p.free = p.free[1:]
	return c
}

// open opens one more.
func (p *pool) open() *connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all++
	p.most = max(p.most, p.all)
	return open()
}

// get is a connection for one who will put it back.
func (p *pool) get() *connection {
	if c := p.reuse(); c != nil {
		return c
	}
	return p.open()
}

// put is called when a connection is not used any more.
func (p *pool) put(c *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.asked >= short {
		c.Close()
		p.all--
	} else {
		p.free = append(p.free, c)
	}
	p.freed.Signal()
}

func (p *pool) client(number int, end *sync.WaitGroup) {
	defer end.Done()
	for i := range questions {
		//empire:yield
		c := p.get()
		n := number*questions + i
		if got, err := c.ask(n); err != nil || got != 2*n {
			fmt.Println(n, "doubled is not", got, err)
		}
		//empire:yield
		p.put(c)
	}
}

func main() {
	p := &pool{}
	p.freed = sync.NewCond(&p.mu)
	var end sync.WaitGroup
	end.Add(clients)
	for i := range clients {
		//empire:yield
		go p.client(i, &end)
	}
	end.Wait()
	fmt.Println(p.most, "connections at most,", allowed, "are allowed")
}
