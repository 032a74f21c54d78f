package instrument

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestLibrary looks at accesses that the code of other modules makes.
func TestLibrary(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "main.go": libraryProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan := &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{
		{Type: "example.com/p.S", Fields: []string{"all", "n", "text"}}}}
	header, events, out := record(t, dir, plan, ".")
	got := map[string]int{}
	for _, e := range events {
		if s := header.Site(e.Site); e.Op == trace.Read || e.Op == trace.Write {
			got[e.Op.String()+" "+s.Field+" "+s.Pos]++
		}
	}
	for _, want := range []string{
		"read all main.go:22:4", "write all main.go:22:16", // PushBack
		"read all main.go:23:15",                          // Len
		"write text main.go:24:20",                        // WriteString
		"read n main.go:25:13", "read text main.go:25:13", // Println
		"write n main.go:26:16", // Unmarshal
	} {
		if got[want] != 1 {
			t.Errorf("%d events %q, want 1", got[want], want)
		}
	}
	if t.Failed() {
		t.Logf("%v\n%s", got, out)
	}
}

const libraryProgram = `package main

import (
	"container/list"
	"encoding/json"
	"fmt"
	"strings"
)

type S struct {
	all  *list.List
	text strings.Builder
	n    int
}

var kept []*S

func main() {
	s := &S{all: list.New()}
	kept = append(kept, s)

	s.all.PushBack(1)
	_ = s.all.Len()
	s.text.WriteString("x")
	fmt.Println(s)
	json.Unmarshal([]byte("{}"), s)
}
`
