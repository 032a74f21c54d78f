package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestComplete asks for the values that a shell is offered.
func TestComplete(t *testing.T) {
	for _, c := range []struct {
		line string // its last word is what is to be completed
		want []string
	}{
		{"check --format ", []string{"text", "json", "ndjson", "sarif"}},
		{"sweep --format ", []string{"text", "json", "csv"}},
		{"run --units ", []string{"auto", "exported", "annotated"}},
		{"check --fail-on ", []string{"seen", "possible", "unknown", "any"}},
		{"check ../../../testdata/counter --type ", []string{"Stats"}},
		{"explain ", []string{"stale-update\tscenario 1", "9\tinconsistent-read"}},
	} {
		var stdout, stderr strings.Builder
		Run(append([]string{"__complete"}, strings.Split(c.line, " ")...), &stdout, &stderr)
		offered := strings.Split(stdout.String(), "\n")
		for _, want := range c.want {
			if !slices.Contains(offered, want) {
				t.Errorf("%s: %q does not have %q", c.line, offered, want)
			}
		}
	}
}

// TestManual: each command has a page, which says what its help says.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr strings.Builder
	if s := Run([]string{"man", dir}, &stdout, &stderr); s != 0 {
		t.Fatalf("exit status %d: %s", s, &stderr)
	}
	var each func(*cobra.Command)
	each = func(cmd *cobra.Command) {
		text, err := os.ReadFile(filepath.Join(dir, pageName(cmd)+".1"))
		if err != nil {
			t.Error(err)
		}
		for _, part := range []string{".SH NAME\n" + troff(pageName(cmd)), ".SH SYNOPSIS", troff("--help")} {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s: the page does not have %q", cmd.CommandPath(), part)
			}
		}
		for _, child := range cmd.Commands() {
			if child.IsAvailableCommand() {
				each(child)
			}
		}
	}
	each(newRoot())
}

func TestTroff(t *testing.T) {
	if got, want := troff(".x 'a'\n--b\\n"), "\\&.x \\(aqa\\(aq\n\\-\\-b\\en"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
