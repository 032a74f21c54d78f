package main

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
)

// server answers lines: SET key value [ticks], GET key, DEL key, INC key, COUNT and STATS. An answer is one line.
type server struct {
	listener net.Listener
	store    *store
	stats    statistics
	journal  journal
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

// serve answers the lines of a connection until it is closed.
func (s *server) serve(c net.Conn) {
	defer s.all.Done()
	defer c.Close()
	in := bufio.NewScanner(c)
	for in.Scan() {
		if _, err := fmt.Fprintln(c, s.answer(strings.Fields(in.Text()))); err != nil {
			return
		}
	}
}

// answer does what a line says.
func (s *server) answer(words []string) string {
	switch {
	case len(words) == 2 && words[0] == "GET":
		return s.get(words[1])
	case (len(words) == 3 || len(words) == 4) && words[0] == "SET":
		return s.set(words[1:])
	case len(words) == 2 && words[0] == "DEL":
		//empire:yield
		removed := s.store.of(words[1]).remove(words[1])
		//empire:yield
		s.journal.write("DEL " + words[1])
		return fmt.Sprint(removed)
	case len(words) == 2 && words[0] == "INC":
		//empire:yield
		n, err := s.store.of(words[1]).increase(words[1])
		if err != nil {
			return "ERROR it is no number"
		}
		//empire:yield
		s.journal.write("INC " + words[1])
		return strconv.Itoa(n)
	case len(words) == 1 && words[0] == "COUNT":
		n := 0
		for _, h := range s.store.shards {
			//empire:yield
			n += h.count()
		}
		return strconv.Itoa(n)
	case len(words) == 1 && words[0] == "STATS":
		//empire:yield
		asks, hits, percent := s.stats.now()
		return fmt.Sprintf("%d asks, %d hits, %d percent", asks, hits, percent)
	}
	return "ERROR write SET key value [ticks], GET key, DEL key, INC key, COUNT or STATS"
}

func (s *server) get(key string) string {
	//empire:yield
	now := s.store.now()
	//empire:yield
	value, ok := s.store.of(key).get(key, now)
	//empire:yield
	s.stats.count(ok)
	if !ok {
		return "NONE"
	}
	return value
}

// set sets a key for ever, or for some ticks.
func (s *server) set(words []string) string {
	key, value, end := words[0], words[1], 0
	if len(words) == 3 {
		ticks, err := strconv.Atoi(words[2])
		if err != nil || ticks < 1 {
			return "ERROR ticks are a number above 0"
		}
		//empire:yield
		end = s.store.now() + ticks
	}
	//empire:yield
	s.store.of(key).set(key, value, end)
	//empire:yield
	s.journal.write("SET " + key)
	return "OK"
}
