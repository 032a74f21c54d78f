// Command limits_by_field_address sets limits by their names, through the addresses that package
// reflect gives away of fields.
package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Limits is what a service allows.
type Limits struct {
	Clients, Requests int
	Banner            string
}

// Service has limits, and tells which version of them is in force.
type Service struct {
	mu      sync.Mutex
	limits  Limits
	version int
}

// target returns the address of the limit with a name.
func target(limits *Limits, name string) (*int, bool) {
	fields := reflect.ValueOf(limits).Elem()
	for i := range fields.NumField() {
		if fields.Type().Field(i).Name == name {
			to, ok := fields.Field(i).Addr().Interface().(*int)
			return to, ok
		}
	}
	return nil, false
}

// Set changes a limit.
func (s *Service) Set(name string, value int) bool {
	to, ok := target(&s.limits, name)
	if !ok {
		return false
	}
	*to = value // BUG: this should come after Lock
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	return true
}

// Clients returns how many clients there may be, and by which version.
func (s *Service) Clients() (most, version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limits.Clients, s.version
}

func main() {
	service := &Service{limits: Limits{Clients: 8, Requests: 64}}
	done := make(chan bool)
	go func() { done <- service.Set("Clients", 16) }()
	fmt.Println(service.Clients())
	fmt.Println(<-done)
}
