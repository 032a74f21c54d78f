package load

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const statedSource = `package p // with a comment

import (
	"context"
	"time"
)

type Plain struct{ a, b int }
type Empty struct{}
type Lines struct {
	a int // the last
}
type Of[T any] struct{ of T }

var plain, pointer = Plain{1, 2}, &Plain{a: 1}

func (p *Plain) Lock()                        {}
func (p *Plain) Unlock() error                { return nil }
func (p *Plain) Acquire(context.Context) error { return nil }
func (p *Plain) Try(d time.Duration) bool     { return d > 0 }
func (p *Plain) TryError() error              { return nil }
func (e *Empty) Go(
	name string,
	f func(),
) {
}
func (e *Empty) Start(f func(context.Context) error) bool { return false }
func (e *Empty) Wait()                                    {}
func (e *Empty) WaitFor(context.Context) error            { return nil }
func (l *Lines) Lock()                                    {}
func (l *Lines) Unlock()                                  {}
func (o *Of[T]) Lock()                                    {}
func (o *Of[T]) Unlock()                                  {}
func (o *Of[T]) Twice(f, g func())                        {}

var last int
`

// TestStated puts statements of each form into a package: it still has the right types, and
// its declarations are on the lines where they were.
func TestStated(t *testing.T) {
	for name, rows := range map[string]Settings{
		"lock": {Locks: []LockType{{Type: "x/p.Plain", Lock: "Lock", Unlock: "Unlock"}}},
		"acquire": {Locks: []LockType{
			{Type: "x/p.Plain", Lock: "Acquire", Unlock: "Unlock", TryLock: "Try", TryRLock: "TryError"},
		}},
		"group":   {Joins: []Join{{"x/p.Empty", "Go", "Wait"}}},
		"context": {Joins: []Join{{"x/p.Empty", "Start", "WaitFor"}}},
		"several": {Locks: []LockType{
			{Type: "x/p.Lines", Lock: "Lock", Unlock: "Unlock"}, {Type: "x/p.Of", Lock: "Lock", Unlock: "Unlock"},
		}, Joins: []Join{{"x/p.Empty", "Go#2", "Wait"}}},
	} {
		file, err := restate(t, rows)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, "p.go", file, 0)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, file)
		}
		pkg, err := (&types.Config{Importer: importer.Default()}).Check("x/p", fset, []*ast.File{parsed}, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, file)
		}
		want := 1 + strings.Count(statedSource[:strings.Index(statedSource, "var last")], "\n")
		if line := fset.Position(pkg.Scope().Lookup("last").Pos()).Line; line != want {
			t.Errorf("%s: the last declaration is on line %d, want %d", name, line, want)
		}
	}
}

// TestStatedWrongly is what cannot be stated, and what to write instead.
func TestStatedWrongly(t *testing.T) {
	for want, rows := range map[string]Settings{
		"joins: x/p.Of: which argument does Twice run? Write Twice#1 for the first": {
			Joins: []Join{{"x/p.Of", "Twice", "Lock"}},
		},
		"joins: x/p.Empty: WaitFor has no argument 2; they are counted from 1, without the receiver": {
			Joins: []Join{{"x/p.Empty", "WaitFor#2", "Wait"}},
		},
		"locks: x/p.Plain: Try returns bool; the method for lock returns nothing, or an error if it is not taken": {
			Locks: []LockType{{Type: "x/p.Plain", Lock: "Try", Unlock: "Unlock"}},
		},
		"locks: x/p.Plain: Lock returns nothing; write a method that tells whether the lock is taken, or name it as lock": {
			Locks: []LockType{{Type: "x/p.Plain", Lock: "Acquire", Unlock: "Unlock", TryLock: "Lock"}},
		},
		`joins: x/p.Empty: "Go#x" names no argument; they are counted from 1, without the receiver: Go#1`: {
			Joins: []Join{{"x/p.Empty", "Go#x", "Wait"}},
		},
		"locks: x/p.Plain: method Lock is named twice; a method does one thing": {
			Locks: []LockType{{Type: "x/p.Plain", Lock: "Lock", Unlock: "Lock"}},
		},
		"joins: x/p.Plain: is stated twice; leave one out": {
			Joins: []Join{{"x/p.Plain", "Try", "Lock"}, {"x/p.Plain", "Try", "Unlock"}},
		},
	} {
		var wrong *SettingsError
		if _, err := restate(t, rows); !errors.As(err, &wrong) || wrong.Why != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// restate returns the source with what the settings state.
func restate(t *testing.T, s Settings) (string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(statedSource), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := statements(s.Joins, s.Locks)
	if err != nil {
		return "", err
	}
	changed, err := restatePackage([]string{name}, all)
	return string(changed[name]), err
}
