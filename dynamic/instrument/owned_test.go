package instrument

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestOwned looks at accesses to what a field leads to: they are accesses to the field of the
// object that owns it, and those to nodes that nobody owns are none.
func TestOwned(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "main.go": ownedProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan := &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "example.com/p.List", Fields: []string{"head"}}}}
	header, events, out := record(t, dir, plan, ".")
	objects := map[string]map[uint32]int{}
	for _, e := range events {
		if s := header.Site(e.Site); e.Op == trace.Read || e.Op == trace.Write {
			at := e.Op.String() + " " + s.Field + " " + s.Pos
			if objects[at] == nil {
				objects[at] = map[uint32]int{}
			}
			objects[at][e.Object]++
		}
	}
	for _, want := range []struct {
		at    string
		lists int
		count int
	}{
		{"read head main.go:11:10", 2, 1}, // l.head
		{"read head main.go:12:9", 2, 1},  // at.next
		{"write head main.go:15:5", 2, 1}, // at.next = ...
		{"write head main.go:28:6", 0, 0}, // of a node of its own
	} {
		if len(objects[want.at]) != want.lists {
			t.Errorf("%s: %d objects, want %d", want.at, len(objects[want.at]), want.lists)
		}
		for _, n := range objects[want.at] {
			if n != want.count {
				t.Errorf("%s: %d events, want %d", want.at, n, want.count)
			}
		}
	}
	if t.Failed() {
		t.Logf("%v\n%s", objects, out)
	}
}

const ownedProgram = `package main

type node struct {
	next  *node
	value int
}

type List struct{ head *node }

func (l *List) add(v int) {
	at := l.head
	for at.next != nil {
		at = at.next
	}
	at.next = &node{value: v}
}

var lists []*List

func main() {
	for range 2 {
		lists = append(lists, &List{head: &node{}})
	}
	for _, l := range lists {
		l.add(1)
	}
	own := &node{}
	own.next = &node{}
	println(own.next.value)
}
`
