package stacks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParse reads what the runtime prints.
func TestParse(t *testing.T) {
	got := Parse("goroutine 7 [sync.Mutex.Lock, 2 minutes]:\nmain.f(...)\n\t/m/p/main.go:12 +0x1d\n\n" +
		"goroutine 9 [chan send (nil chan) (leaked)]:\nmain.g()\n\t/m/p/main.go:20 +0x1d\n\n" +
		"goroutine 1 gp=0x1 m=0 mp=0x2 [running]:\nmain.main()\n\t/m/p/main.go:3\n")
	want := []Goroutine{
		{Number: "7", Status: "sync.Mutex.Lock", Places: []string{"/m/p/main.go:12"}},
		{Number: "9", Status: "chan send (nil chan)", Leaked: true, Places: []string{"/m/p/main.go:20"}},
		{Number: "1", Status: "running", Places: []string{"/m/p/main.go:3"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if !got[0].IsWithin("p/main.go:10-12") || got[0].IsWithin("p/main.go:13-14") || got[0].IsWithin("main:") {
		t.Errorf("got %v", got[0])
	}
	if !got[0].Waits() || got[2].Waits() || !got[0].IsAt("p/main.go:12:4") || got[0].IsAt("q/main.go:12:4") {
		t.Errorf("got %v", got)
	}
}
