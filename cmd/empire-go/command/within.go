package command

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// listed is what the go command says of packages. It is empty if it says nothing: whoever loads
// them says why.
type listed struct {
	named  []string // their paths
	mains  int      // how many of them are programs
	within []string // the packages of the main modules among them and what they import
}

// list asks the go command about packages.
func list(ctx context.Context, tags string, packages []string) (l listed) {
	const format = "{{.Name}}\t{{.ImportPath}}\t{{.DepOnly}}\t{{if .Module}}{{.Module.Main}}{{end}}"
	out, err := exec.CommandContext(ctx, "go", append(
		[]string{"list", "-deps", "-tags=" + tags, "-f", format}, packages...)...).Output()
	if err != nil {
		return l
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if words[2] == "false" {
			l.named = append(l.named, words[1])
			if words[0] == "main" {
				l.mains++
			}
		}
		if words[3] == "true" {
			l.within = append(l.within, words[1])
		}
	}
	return l
}

// withImports returns packages with those of the main modules that they import: what a run
// may access, and so what may be worth watching. If the go command does not say, it is the
// packages themselves.
func (l listed) withImports(packages []string) []string {
	if len(l.within) == 0 || strings.HasSuffix(packages[0], ".go") {
		return packages
	}
	return l.within
}

// isProgram is an error if what is to be run is not one program.
func (l listed) isProgram(packages []string) error {
	what := strings.Join(packages, " ")
	switch {
	case len(l.named) > 1:
		return inputError(what, "is %d packages; write the one of the program that is to be run, or empire-go test %s",
			len(l.named), what)
	case len(l.named) == 1 && l.mains == 0:
		return inputError(what, "is a library, and has no main function to run; write empire-go test %s for its tests, or "+
			"empire-go check %s", what, what)
	}
	return nil
}

// mainModule is the module that is worked in, with its directory; if there is none, this directory.
func mainModule(ctx context.Context) (path, dir string) {
	dir, _ = os.Getwd()
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if file := strings.TrimSpace(string(out)); err == nil && filepath.Base(file) == "go.mod" {
		text, _ := os.ReadFile(file)
		return modfile.ModulePath(text), filepath.Dir(file)
	}
	return "", dir
}
