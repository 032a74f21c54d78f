// Command gopointer runs the points-to analysis golang.org/x/tools/go/pointer, which is
// frozen, on programs. For each function of a main package it prints what its values
// may point to, and for each call in it what that may run, as lines
//
//	points FUNCTION<tab>REGISTER<tab>LABEL
//	calls FUNCTION<tab>NUMBER<tab>CALLEE
//
// between the lines "program PATH" and "end". For a program on which the analysis
// fails it prints "fails REASON" instead.
//
//go:debug gotypesalias=0
package main

import (
	"bufio"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/pointer"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

func main() {
	dir, folders := os.Args[1], os.Args[2:]
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, folders...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	loaded = slices.DeleteFunc(loaded, func(p *packages.Package) bool {
		if p.IllTyped {
			fmt.Fprintf(out, "program %s\nfails type errors without type aliases\nend\n", p.PkgPath)
		}
		return p.IllTyped
	})
	program, built := ssautil.AllPackages(loaded, ssa.InstantiateGenerics)
	program.Build()
	for _, main := range built {
		if main.Func("main") == nil {
			continue
		}
		fmt.Fprintln(out, "program", main.Pkg.Path())
		lines, err := analyze(main)
		if err != nil {
			lines = []string{"fails " + strings.ReplaceAll(err.Error(), "\n", " ")}
		}
		for _, l := range lines {
			fmt.Fprintln(out, l)
		}
		fmt.Fprintln(out, "end")
	}
}

// analyze returns the lines for a program.
func analyze(main *ssa.Package) (lines []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	config := &pointer.Config{Mains: []*ssa.Package{main}, BuildCallGraph: true}
	functions := functionsOf(main)
	for _, f := range functions {
		for _, v := range valuesOf(f) {
			if pointer.CanPoint(v.Type()) {
				config.AddQuery(v)
			}
		}
	}
	result, err := pointer.Analyze(config)
	if err != nil {
		return nil, err
	}
	for _, f := range functions {
		node := result.CallGraph.Nodes[f]
		if node == nil {
			continue
		}
		for _, v := range valuesOf(f) {
			if p, ok := result.Queries[v]; ok {
				for _, l := range labels(p.PointsTo(), v.Type()) {
					lines = append(lines, fmt.Sprintf("points %s\t%s\t%s", f, v.Name(), name(main, l)))
				}
			}
		}
		number := map[ssa.CallInstruction]int{}
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok {
					number[call] = len(number)
				}
			}
		}
		for _, e := range node.Out {
			if e.Site != nil {
				lines = append(lines, fmt.Sprintf("calls %s\t%d\t%s", f, number[e.Site], e.Callee.Func))
			}
		}
	}
	return lines, nil
}

// labels returns what a value points to; of an interface, what the pointers in it do.
func labels(p pointer.PointsToSet, t types.Type) []*pointer.Label {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		return p.Labels()
	}
	var all []*pointer.Label
	p.DynamicTypes().Iterate(func(t types.Type, in any) {
		if pointer.CanPoint(t) {
			all = append(all, in.(pointer.PointsToSet).Labels()...)
		}
	})
	return all
}

// name names what a label is the address of.
func name(main *ssa.Package, l *pointer.Label) string {
	path := strings.ReplaceAll(l.Path(), "[*]", "[]")
	v := l.Value()
	if v == nil {
		return "?" + path
	}
	return fmt.Sprintf("%s%s", site(main.Prog.Fset, v), path)
}

// site names an allocation by its function and register.
func site(fset *token.FileSet, v ssa.Value) string {
	if f := v.Parent(); f != nil {
		return fmt.Sprintf("%s/%s", f, v.Name())
	}
	return v.String()
}

// functionsOf returns the functions of a package that are in its source.
func functionsOf(main *ssa.Package) []*ssa.Function {
	var all []*ssa.Function
	var add func(*ssa.Function)
	add = func(f *ssa.Function) {
		if f == nil {
			return
		}
		all = append(all, f)
		for _, in := range f.AnonFuncs {
			add(in)
		}
	}
	for _, m := range sortedMembers(main) {
		switch m := m.(type) {
		case *ssa.Function:
			if m.TypeParams().Len() == 0 {
				add(m)
			}
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
				for i := range named.NumMethods() {
					add(main.Prog.FuncValue(named.Method(i)))
				}
			}
		}
	}
	return all
}

func sortedMembers(main *ssa.Package) []ssa.Member {
	var all []ssa.Member
	for _, name := range slices.Sorted(maps.Keys(main.Members)) {
		all = append(all, main.Members[name])
	}
	return all
}

// valuesOf returns what a function computes.
func valuesOf(f *ssa.Function) []ssa.Value {
	var all []ssa.Value
	for _, p := range f.Params {
		all = append(all, p)
	}
	for _, v := range f.FreeVars {
		all = append(all, v)
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok {
				all = append(all, v)
			}
		}
	}
	return all
}
