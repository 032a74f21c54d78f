package waitfor

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// looking is bodies of functions with a look at the place of $.
var looking = []struct {
	body string
	want asking
}{
	{"for !$v.done {}", asks},
	{"for { if $v.done { return false } }", asks},
	{"for { v.mu.Lock(); d := $v.done; v.mu.Unlock(); if d { break } }", asks},
	{"for { select { case <-$v.c: return true; default: } }", asks},
	{"for { switch $v.state { case 1: return true } }", asks},
	{"for { x = x*$v.a + 1; if x == 7 { print(x) } }", computes},
	{"for { x += $v.a; if len(y) > 0 { return true } }", computes}, // by something else
	{"for range 9 { x += $v.a }", computes},
	{"for { f := func() { if $v.done { return } }; f() }", computes}, // the function leaves, not the loop
	{"v.mu.Lock(); defer v.mu.Unlock(); return $v.done", mayAsk},
	{"d := $v.done; return d", mayAsk},
	{"print($v.done); return true", computes},
}

// TestAsks: whether a goroutine that looks at something in a loop waits for it to change.
func TestAsks(t *testing.T) {
	for _, l := range looking {
		text := "package p\nfunc f() bool { " + l.body + " }\n"
		at := strings.Index(text, "$")
		text = strings.Replace(text, "$", "", 1)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "p.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		s := sources{files: map[string]*ast.File{"p.go": file}, set: set}
		position := set.Position(set.File(file.Pos()).Pos(at))
		position.Filename = "p.go"
		if got := s.asks(position.String()); got != l.want {
			t.Errorf("%s: %v, want %v", l.body, got, l.want)
		}
	}
	s := sources{root: t.TempDir(), files: map[string]*ast.File{}, set: token.NewFileSet()}
	for _, pos := range []string{"", "x.go:3:4", "y.go:3"} {
		if got := s.asks(pos); got != mayAsk {
			t.Errorf("%q, which cannot be read: %v", pos, got)
		}
	}
}
