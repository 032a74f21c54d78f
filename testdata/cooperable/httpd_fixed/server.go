package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// server answers requests for pages.
type server struct {
	listener net.Listener
	pages    map[string]string // it does not change
	stats    statistics
	log      commonLog
	all      sync.WaitGroup
}

// accept takes connections until the listener is closed. Each has a goroutine.
func (s *server) accept() {
	defer s.all.Done()
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.all.Add(1)
		//empire:yield
		go s.serve(c)
	}
}

// serve answers the requests of a connection until it is closed.
func (s *server) serve(c net.Conn) {
	defer s.all.Done()
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		text, status := s.page(r.URL.Path)
		answer := &http.Response{StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Request: r,
			ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}
		err = answer.Write(c)
		//empire:yield
		s.stats.count(len(text))
		//empire:yield
		s.log.write(r.Method, r.URL.Path, status)
		if err != nil {
			return
		}
	}
}

// page is the text for a path. One of them is made of the statistics.
func (s *server) page(path string) (string, int) {
	if path == "/statistics" {
		//empire:yield
		requests, bytes, mean := s.stats.now()
		return fmt.Sprintln(requests, "requests,", bytes, "bytes,", mean, "for each"), http.StatusOK
	}
	if text, ok := s.pages[path]; ok {
		return text, http.StatusOK
	}
	return "there is no such page\n", http.StatusNotFound
}
