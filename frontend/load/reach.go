package load

import "go/types"

// InReach returns the packages that roots are or import, by their paths. A package that is tested
// is compiled with its tests: a variant of itself, which those find that import it.
func InReach(roots ...*types.Package) map[string]*types.Package {
	reach := map[string]*types.Package{}
	var visit func(*types.Package)
	visit = func(pkg *types.Package) {
		if reach[pkg.Path()] != nil {
			return
		}
		reach[pkg.Path()] = pkg
		for _, imported := range pkg.Imports() {
			visit(imported)
		}
	}
	for _, root := range roots {
		visit(root)
	}
	return reach
}
