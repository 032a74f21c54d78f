package checker_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/checker/witness"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
)

// TestSystems decides the pushdown systems and grammars of testdata/cpds. The first line of
// a file says what is expected: "expect empty", "expect unknown" or "expect common 4" with
// the length of a shortest word; "by" and a part of the engine may follow. Explicit search
// and the engine prefix must not contradict it.
func TestSystems(t *testing.T) {
	files, err := filepath.Glob("../testdata/cpds/*.c*")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { system(t, file) })
	}
}

func system(t *testing.T, file string) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parse := cpds.Parse
	if filepath.Ext(file) == ".cfg" {
		parse = cpds.ParseGrammars
	}
	s, err := parse(file, src)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(src), "\n")
	_, line, _ = strings.Cut(line, "expect ")
	want, part, _ := strings.Cut(line, " by ")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	a := refine.New().Decide(ctx, s, checker.Limits{Rounds: 20, States: 200_000})[0]
	if err := witness.Verify(s, a); err != nil {
		t.Error(err)
	}
	got := map[checker.Status]string{checker.Empty: "empty", checker.Undecided: "unknown",
		checker.Common: fmt.Sprint("common ", len(a.Word))}[a.Status]
	if got != want || part != "" && a.By != part {
		t.Errorf("%s by %s, want %s by %s; %s", got, a.By, want, part, a.Reason)
	}
	found, complete := enginetest.Explore(s, 6, 20000)
	length, has := found[a.Label]
	switch {
	case has && want != fmt.Sprint("common ", length):
		t.Errorf("%s is expected, and explicit search finds a word of length %d", want, length)
	case !has && complete && want != "empty":
		t.Errorf("%s is expected, and explicit search finds no word", want)
	}
	p := prefix.New().Decide(ctx, s, checker.Limits{Rounds: 8, States: 10_000})[0]
	if p.Status != checker.Undecided && p.Status != a.Status {
		t.Errorf("%s: the engine prefix says %v", got, p.Status)
	}
}
