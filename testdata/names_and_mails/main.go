// Command names_and_mails finds users by name and by mail, in two maps.
package main

import "sync"

// Users are known by name and by mail.
type Users struct {
	mu    sync.RWMutex
	mails map[string]string // by name
	names map[string]string // by mail
}

// Remove removes a user.
func (u *Users) Remove(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	mail := u.mails[name]
	delete(u.mails, name)
	delete(u.names, mail)
}

// mail returns the mail of a user.
func (u *Users) mail(name string) string {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.mails[name]
}

// Consistent reports whether a user is in both maps or in none.
func (u *Users) Consistent(name string) bool {
	mail := u.mail(name)
	if mail == "" {
		return true
	}
	u.mu.RLock() // BUG: may have been removed by now
	defer u.mu.RUnlock()
	return u.names[mail] == name
}

func main() {
	users := &Users{
		mails: map[string]string{"ann": "a@example.org", "bob": "b@example.org"},
		names: map[string]string{"a@example.org": "ann", "b@example.org": "bob"},
	}
	removed := make(chan struct{})
	go func() {
		defer close(removed)
		users.Remove("ann")
	}()
	consistent := users.Consistent("ann")
	<-removed
	if !consistent {
		panic("ann was in one of the maps only")
	}
}
