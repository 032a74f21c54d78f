package answers_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/empire-go/empire-go/internal/answers"
)

const source = `// Package p is an example.
package p

import "sync"

// Box is a box.
type Box struct {
	mu sync.Mutex
	a  int // guarded by mu

	b int
}

//empire:unit
func (b *Box) Set(n int) {
	// a comment
	b.mu.Lock()
	b.a = n /* here */ + 1
	b.mu.Unlock()
}

func first() int { return 1 }
func second() int { return 2 }
`

// TestMeaning edits a source and says whether it still means the same.
func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		old, new string
		isSame   bool
	}{
		{"// a comment\n", "", true},
		{"	// a comment\n", "	// a\n\n	// longer one\n", true},
		{" /* here */", "", true},
		{"func first", "// first is first.\nfunc first", true},
		{"// Package p", "// package P", true},
		{"func second", "\n\nfunc second", true},
		{"b.a = n", "b.a  =  n", true},
		{"	b.mu.Lock()\n", "	b.mu.Lock()\n\n", true},
		{"func first", "//nolint\nfunc first", true},
		{"func first", "//go:noinline\nfunc first", false},
		{"//empire:unit", "// empire:unit", false},
		{"//empire:unit\n", "", false},
		{"//empire:unit\n", "//empire:unit\n\n", false},
		{"// guarded by mu", "", false},
		{"// guarded by mu\n", "// guarded by\n	// mu\n", false},
		{"// Box is a box.", "// Box is a box of which mu guards all.", false},
		{"mu\n\n	b", "mu\n	b", false}, // an empty line ends what a comment is about
		{"n /* here */ + 1", "n /* here */ + 2", false},
		{"n /* here */ + 1", "n +\n1", false},
		{"n /* here */ + 1", "n /* he\nre */ + 1", false}, // it ends the statement
		{"first", "third", false},
		{"func first() int { return 1 }\nfunc second() int { return 2 }\n",
			"func second() int { return 2 }\nfunc first() int { return 1 }\n", false},
		{"package p", "//go:build linux\n\npackage p", false},
		{"func first", "//line x.go:1\nfunc first", false},
	} {
		edited := strings.Replace(source, c.old, c.new, 1)
		if edited == source {
			t.Fatalf("no %q in the source", c.old)
		}
		a, b := answers.ReadFile([]byte(source)), answers.ReadFile([]byte(edited))
		if isSame := a.Sum == b.Sum; isSame != c.isSame {
			t.Errorf("%q instead of %q: the same: %v", c.new, c.old, isSame)
		}
		if a.Raw == b.Raw {
			t.Errorf("%q instead of %q: the same text", c.new, c.old)
		}
	}
}

// TestPositions moves code and follows what is said of it.
func TestPositions(t *testing.T) {
	in := func(text string) answers.Positions {
		f := answers.ReadFile([]byte(text))
		return answers.Positions{Of: func(name string) *answers.File {
			if name == "p.go" {
				return f
			}
			return nil
		}}
	}
	said := []byte(`at p.go:18:8, (p.go:19:7) and $GOROOT/src/sync/mutex.go:45:3`)
	stripped, ok := in(source).Strip(said)
	if !ok || bytes.Contains(stripped, []byte("18")) {
		t.Fatalf("%q %v", stripped, ok)
	}
	moved := strings.Replace(source, "// Package p is", "//\n// Package p is", 1)
	moved = strings.Replace(moved, "b.a = n /* here */ + 1", "b.a = n /* there, and longer */ + 1", 1)
	got, ok := in(moved).Restore(stripped)
	want := strings.NewReplacer("18:8", "19:8", "19:7", "20:7").Replace(string(said))
	if _, back := in(source).Restore(stripped); !ok || !back || string(got) != want {
		t.Errorf("got %q %v, want %q", got, ok, want)
	}
	if _, ok := in(strings.Replace(source, "+ 1", "+ 2", 1)).Restore(stripped); ok {
		t.Error("a position in changed code was found")
	}
	for _, lost := range []string{"p.go:18:9", "p.go:18", "q.go:1:1", "p.go:999:1"} {
		if stripped, ok := in(source).Strip([]byte(lost)); ok {
			t.Errorf("%s is %q", lost, stripped)
		}
	}
}

// TestStore damages entries, and has several goroutines use them.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	s, err := answers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	key := s.Key("what", 1)
	if _, ok := s.Get(key); ok || key == s.Key("what", 2) {
		t.Fatal("there is something")
	}
	value := []byte(strings.Repeat("an answer ", 100))
	s.Put(key, value)
	if got, ok := s.Get(key); !ok || !bytes.Equal(got, value) {
		t.Fatalf("got %q", got)
	}
	name := filepath.Join(dir, key[:2], key[2:]+".answer")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1
		for _, text := range [][]byte{damaged, whole[:i]} {
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
			if got, ok := s.Get(key); ok {
				t.Fatalf("damaged at %d: %q", i, got)
			}
		}
	}
	other := s.Key("another")
	os.MkdirAll(filepath.Join(dir, other[:2]), 0o777)
	if err := os.WriteFile(filepath.Join(dir, other[:2], other[2:]+".answer"), whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get(other); ok {
		t.Error("an entry counts under another key")
	}
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			for i := range 50 {
				key := s.Key("shared", i%7)
				want := fmt.Sprint(i % 7)
				if got, ok := s.Get(key); ok && string(got) != want {
					t.Errorf("got %q, want %s", got, want)
				}
				s.Put(key, []byte(want))
			}
		})
	}
	running.Wait()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := answers.Clean(dir); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != "mine" {
		t.Errorf("left: %v", left)
	}
}

// TestTree changes what packages depend on besides the meaning of their sources.
func TestTree(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("m/go.mod", "module example.com/m\n\ngo 1.26\n\nreplace example.com/r => ../r\n")
	write("m/p.go", source)
	write("r/go.mod", "module example.com/r\n")
	write("r/r.go", "package r\n")
	read := func() string {
		tree, err := answers.ReadTree(filepath.Join(dir, "m"), []string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		return tree.Meaning()
	}
	last := read()
	write("m/q/notes.txt", "nothing")
	write("m/p.go", source+"// the end\n")
	write("m/nested/go.mod", "module example.com/nested\n")
	write("m/nested/n.go", "package nested\n")
	if read() != last {
		t.Error("what does not count counts")
	}
	for _, f := range [][2]string{{"m/p.go", source + "var x int\n"}, {"m/q/q.go", "package q\n"}, {"m/p.s", "// asm\n"},
		{"m/go.sum", "\n"}, {"r/r.go", "package r\n\nvar x int\n"}, {"m/empire.yaml", "concurrent: []\n"},
		{"m/vendor/modules.txt", "# x\n"}, {"empire.yaml", "\n"}, {"m/x_test.go", "package p\n"}} {
		write(f[0], f[1])
		now := read()
		if now == last {
			t.Errorf("%s does not count", f[0])
		}
		last = now
	}
	write("m/e/e.go", "package e\n\n//go:embed data *.go\nvar all embed.FS\n")
	write("m/e/data/text.txt", "one")
	write("m/e/notes.go", "package e\n")
	last = read()
	for _, f := range [][2]string{{"m/e/data/text.txt", "two"}, {"m/e/data/more.txt", "one"},
		{"m/e/notes.go", "package e // noted\n"}} {
		write(f[0], f[1])
		now := read()
		if now == last {
			t.Errorf("%s does not count, which may be embedded", f[0])
		}
		last = now
	}
	write("m/e/data/.git/index", "what git keeps")
	write("m/e/nested/go.mod", "module example.com/nested\n")
	write("m/e/nested/text.txt", "of another module")
	if read() != last {
		t.Error("what cannot be embedded counts")
	}
	for _, env := range [][2]string{{"CGO_ENABLED", "0"}, {"GOOS", "plan9"}, {"GOFLAGS", "-tags=x"}} {
		t.Setenv(env[0], env[1])
		now := read()
		if now == last {
			t.Errorf("%s does not count", env[0])
		}
		last = now
	}
	for _, pattern := range []string{"p.go", "../../elsewhere", "file=p.go"} {
		if _, err := answers.ReadTree(filepath.Join(dir, "m"), []string{pattern}); err == nil {
			t.Errorf("it is not known what %s depends on", pattern)
		}
	}
}
