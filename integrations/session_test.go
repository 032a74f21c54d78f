package integrations

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the real output into SESSION.md")

// console matches a block of commands and what they print.
var console = regexp.MustCompile("(?s)```console\n(.*?)```\n")

// varying is what differs from one machine to another: sizes of the standard library.
var varying = regexp.MustCompile(`of \d+ (functions|instructions)`)

// TestSession runs the commands of SESSION.md, one after the other, in a copy of the service that it is about.
func TestSession(t *testing.T) {
	dir, env := module(t, "")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/shop")); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "SESSION.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := console.ReplaceAllStringFunc(string(text), func(block string) string {
		var out strings.Builder
		for line := range strings.Lines(console.FindStringSubmatch(block)[1]) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			printed, _ := run(t, dir, env, "bash", "-c", command)
			out.WriteString(line + printed)
		}
		return "```console\n" + out.String() + "```\n"
	})
	same := func(s string) string { return varying.ReplaceAllString(s, "of N $1") }
	if diff := cmp.Diff(same(string(text)), same(got)); diff != "" && !*update {
		t.Errorf("SESSION.md shows other output (-shown +real); run go test -run Session -update ./integrations\n%s", diff)
	} else if diff != "" {
		write(t, name, got, 0o644)
	}
}
