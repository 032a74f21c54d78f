// Command httpd is a server of web pages, with the errors that are known of jigsaw: after a request is counted, what
// follows from the counts is computed in a second step, so that it is slightly old for those who look in between;
// and whether there is a log is looked at before it is used, while it may be closed. Clients ask for pages and for
// the statistics, and somebody closes and opens the log.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

const (
	clients  = 3
	requests = 15
)

// client asks for pages on one connection.
func (s *server) client(end *sync.WaitGroup) {
	defer end.Done()
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for i := range requests {
		path := [...]string{"/", "/statistics", "/nothing"}[i%3]
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: here\r\n\r\n", path)
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

// rotate closes the log and opens it again.
func (s *server) rotate(end *sync.WaitGroup) {
	defer end.Done()
	for range clients * requests {
		//empire:yield
		s.log.set(nil)
		//empire:yield
		s.log.set(io.Discard)
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &server{listener: l, pages: map[string]string{"/": "a page\n"}}
	s.log.out = io.Discard
	s.all.Add(1)
	//empire:yield
	go s.accept()
	var end sync.WaitGroup
	end.Add(clients + 1)
	for range clients {
		//empire:yield
		go s.client(&end)
	}
	//empire:yield
	go s.rotate(&end)
	end.Wait()
	l.Close()
	s.all.Wait()
	fmt.Println(s.stats.requests, "requests,", s.stats.old, "times old,", s.log.lost, "lines lost")
}
