package pipeline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/frontend/load"
)

// candidatesFile is testdata/candidates/NAME/candidates.yaml: what is worth checking in
// the program beside it, and why.
type candidatesFile struct {
	Why        string
	Candidates []wantCandidate // all of them, the best first
	// types that are none, without the package, and why; those with a lock that are missing are not
	// compared
	Left map[string]string
}

type wantCandidate struct {
	Type     string // without the package
	Fields   []string
	Vars     []string // in place of type and fields
	Guard    string
	Atomic   string
	Shared   bool
	Sites    []string // if they are compared
	Units    []string // the functions that may be units of work
	Evidence []string // sentences that are among the evidence
}

const candidatesFolder = "testdata/candidates/"

// loadedCandidates is the programs of testdata/candidates.
var loadedCandidates = sync.OnceValues(func() (*load.Program, error) {
	r := Request{Packages: []string{"./" + candidatesFolder + "..."}}
	r.fillDefaults()
	return loadProgram(context.Background(), r, &runner{})
})

// TestCandidates compares what is found in each program of testdata/candidates with its
// file. Add a case by adding a folder.
func TestCandidates(t *testing.T) {
	files, err := filepath.Glob(candidatesFolder + "*/candidates.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	program, err := loadedCandidates()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		folder := filepath.ToSlash(filepath.Dir(file))
		t.Run(filepath.Base(folder), func(t *testing.T) {
			want := readCandidates(t, file)
			r := Request{Packages: []string{"./" + folder}}
			r.fillDefaults()
			result := &CandidateResult{}
			own := program.Only(program.Module + "/" + folder)
			found, err := findCandidates(t.Context(), r, own, &runner{})
			if err != nil {
				t.Fatal(err)
			}
			result.addAll(r, own, found)
			compareCandidates(t, want, result)
		})
	}
}

func readCandidates(t *testing.T, file string) (c candidatesFile) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

func compareCandidates(t *testing.T, want candidatesFile, got *CandidateResult) {
	for i, c := range got.Candidates {
		if i >= len(want.Candidates) {
			t.Errorf("%s %v is a candidate: %q", c.Type, c.Fields, c.Evidence)
			continue
		}
		w := want.Candidates[i]
		name := c.Type[strings.LastIndex(c.Type, ".")+1:]
		if name != w.Type || !slices.Equal(c.Fields, append(w.Fields, w.Vars...)) {
			t.Errorf("candidate %d is %s %v, want %s %v", i+1, name, c.Fields, w.Type, append(w.Fields, w.Vars...))
		}
		if c.Guard != w.Guard || c.Atomic != w.Atomic || c.Shared != w.Shared {
			t.Errorf("%s %v: guard %q, atomic %q, shared %v, want %q, %q, %v", name, c.Fields, c.Guard, c.Atomic, c.Shared,
				w.Guard, w.Atomic, w.Shared)
		}
		for _, sentence := range w.Evidence {
			if !slices.Contains(withoutFolder(c.Evidence), sentence) {
				t.Errorf("%s %v: no evidence %q in %q", name, c.Fields, sentence, withoutFolder(c.Evidence))
			}
		}
		var units []string
		for _, u := range c.Units {
			units = append(units, u.Function)
		}
		slices.Sort(units)
		if !slices.Equal(units, w.Units) {
			t.Errorf("%s %v: units %q, want %q", name, c.Fields, units, w.Units)
		}
		var sites []string
		for _, s := range c.Sites {
			sites = append(sites, s.Site)
		}
		if sites = withoutFolder(sites); len(w.Sites) > 0 && !slices.Equal(sites, w.Sites) {
			t.Errorf("%s %v: made at %q, want %q", name, c.Fields, sites, w.Sites)
		}
	}
	for _, w := range want.Candidates[min(len(want.Candidates), len(got.Candidates)):] {
		t.Errorf("%s %v is no candidate", w.Type, append(w.Fields, w.Vars...))
	}
	for name, why := range want.Left {
		i := slices.IndexFunc(got.Left, func(l LeftOut) bool { return strings.HasSuffix(l.Type, "."+name) })
		if i < 0 || got.Left[i].Why != why {
			t.Errorf("%s is not left out as it %q: %+v", name, why, got.Left)
		}
	}
}

// withoutFolder drops the folders of test programs from positions.
func withoutFolder(all []string) []string {
	var short []string
	for _, s := range all {
		for {
			at := strings.Index(s, candidatesFolder)
			if at < 0 {
				break
			}
			_, rest, _ := strings.Cut(s[at+len(candidatesFolder):], "/")
			s = s[:at] + rest
		}
		short = append(short, s)
	}
	return short
}
