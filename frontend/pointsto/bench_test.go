package pointsto

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const helloProgram = `package main

import ("fmt"; "sync")

func main() {
	var m sync.Mutex
	m.Lock()
	fmt.Println("hello")
	m.Unlock()
}
`

const serverProgram = `package main

import ("fmt"; "net/http")

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, r.URL) })
	fmt.Println(http.ListenAndServe(":8080", nil))
}
`

func BenchmarkHello(b *testing.B)  { benchmark(b, helloProgram) }
func BenchmarkServer(b *testing.B) { benchmark(b, serverProgram) }

func benchmark(b *testing.B, source string) {
	dir := b.TempDir()
	write(b, filepath.Join(dir, "main.go"), source)
	write(b, filepath.Join(dir, "go.mod"), "module example.com/m\ngo 1.26\n")
	program, roots := load(b, dir)
	runtime.GC()
	b.ReportAllocs()
	for b.Loop() {
		r, err := Analyze(context.Background(), Config{Program: program, Roots: roots})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(r.Nodes())), "callnodes")
		b.ReportMetric(float64(len(r.s.parent)), "nodes")
		b.ReportMetric(float64(len(r.Holes())), "holes")
	}
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// load returns the SSA form of the program in dir, and its roots.
func load(t testing.TB, dir string) (*ssa.Program, []*ssa.Function) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(loaded) > 0 {
		t.Fatal("the program has errors")
	}
	program, built := ssautil.AllPackages(loaded, ssa.InstantiateGenerics)
	program.Build()
	return program, []*ssa.Function{built[0].Func("init"), built[0].Func("main")}
}

// BenchmarkLeads asks what the arguments of all calls lead to among some objects: those of
// one type of net/http, as a query does. Each edge of the memory graph counts as one.
func BenchmarkLeads(b *testing.B) {
	dir := b.TempDir()
	write(b, filepath.Join(dir, "main.go"), serverProgram)
	write(b, filepath.Join(dir, "go.mod"), "module example.com/m\ngo 1.26\n")
	program, roots := load(b, dir)
	r, err := Analyze(context.Background(), Config{Program: program, Roots: roots})
	if err != nil {
		b.Fatal(err)
	}
	var watched []*Object
	for _, o := range r.Objects() {
		if o.Type != nil && o.Type.String() == "net/http.conn" {
			watched = append(watched, o)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		r.lazy = &lazy{}
		g, asked, found := r.Region(watched...), 0, 0
		for _, n := range r.Nodes() {
			for _, site := range n.sites {
				for _, arg := range site.instr.Common().Args {
					asked++
					found += len(r.ReachedWithin(n, arg, g))
				}
			}
		}
		b.ReportMetric(float64(asked), "questions")
		b.ReportMetric(float64(len(r.lazy.memory.components)), "components")
		b.ReportMetric(float64(len(r.lazy.memory.edges)), "edges")
		b.ReportMetric(float64(found), "cells")
	}
}
