// Command waitgroup_overwritten waits with a wait group that it has made new, so that it
// waits for nobody.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Match is a score.
type Match struct {
	home  int
	guest int
}

// Set changes the score.
func (m *Match) Set(home, guest int) {
	m.home = home
	m.guest = guest
}

// Score returns it.
func (m *Match) Score() (home, guest int) {
	home = m.home
	guest = m.guest
	return home, guest
}

func main() {
	m := &Match{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		time.Sleep(time.Millisecond)
		m.Set(2, 1)
		wg.Done()
	}()
	wg = sync.WaitGroup{} // counts nobody, and Done will panic, if it comes to that
	wg.Wait()
	fmt.Println(m.Score())
}
