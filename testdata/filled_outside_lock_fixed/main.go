// A session table. Sessions are filled before they are put into the table, without
// the lock: nobody else can reach them yet.
package main

import (
	"fmt"
	"sync"
)

type session struct {
	user  string
	roles []string
}

// Table is the open sessions.
type Table struct {
	mu       sync.Mutex
	sessions map[int]*session
	last     int
}

// newSession prepares the session of a user.
func newSession(user string) *session {
	s := &session{user: user}
	s.roles = append(s.roles, "guest")
	return s
}

// Open adds a session and returns its number.
func (t *Table) Open(user string) int {
	s := newSession(user)
	if user == "root" {
		s.roles = append(s.roles, "admin")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.sessions[t.last] = s
	return t.last
}

// Roles returns how many roles a session has.
func (t *Table) Roles(id int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.sessions[id]
	if !ok {
		return 0
	}
	return len(s.roles)
}

func main() {
	t := &Table{sessions: map[int]*session{}}
	var wg sync.WaitGroup
	for _, user := range []string{"ann", "root"} {
		wg.Go(func() {
			id := t.Open(user)
			_ = t.Roles(id)
		})
	}
	wg.Wait()
	fmt.Println(t.Roles(1) > 0, t.Roles(2) > 0)
}
