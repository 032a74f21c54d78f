package esl_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestText runs the archives in testdata. A case NAME is a program NAME.esl with
// NAME.want, what Print makes of it, or NAME.err, the error of Parse or Validate.
func TestText(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, input := range archive.Files {
			name, ok := strings.CutSuffix(input.Name, ".esl")
			if !ok {
				continue
			}
			t.Run(name, func(t *testing.T) {
				want := &archive.Files[i+1]
				got := outcome(t, input, want.Name == name+".err")
				if *update {
					want.Data = []byte(got)
				} else if diff := cmp.Diff(string(want.Data), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", want.Name, diff)
				}
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// outcome returns the printed program or the error, as expected.
func outcome(t *testing.T, input txtar.File, wantErr bool) string {
	p, err := esl.Parse(input.Name, input.Data)
	if err == nil {
		err = esl.Validate(p)
	}
	switch {
	case wantErr && err == nil:
		t.Error("there is no error")
		return ""
	case wantErr:
		return err.Error() + "\n"
	case err != nil:
		t.Fatal(err)
	}
	roundTrip(t, p)
	return p.String()
}

// roundTrip checks that the text form of a valid program reads back as the
// program, and prints the same.
func roundTrip(t *testing.T, p *esl.Program) {
	t.Helper()
	text := p.String()
	again, err := esl.Parse("printed.esl", []byte(text))
	if err != nil {
		t.Fatalf("the printed program does not parse: %v\n%s", err, text)
	}
	if diff := cmp.Diff(p, again, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("the printed program reads back differently (-was +is):\n%s\n%s", diff, text)
	}
	if text != again.String() {
		t.Fatalf("printed twice, the program differs:\n%s\n%s", text, again)
	}
}

func TestRoundTripRandom(t *testing.T) {
	for seed := range uint64(500) {
		roundTrip(t, random.Program(seed, random.Shape{Recursion: 0.3}))
	}
}

func TestRoundTripExamples(t *testing.T) {
	files, err := filepath.Glob("../testdata/esl/*.esl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := esl.Parse(file, src)
		if err == nil {
			err = esl.Validate(p)
		}
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, p)
	}
}

// FuzzParse: Parse never panics; Validate neither, on what Parse returns; what is
// valid prints and reads back the same.
func FuzzParse(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := esl.Parse("fuzz.esl", src)
		if err != nil {
			if strings.Count(err.Error(), "\n") > 0 {
				t.Fatalf("the error has several lines: %v", err)
			}
			return
		}
		if esl.Validate(p) == nil {
			roundTrip(t, p)
		}
	})
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestPrint(t *testing.T) {
	p := random.Program(1, random.Shape{})
	var out bytes.Buffer
	if err := esl.Print(&out, p); err != nil || out.String() != p.String() {
		t.Errorf("Print: %v\n%s", err, out.String())
	}
	if err := esl.Print(brokenWriter{}, p); !errors.Is(err, errBroken) {
		t.Errorf("Print to a broken writer: %v", err)
	}
}
