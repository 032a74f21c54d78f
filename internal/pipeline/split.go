package pipeline

import (
	"errors"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
)

// Of the packages named, some are parts of programs, and others are libraries: what a program that comes
// with a library does with it, as an example or a command, says little about what other clients do.

// entriesToCheck is entries for a request that names nothing but packages: the programs named, which are
// asked about what is part of them, and clients of the other packages.
func entriesToCheck(r Request, program *load.Program) ([]harness.Entry, error) {
	parts, library := split(program)
	if r.Tests || !r.namesNothing() || len(library) == 0 || len(program.Mains()) == 0 {
		return entries(r, program)
	}
	made, err := clients(r, program.With(library))
	input := new(InputError)
	switch {
	case isNothing(err):
	case errors.As(err, &input): // only programs can make the objects
		return harness.Mains(program), nil
	case err != nil:
		return nil, err
	}
	return append(harness.Mains(program.With(parts)), made...), nil
}

// split returns the packages that are parts of a program named, and the others.
func split(program *load.Program) (parts, library []*ssa.Package) {
	isOf := map[*types.Package]bool{}
	for _, main := range program.Mains() {
		addParts(main.Pkg, main.Pkg, map[*types.Package]bool{}, isOf)
	}
	open := slices.DeleteFunc(slices.Clone(program.Packages), func(pkg *ssa.Package) bool {
		return isOf[pkg.Pkg] || pkg.Pkg.Name() == "main"
	})
	within := program.With(open).Imported() // what the library is made of, whatever programs there are beside it
	for _, pkg := range program.Packages {
		if pkg.Pkg.Name() == "main" || isOf[pkg.Pkg] && !slices.Contains(within, pkg) {
			parts = append(parts, pkg)
		} else {
			library = append(library, pkg)
		}
	}
	return parts, library
}

// addParts adds what is part of a program: packages that it imports, directly or not, and that others are
// not meant to import, as they are internal, or below its directory.
func addParts(main, pkg *types.Package, seen, parts map[*types.Package]bool) {
	if seen[pkg] {
		return
	}
	seen[pkg] = true
	if pkg == main || isInternal(pkg.Path()) || strings.HasPrefix(pkg.Path(), main.Path()+"/") {
		parts[pkg] = true
	}
	for _, imported := range pkg.Imports() {
		addParts(main, imported, seen, parts)
	}
}

// isInternal tells whether only packages of one tree can import the path.
func isInternal(path string) bool {
	_, is := load.InternalTo(path)
	return is
}
