package standstill

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// Tests have a main function of their own, which the go command makes. What ends the run comes behind all tests, in a
// file that is added to the package; it may be that a goroutine which a test has left behind does something only then.

// testSuffix is what the go command puts behind the path of a package to name the program that runs its tests.
const testSuffix = ".test"

// isTest tells whether the program runs the tests of a package.
func (g *gates) isTest() bool { return strings.HasSuffix(g.entry, testSuffix) }

// packagePath is the path of the main package, or of the package that is tested, within the module.
func (g *gates) packagePath() string {
	path := strings.TrimPrefix(g.entry, g.result.ModuleRoot)
	if g.isTest() {
		path = strings.TrimSuffix(path, testSuffix)
	}
	return strings.TrimPrefix(path, "/")
}

// folder is where it is.
func (g *gates) folder() string {
	return filepath.Join(g.result.ModuleRootDir, filepath.FromSlash(g.packagePath()))
}

// addMain adds a function that runs the tests, unless the package has one.
func (g *gates) addMain(texts map[string]string) error {
	names, err := filepath.Glob(filepath.Join(g.folder(), "*_test.go"))
	if err != nil {
		return err
	}
	pkg := ""
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg = file.Name.Name
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "TestMain" {
				return errors.New("the package runs its tests itself, by TestMain")
			}
		}
	}
	texts[filepath.Join(g.folder(), gatePackage+"_test.go")] = fmt.Sprintf("package %s\n\nimport (\n\t\"os\"\n\t"+
		"\"testing\"\n\n\t%q\n)\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\t%s.End()\n\tos.Exit(code)\n}\n",
		pkg, g.result.ModuleRoot+"/"+gatePackage, gatePackage)
	return nil
}
