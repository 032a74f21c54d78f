package steer

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// emptyMain is the function that the driver stands for.
const emptyMain = "func main() {}\n"

// trialFiles returns the files of the program that carries out experiments, by name.
func trialFiles(t *empire.Trial, language string) (map[string]string, error) {
	if !strings.Contains(t.Source, emptyMain) {
		return nil, fmt.Errorf("the trial has no empty function main")
	}
	source, err := withoutUnusedImports(strings.Replace(t.Source, emptyMain, "", 1))
	if err != nil {
		return nil, err
	}
	language = "//go:build " + language + "\n\n" // the module's may be older
	return map[string]string{"trial.go": language + source,
		"main.go": language + "package main\n\nimport empirehook \"empire/hook\"\n\n" +
			"func main() {\n\tempirehook.Trials([]any{" + stepNames(t.Makers) + "}, []any{" +
			stepNames(t.Steps) + "})\n}\n"}, nil
}

// withoutUnusedImports returns the source as the compiler wants it.
func withoutUnusedImports(source string) (string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "trial.go", source, 0)
	if err != nil {
		return "", err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			for _, s := range g.Specs {
				if i := s.(*ast.ImportSpec); i.Name != nil && !used[i.Name.Name] {
					i.Name = ast.NewIdent("_")
				}
			}
		}
	}
	var b strings.Builder
	err = format.Node(&b, files, file)
	return b.String(), err
}

func stepNames(steps []empire.TrialStep) string {
	var names []string
	for _, s := range steps {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// stepsOf returns the steps of a trial, by index, that call a function named as in a counterexample.
func stepsOf(t *empire.Trial, name string) []int {
	name, _, _ = strings.Cut(name, "$") // of a function literal in it
	var all []int
	for i, s := range t.Steps {
		if s.Callee != "" && !s.Waits && generic(s.Callee) == generic(name) {
			all = append(all, i)
		}
	}
	return all
}
