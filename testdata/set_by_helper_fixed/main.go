// Command set_by_helper merges settings: a helper copies what is set in one struct to another
// one, whatever their type, by reflection. It is handed the struct in an interface.
package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Options are settings.
type Options struct {
	Host  string
	Port  int
	Limit *Limit
}

// Limit is a part of them.
type Limit struct{ Rate int }

// merge sets in to what is set in from.
func merge(to, from any) {
	mergeValues(reflect.Indirect(reflect.ValueOf(to)), reflect.Indirect(reflect.ValueOf(from)))
}

func mergeValues(to, from reflect.Value) {
	for i := range to.NumField() {
		switch field := from.Field(i); {
		case field.IsZero():
		case field.Kind() == reflect.Pointer && !to.Field(i).IsNil():
			mergeValues(to.Field(i).Elem(), field.Elem())
		default:
			to.Field(i).Set(field)
		}
	}
}

// Server has options, and a version of them.
type Server struct {
	mu      sync.Mutex
	options *Options
	version int
}

// Configure merges options into those of the server.
func (s *Server) Configure(o *Options) {
	s.mu.Lock()
	defer s.mu.Unlock()
	merge(s.options, o)
	s.version++
}

// Rate returns the limit, and the version of the options that it is from.
func (s *Server) Rate() (int, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rate := s.options.Limit.Rate
	return rate, s.version
}

func main() {
	server := &Server{options: &Options{Limit: &Limit{1}}}
	done := make(chan bool)
	go func() {
		server.Configure(&Options{Limit: &Limit{2}})
		done <- true
	}()
	server.Rate()
	<-done
	fmt.Println(server.Rate())
}
