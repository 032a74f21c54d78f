package dynamic_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/report"
	"go.yaml.in/yaml/v3"
)

var (
	noiseRuns  = flag.Int("runs", 100, "how often TestNoise runs each program")
	noiseAmong = flag.String("among", "contest/", "the programs of TestNoise: those whose folder contains this")
)

// TestNoise runs the programs under testdata with noise: what is right is never reported, in
// any of the runs, and what is expected of the others is looked for until it is seen. It needs
// EMPIRE_LONG=1.
//
//	EMPIRE_LONG=1 go test -run TestNoise -v -timeout 60m ./dynamic -among contest/
func TestNoise(t *testing.T) {
	if os.Getenv("EMPIRE_LONG") == "" {
		t.Skip("EMPIRE_LONG is not set")
	}
	files, _ := filepath.Glob("../testdata/*/case.yaml")
	contest, _ := filepath.Glob("../testdata/contest/*/*/case.yaml")
	seen, wrong, right := 0, 0, 0
	var unseen []string
	for _, file := range append(contest, files...) {
		dir := filepath.Dir(file)
		if !strings.Contains(dir, *noiseAmong) {
			continue
		}
		c, err := readCase(file)
		if err != nil {
			t.Fatal(err)
		}
		if main, _ := filepath.Glob(dir + "/main.go"); len(main) == 0 || c.Tests {
			continue
		}
		name := strings.TrimPrefix(filepath.ToSlash(dir), "../testdata/")
		p, err := c.program(dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		isBug := c.isBug()
		at := p.search(t, name, isBug)
		p.Close()
		switch {
		case !isBug:
			right++
		case at == 0:
			wrong++
			unseen = append(unseen, name)
		default:
			wrong++
			seen++
			t.Logf("%s: seen in run %d", name, at)
		}
	}
	t.Logf("%d of %d wrong programs: an expected violation was seen in one of %d runs; %d right programs", seen, wrong,
		*noiseRuns, right)
	t.Logf("not seen: %s", strings.Join(unseen, " "))
}

// noiseCase is what is asked about a program.
type noiseCase struct {
	Tests   bool
	Tags    string
	Queries []struct {
		Type, Units string
		Vars        []string
		Fields      []string
		UnitFor     string `yaml:"unitfor"`
		Strict      bool
		Expect      map[int]any
	}
}

func readCase(file string) (*noiseCase, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &noiseCase{}
	return c, yaml.Unmarshal(text, c)
}

func (c *noiseCase) isBug() bool {
	for _, q := range c.Queries {
		if len(q.Expect) > 0 {
			return true
		}
	}
	return false
}

// noiseProgram is a program that is built, for each of the questions about it.
type noiseProgram struct {
	c     *noiseCase
	parts []*record.Program
	files []string
}

// program builds the program for each question.
func (c *noiseCase) program(dir string) (*noiseProgram, error) {
	ctx := context.Background()
	session, err := empire.Open(ctx, empire.Request{Dir: dir, Tags: c.Tags})
	if err != nil {
		return nil, err
	}
	_, root := session.ModuleRoot()
	p := &noiseProgram{c: c}
	for _, q := range c.Queries {
		plan, err := session.Watch(ctx, empire.Request{
			Type: q.Type, Fields: q.Fields, Vars: q.Vars, Units: q.Units, UnitFor: q.UnitFor, Strict: q.Strict})
		if err != nil {
			return nil, err
		}
		part, err := buildPart(dir, root, c.Tags, plan)
		if err != nil {
			return nil, err
		}
		p.parts, p.files = append(p.parts, part.program), append(p.files, part.file)
	}
	return p, nil
}

type noisePart struct {
	program *record.Program
	file    string
}

func buildPart(dir, root, tags string, plan *watch.Plan) (noisePart, error) {
	ctx := context.Background()
	program, err := record.Make(ctx, record.Build{Dir: dir, Packages: []string{"."}, Tags: tags, Root: root, Plan: plan})
	if err != nil {
		return noisePart{}, err
	}
	file, err := program.Main(ctx)
	return noisePart{program, file}, err
}

// Close removes what was built.
func (p *noiseProgram) Close() {
	for _, part := range p.parts {
		part.Close()
	}
}

// search runs the program until an expected violation is seen, and returns the number of
// that run, 0 if there was none. What is not expected of a program without bugs is an error.
func (p *noiseProgram) search(t *testing.T, name string, isBug bool) int {
	for n := 1; n <= *noiseRuns; n++ {
		for i, part := range p.parts {
			r, err := runWithNoise(part, p.files[i], uint64(n))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return 0
			}
			for _, f := range r.Findings {
				if _, expected := p.c.Queries[i].Expect[f.Violation.Scenario]; expected {
					return n
				}
				if !isBug {
					var out strings.Builder
					report.RunText(&out, r.Result(), report.TextOptions{})
					t.Errorf("%s, run %d: reported\n%s", name, n, out.String())
					return n
				}
			}
		}
	}
	return 0
}

// runWithNoise runs a program once and checks what it does.
func runWithNoise(program *record.Program, file string, seed uint64) (*dynamic.Report, error) {
	var r *dynamic.Report
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var stderr bytes.Buffer
	_, err := program.Record(ctx, record.Run{File: file, Stderr: &stderr, Noise: seed}, func(in io.Reader) error {
		var err error
		r, err = dynamic.Check(ctx, in, dynamic.Options{})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return r, nil
}
