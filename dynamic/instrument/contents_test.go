package instrument

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestContents looks at accesses to elements through variables: they are accesses to the field that
// holds the slice or map, and none when it holds it no more.
func TestContents(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "main.go": contentsProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan := &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{
		{Type: "example.com/p.Pair", Fields: []string{"data", "index", "next"}}}}
	known := *plan
	known.Accesses = []watch.Access{{Field: "data", Pos: "main.go:13:13", Reads: true}}
	for _, test := range []struct {
		plan *watch.Plan
		want map[string]int
	}{
		{plan, map[string]int{
			"read data main.go:13:13":  2, // in the reach of two objects
			"write data main.go:13:3":  2,
			"write data main.go:14:3":  2,
			"read data main.go:15:3":   2,
			"write data main.go:15:3":  2,
			"write data main.go:16:6":  2,
			"write next main.go:22:3":  2,
			"read index main.go:25:18": 2,
			"write index main.go:26:4": 2,
			"read index main.go:27:4":  2,
			"write index main.go:27:4": 2,
			"write index main.go:28:9": 2,
			"write index main.go:31:3": 2, // after a collection
			"write data main.go:38:7":  0, // of one that was taken out
			"write data main.go:43:5":  0, // of one's own
			"write index main.go:48:3": 0,
		}},
		{&known, map[string]int{"read data main.go:13:13": 2, "write data main.go:14:3": 0, "write index main.go:26:4": 0}},
	} {
		header, events, out := record(t, dir, test.plan, ".")
		seen := map[string]int{}
		for _, e := range events {
			if s := header.Site(e.Site); e.Op == trace.Read || e.Op == trace.Write {
				seen[e.Op.String()+" "+s.Field+" "+s.Pos]++
			}
		}
		for at, n := range test.want {
			if seen[at] != n {
				t.Errorf("%s: %d events, want %d", at, seen[at], n)
			}
		}
		if out != "10 3 true 8\n" {
			t.Errorf("output %q", out)
		}
		if t.Failed() {
			t.Logf("%v", seen)
		}
	}
}

const contentsProgram = `package main

import "runtime"

type Pair struct {
	data  []int
	index map[string]int
	next  []struct{ n int }
}

func (p *Pair) fill() {
	d := p.data
	d[0], _ = d[1]+1, 0
	d[1] = 3
	d[1]++
	copy(d[2:], d)
}

func (p *Pair) name() bool {
	p.next = make([]struct{ n int }, 2)
	n := p.next
	n[1].n = 5

	m := p.index
	if _, known := m["a"]; !known {
		m["a"] = twice(2)
		m["a"] += 3
		delete(m, "b")
	}
	runtime.GC()
	m["a"]++
	return len(m) == 1
}

func (p *Pair) take() {
	batch := p.data
	p.data = nil
	batch[0] = 10
}

func twice(n int) int {
	own := make([]int, 1)
	own[0] = n
	return 2 * own[0]
}

func other(m map[string]int) {
	m["other"] = 1
}

var pairs []*Pair

func main() {
	for range 2 {
		pairs = append(pairs, &Pair{data: make([]int, 4), index: map[string]int{}})
	}
	named, data := false, []int{}
	for _, p := range pairs {
		data = p.data
		p.fill()
		named = p.name()
		p.take()
	}
	other(map[string]int{})
	println(data[0], data[2]+2, named, pairs[1].index["a"])
}
`
