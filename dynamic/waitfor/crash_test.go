package waitfor

import (
	"bytes"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// crashed is what the runtime writes when it ends a program, and what is told of it; "" for nothing.
var crashed = []struct{ text, what, class string }{
	{"panic: send on closed channel\n\ngoroutine 1 [running]:\nmain.main()\n\t/m/a.go:1 +0x1d\n",
		"a send on a channel that is closed", "order"},
	{"panic: close of closed channel [recovered, repanicked]\n\ngoroutine 1 gp=0x1 m=0 mp=0x2 [running]:\n" +
		"main.main()\n\t/m/a.go:1 +0x1d\n", "a channel closed twice", "order"},
	{"\ngoroutine 6 [running]:\ninternal/runtime/maps.fatal({0x1?, 0x2?})\n\t/go/src/runtime/panic.go:1 +0x1\n" +
		"main.main.func1()\n\t/m/a.go:1 +0x1d\n", "a map used while it is written", "data-race"},
	{"panic: Log in goroutine after TestA has completed: late\n\ngoroutine 7 [running]:\na.f()\n\t/m/a.go:1 +0x1d\n",
		"a test that was used after its end", "order"},
	{"panic: the work has completed\n\ngoroutine 7 [running]:\na.f()\n\t/m/a.go:1 +0x1d\n", "", ""},
	{"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/m/a.go:1\n", "",
		""},
	{"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV]\n\n" +
		"goroutine 1 [running]:\nmain.main()\n\t/m/a.go:1 +0x1d\n", "", ""}, // nothing is known of the variable
	{"", "", ""},
}

// TestAddCrash reads what the runtime writes.
func TestAddCrash(t *testing.T) {
	for _, c := range crashed {
		h := trace.Header{Root: "/m", Sites: []trace.Site{{}, {Pos: "a.go:1:1", Function: "main.main"}}}
		out, err := h.Encode()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(bytes.NewReader(trace.AppendEnd(out)))
		if err != nil {
			t.Fatal(err)
		}
		r.AddCrash(c.text)
		what, class := "", ""
		for _, v := range r.Orders {
			what, class = v.What, v.Class.Name
			if v.At.Pos != "a.go:1" || v.At.Function != "main.main" {
				t.Errorf("%q is at %v", c.text, v.At)
			}
		}
		if what != c.what || class != c.class {
			t.Errorf("%q is %q of class %q, want %q of %q", c.text, what, class, c.what, c.class)
		}
	}
}
