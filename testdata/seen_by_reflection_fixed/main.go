// Command seen_by_reflection_fixed has names for users, and shows them by package
// reflect. That changes nothing.
package main

import (
	"fmt"
	"reflect"
	"sync"
)

// User has a name for ever.
type User struct{ Name, Nick string }

// Registry has the users.
type Registry struct {
	mu    sync.Mutex
	users map[int]*User
}

// Add adds a user, and tells its names.
func (r *Registry) Add(id int, name string) (string, string) {
	u := &User{name, name}
	r.mu.Lock()
	r.users[id] = u
	r.mu.Unlock()
	return u.Name, u.Nick
}

// Show tells a user's type.
func (r *Registry) Show(id int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	u := r.users[id]
	if u == nil {
		return ""
	}
	v := reflect.ValueOf(u)
	shown := v.Interface().(*User)
	return fmt.Sprint(v.Kind(), shown.Name)
}

func main() {
	r := &Registry{users: map[int]*User{}}
	done := make(chan bool)
	go func() {
		r.Show(1)
		done <- true
	}()
	r.Add(1, "ann")
	<-done
	fmt.Println("shown")
}
