// Command keyserver is a server that keeps values by keys, in shards with a lock each, some of them for a time only.
// Clients talk to it in lines over TCP, a sweeper removes what has ended, and somebody closes and opens its journal.
// Like httpd it has the errors that are known of jigsaw: what follows from its statistics is computed in a second step,
// and whether there is a journal is looked at before it is used.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	clients = 4
	rounds  = 6
)

// client asks for this and that on one connection, and counts to rounds together with the others.
func (s *server) client(id int) error {
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		return err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for i := range rounds {
		for _, line := range []string{
			fmt.Sprintf("SET own%d %d", id, i), fmt.Sprintf("SET short %d 1", i), "GET short", "INC shared", "STATS",
			fmt.Sprintf("GET own%d", id), "DEL short",
		} {
			if _, err := fmt.Fprintln(c, line); err != nil {
				return err
			}
			answer, err := in.ReadString('\n')
			if err != nil {
				return err
			}
			if answer = strings.TrimSpace(answer); strings.HasPrefix(line, "GET own") && answer != fmt.Sprint(i) {
				return fmt.Errorf("%s is %s", line, answer)
			}
		}
	}
	return nil
}

// disturb lets time pass, and closes and opens the journal, until all clients have gone.
func (s *server) disturb(gone *atomic.Int64) {
	for {
		//empire:yield
		if gone.Load() == clients {
			return
		}
		s.store.sweep()
		//empire:yield
		s.journal.keep(nil)
		//empire:yield
		s.journal.keep(io.Discard)
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &server{listener: l, store: newStore(), journal: journal{out: io.Discard}}
	s.all.Add(1)
	//empire:yield
	go s.accept()
	var end sync.WaitGroup
	var gone atomic.Int64
	for id := range clients {
		//empire:yield
		end.Go(func() {
			if err := s.client(id); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			//empire:yield
			gone.Add(1)
		})
	}
	//empire:yield
	end.Go(func() { s.disturb(&gone) })
	end.Wait()
	l.Close()
	s.all.Wait()
	//empire:yield
	shared, _ := s.store.of("shared").get("shared", s.store.now())
	if shared != fmt.Sprint(clients*rounds) {
		fmt.Println("it was counted wrong:", shared)
		os.Exit(1)
	}
	fmt.Println(s.stats.asks, "asks,", s.stats.old, "times old,", s.journal.lost, "lines lost")
}
