package waits_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/scenarios"
)

var update = flag.Bool("update", false, "write what is found into the files of testdata")

// TestOrder holds what programs may wait for under locks to the lists beside them: each file of testdata has a
// package, and in want what is found of its own locks; in settled, which locks nobody waits for for ever, and what is
// in doubt of others; in verdict, what is said of the program.
// Comparisons of programs are tested where they matter: see package mend.
func TestOrder(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"))
	archives := map[string]*txtar.Archive{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if archives[name], err = txtar.ParseFile(file); err != nil {
			t.Fatal(err)
		}
		for _, f := range archives[name].Files {
			if strings.HasSuffix(f.Name, ".go") {
				write(t, filepath.Join(dir, name, f.Name), f.Data)
			}
		}
	}
	session, err := pipeline.Open(t.Context(), pipeline.Request{Dir: dir, Packages: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	for name, archive := range archives {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			path := filepath.Join("testdata", name+".txtar")
			order, err := session.Only("example.com/m/"+name).Waits(t.Context(), pipeline.Request{})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range order.Edges() {
				if isOwn(e.Held.Name) && (isOwn(e.For.Function) || isOwn(e.For.Lock.Name)) {
					fmt.Fprintln(&got, e)
				}
			}
			compare(t, path, archive, "want", bytes.Clone(got.Bytes()))
			got.Reset()
			result, err := session.Only("example.com/m/"+name).Run(t.Context(),
				pipeline.Request{Classes: scenarios.ClassNames()})
			if err != nil {
				t.Fatal(err)
			}
			verdict := ""
			for _, b := range result.Blocking {
				verdict += b.Verdict + "\n"
				for _, l := range b.Locks {
					fmt.Fprintln(&got, strings.TrimSuffix(l.Name+": "+l.Verdict+", "+l.Reason, ", "))
				}
			}
			compare(t, path, archive, "settled", bytes.Clone(got.Bytes()))
			compare(t, path, archive, "verdict", []byte(verdict))
		})
	}
}

// isOwn tells whether a lock or a function is one of the programs in testdata: those of the standard library change
// with it.
func isOwn(name string) bool { return strings.Contains(name, "example.com/m/") }

func write(t *testing.T, path string, text []byte) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare compares with what the file wants, or writes it.
func compare(t *testing.T, path string, archive *txtar.Archive, part string, got []byte) {
	for i, f := range archive.Files {
		if f.Name != part {
			continue
		}
		if *update {
			archive.Files[i].Data = got
			write(t, path, txtar.Format(archive))
		} else if !bytes.Equal(f.Data, got) {
			t.Errorf("got\n%s\nwant\n%s", got, f.Data)
		}
	}
}
