package load

import (
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// together is how many packages are built before their syntax is forgotten.
const together = 64

// buildInParts builds the SSA of all packages, those that are imported first. As soon as that is done for some of them,
// what only the builder needs of these is forgotten: in a large program, syntax and types of all of it beside its SSA
// would fill the memory, and the collector would have to work all the time. Nothing is forgotten while anything is
// built, as generic functions of one package are built for others.
func buildInParts(program *ssa.Program, initial []*packages.Package) {
	var part []*packages.Package
	build := func() {
		var builders errgroup.Group
		builders.SetLimit(runtime.GOMAXPROCS(0))
		for _, pkg := range part {
			if of := program.Package(pkg.Types); of != nil {
				builders.Go(func() error {
					of.Build()
					return nil
				})
			}
		}
		_ = builders.Wait() // there are no errors
		for _, pkg := range part {
			if !isKept(initial, pkg) {
				forgetBodies(pkg)
			}
			forgetTypes(pkg)
		}
		part = part[:0]
	}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		if part = append(part, pkg); len(part) == together {
			build()
		}
	})
	build()
	program.Build() // what is there without syntax
}
