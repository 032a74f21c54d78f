package yields

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

const source = `package p

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add(ch chan int) int {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
	for c.n < 10 {
		c.n = c.n + f(c)
	}
	if c.n > 3 {
		<-ch
	} else if c.get() > 4 {
		ch <- c.n
	}
	go func() {
		c.n = 4
	}()
	return c.n
}
`

// at is the position of the nth occurrence of a text, from 0.
func at(text string, n int) (line, column int) {
	i := 0
	for range n + 1 {
		i += strings.Index(source[i:], text) + 1
	}
	before := source[:i-1]
	return 1 + strings.Count(before, "\n"), i - 1 - strings.LastIndexByte(before, '\n')
}

// want is a yield before what stands at the nth occurrence of a text.
func want(text string, n, offset int, write bool) Want {
	line, column := at(text, n)
	return Want{line, column + offset, write}
}

func parse(t *testing.T, src string) (*Found, error) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return Find(fset, file, src)
}

func insert(t *testing.T, src string, wants []Want) (string, []Want) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return Insert(fset, file, src, wants)
}

// TestInsert writes yields of all forms, finds them where they were wanted, and writes the same into the
// result once more, which changes nothing else than that they stand there twice.
func TestInsert(t *testing.T) {
	for _, test := range []struct {
		want      Want
		directive string
	}{
		{want("c.mu.Lock()", 0, 9, false), "//empire:yield"},
		{want("c.n++", 0, 2, false), "//empire:yield c.n"},
		{want("c.n++", 0, 2, true), "//empire:yield c.n ="},
		{want("c.n < 10", 0, 2, false), "//empire:yield c.n"},
		{want("c.n + f", 0, 2, false), "//empire:yield c.n"},
		{want("c.n = c.n", 0, 2, true), "//empire:yield c.n ="},
		{want("<-ch", 0, 0, false), "//empire:yield"},
		{want("c.get()", 0, 5, false), "//empire:yield c.get()"},
		{want("ch <- c.n", 0, 3, false), "//empire:yield ch <- c.n"},
		{want("c.n = 4", 0, 2, true), "//empire:yield c.n ="},
		{want("return c.n", 0, 9, false), "//empire:yield c.n"},
	} {
		text, left := insert(t, source, []Want{test.want})
		if len(left) > 0 {
			t.Errorf("%+v: nothing written", test.want)
			continue
		}
		added := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return !strings.Contains(l, "//empire") })
		if len(added) != 1 || strings.TrimSpace(added[0]) != test.directive {
			t.Errorf("%+v: %q, not %q", test.want, added, test.directive)
		}
		if clean, err := format.Source([]byte(text)); err != nil || string(clean) != text {
			t.Errorf("%+v: not as gofmt has it (%v):\n%s", test.want, err, text)
		}
		found, err := parse(t, text)
		if err != nil || len(found.At)+len(found.Before) != 1 {
			t.Errorf("%+v: %v, and found %+v", test.want, err, found)
		}
	}
	if text, left := insert(t, source, []Want{{2, 1, false}}); text != source || len(left) != 1 {
		t.Errorf("a yield at no statement is written: %s", text)
	}
}

// TestFindErrors: directives that name nothing are errors with their position.
func TestFindErrors(t *testing.T) {
	for directive, why := range map[string]string{
		"//empire:yield c.m":  "p.go:12:2: //empire:yield names nothing in the statement below it",
		"//empire:yield f =":  "names nothing",
		"//empire:yield\n}//": "", // ends the function early; the directive stands above no statement
	} {
		text := strings.Replace(source, "\tc.n++\n", fmt.Sprintf("\t%s\n\tc.n++\n", directive), 1)
		if why == "" {
			text = "package p\n\n//empire:yield\nfunc f() {\n}\n"
			why = "p.go:3:1: //empire:yield belongs directly above a statement; move it there"
		}
		if _, err := parse(t, text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, not %q", directive, err, why)
		}
	}
	twice := strings.Replace(source, "\tc.n++\n", "\t//empire:yield c.n\n\tc.n = c.n + c.n\n", 1)
	if _, err := parse(t, twice); err == nil || !strings.Contains(err.Error(), "names several things") {
		t.Errorf("%v", err)
	}
}

// TestBlocks finds statements that are to be atomic, and errors that are known.
func TestBlocks(t *testing.T) {
	const body = "package p\n\nfunc f(n int) {\n\tfor {\n\t\t//empire:atomicblock\n\t\t%s\n\t\t//empire:yield bug\n" +
		"\t\tn++\n\t\tbreak\n\t}\n}\n"
	for statement, fine := range map[string]bool{
		"{ n++; n++ }": true, "n++": true, "for { break }": true, "for { switch { case true: continue } }": true,
		"switch { case true: break }": true, "func() { return }()": true, "if n > 1 { break }": false,
		"switch { case true: continue }": false, "{ return }": false, "for { if n > 1 { return } }": false,
	} {
		found, err := parse(t, fmt.Sprintf(body, statement))
		if (err == nil) != fine {
			t.Errorf("%s: %v", statement, err)
		}
		if err == nil && (len(found.Blocks) != 1 || len(found.Bugs) != 1 || len(found.Before) != 0) {
			t.Errorf("%s: %+v", statement, found)
		}
	}
	src := fmt.Sprintf(body, "n++")
	if text, left := insert(t, src, []Want{{Line: 8, Column: 3, Write: true}}); text != src || left != nil {
		t.Errorf("a yield is written where interference is a known error:\n%s%v", text, left)
	}
}
