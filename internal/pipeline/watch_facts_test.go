package pipeline

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/limit"
)

// TestWithoutFacts holds what a plan says about sets of which nothing is known: all of them, in one
// line, by the reason.
func TestWithoutFacts(t *testing.T) {
	limited, stop := limit.ForQuery(context.Background(), time.Nanosecond, 1<<40)
	defer stop()
	<-limited.Done()
	late := whyNoFacts(limited, Request{Timeout: time.Second}, errors.New("late"))
	w := &watcher{plan: &watch.Plan{Sets: []watch.Set{
		{Type: "example.com/p.A", Fields: []string{"a"}}, {Type: "example.com/p.B", Fields: []string{"b", "c"}},
		{Type: "example.com/p.C", Fields: []string{"d"}},
	}}}
	got := w.withoutFacts(map[int]string{2: late, 1: "too large", 0: late})
	want := "p.A {a}, p.C {d}: there was no time for it in 1s; name one with --type T --fields a,b; p.B {b, c}: too large"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := w.withoutFacts(nil); got != "" {
		t.Errorf("%q where nothing is missing", got)
	}
}
