// Package load reads Go packages and builds their SSA form: the first stage of
// the front end. What does not load is an error that names the file; it never
// panics on code that does not compile.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/empire-go/empire-go/frontend/spinlock"
)

// Config says what to load.
type Config struct {
	Dir      string   // where the go command runs; "" is the current directory
	Patterns []string // as for the go command
	Tags     string   // build tags, separated by commas
	Tests    bool     // load the tests of the packages named as well

	// What is stated of types, besides what the settings of the module say.
	Joins []Join
	Locks []LockType
	// Make is functions by the type of the arguments that they make; their packages are
	// loaded besides, but are not among Program.Packages.
	Make map[string]string

	// ParseFile parses a source file; nil means as written. It is called from
	// several goroutines.
	ParseFile func(fset *token.FileSet, filename string, src []byte) (*ast.File, error)

	// Opaque tells of the path of a package whether no analysis looks into its functions. If it
	// is of the standard library, they are left without bodies. nil: there is no such package.
	Opaque func(path string) bool
	Bodies map[string]bool // the functions of those packages that have bodies all the same, by their full names
}

// Program is the SSA form of the packages named and of all that they import.
type Program struct {
	SSA           *ssa.Program
	Packages      []*ssa.Package  // the packages named, in the order of their paths
	Tests         []Test          // with Config.Tests: of the packages that have tests, in the order of their paths
	Module        string          // path of the main module; in a workspace that of the packages named
	ModuleDir     string          // its root directory; the directory around all main modules, if several are loaded
	LibraryDir    string          // where the standard library is
	SpinLocks     *spinlock.Locks // of the main modules
	LoadDuration  time.Duration   // parsing and type checking
	BuildDuration time.Duration   // SSA construction

	files   map[*token.File]*ast.File   // of the main module
	sources map[*types.Package][]string // of every package: the names of its files
	// what variables have by //go:embed, and all that may be in those of a package
	embedded   map[types.Object]map[string]string
	embeddedIn map[*types.Package][]string
	names      *sync.Map // of files, as Position names them
	examples   *sync.Map // of packages, see Examples
	around     *sync.Map // likewise, see UsedAround
	kept       *sync.Map // see Keep
	imported   func() []*ssa.Package
	added      *sync.RWMutex      // see Adding
	stated     []stated           // what is taken for granted of types
	modules    []*packages.Module // the main modules: several in a workspace
	// the packages named that are of the standard library
	standard []string
}

// Test is a package compiled with its tests: a variant of the package, and another
// one of every package that imports it.
type Test struct {
	Path     string         // of the test binary: "example.com/p.test"
	Packages []*ssa.Package // the variant, and the external tests in package p_test
}

// ErrNoModule means that the directory is in no module.
var ErrNoModule = errors.New("no go.mod file found in the directory or above it: run the command inside a module")

// Load loads the packages and builds SSA for them and their dependencies, with
// generic functions instantiated. Packages that do not build are an error that errors.Join has made
// of a *SourceError for each thing that is wrong. What the settings of the module say of types is put into
// them; a *SettingsError tells what is wrong with that.
func Load(ctx context.Context, c Config) (*Program, error) {
	dir := settingsDir(c.Dir)
	p, err := loadWith(ctx, c, dir)
	if err == nil && p.ModuleDir != dir { // a workspace, whose settings are above the module
		if s, broken := p.Settings(); broken != nil || len(s.Joins)+len(s.Locks) > 0 {
			return loadWith(ctx, c, p.ModuleDir)
		}
	}
	return p, err
}

// loadWith is Load with the settings in a directory.
func loadWith(ctx context.Context, c Config, dir string) (*Program, error) {
	begin := time.Now()
	settings, err := settingsIn(dir)
	if err != nil {
		return nil, &SettingsError{err.Error()}
	}
	settings.Joins, settings.Locks = append(settings.Joins, c.Joins...), append(settings.Locks, c.Locks...)
	all, err := statements(settings.Joins, settings.Locks)
	if err != nil {
		return nil, err
	}
	parse := c.ParseFile
	if parse == nil {
		parse = parseWithComments
	}
	config := &packages.Config{
		Mode:    packages.LoadAllSyntax | packages.NeedModule | packages.NeedForTest | packages.NeedEmbedFiles,
		Context: ctx,
		Dir:     c.Dir,
		Fset:    token.NewFileSet(),
		Env:     append(os.Environ(), "GO111MODULE=on"),
		Tests:   c.Tests,
	}
	if c.Tags != "" {
		config.BuildFlags = []string{"-tags=" + c.Tags}
	}
	if len(all) > 0 {
		sources, err := restated(ctx, c, all)
		if err != nil {
			return nil, err
		}
		config.Overlay, parse = sources.overlay, sources.parse(parse)
	}
	config.ParseFile = parse
	if c.Opaque != nil {
		config.ParseFile = withoutBodies(parse, c.Opaque, c.Bodies)
	}
	defer collectLess()()
	further, err := besides(c, config, settings.Make)
	if err != nil {
		return nil, err
	}
	patterns := append(slices.Clip(c.Patterns), further...)
	initial, err := packages.Load(config, patterns...)
	if err == nil && c.Opaque != nil && needsBodies(initial, c.Opaque) {
		config.Fset, config.ParseFile = token.NewFileSet(), parse
		initial, err = packages.Load(config, patterns...)
	}
	if err != nil {
		return nil, goError(err.Error())
	}
	if len(initial) == 0 {
		return nil, fmt.Errorf("no package matches %s", strings.Join(c.Patterns, " "))
	}
	if err := errorsOf(c.Dir, initial); err != nil {
		return nil, err
	}
	p := &Program{LoadDuration: time.Since(begin), names: new(sync.Map), examples: new(sync.Map),
		around: new(sync.Map), added: new(sync.RWMutex), stated: all}
	p.findModules(initial)
	p.findStandard(initial)
	if p.ModuleDir == "" {
		if initial[0].PkgPath == "command-line-arguments" {
			return nil, errors.New("is a file; write the directory of its package instead")
		}
		return nil, ErrNoModule
	}

	p.keepFiles(config.Fset, initial)
	p.keepSources(initial)
	p.keepEmbedded(initial)

	begin = time.Now()
	program, built := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	buildInParts(program, initial)
	p.SSA = program
	functions := p.ownFunctions()
	simplify(functions)
	p.SpinLocks = spinlock.Find(functions)
	p.sortOut(initial, built)
	p.Packages = slices.DeleteFunc(p.Packages, func(pkg *ssa.Package) bool {
		return slices.Contains(further, pkg.Pkg.Path())
	})
	p.remember()
	p.LibraryDir = libraryDir(program)
	p.BuildDuration = time.Since(begin)
	return p, nil
}

// collectLess has garbage collected less often, unless the caller has that done already: loading
// allocates much and frees little, and takes half the time then. The caller's setting comes back
// with the function returned.
func collectLess() (back func()) {
	const percent = 400
	before := debug.SetGCPercent(percent)
	if before < 0 || before > percent {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

// findModules finds the main modules that the packages are in.
func (p *Program) findModules(initial []*packages.Package) {
	for _, pkg := range initial {
		if pkg.Module != nil && (p.Module == "" || pkg.Module.Main) {
			p.Module, p.ModuleDir = pkg.Module.Path, pkg.Module.Dir
		}
	}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		m := pkg.Module
		if m == nil || !m.Main && m.Path != p.Module || slices.ContainsFunc(p.modules, func(other *packages.Module) bool {
			return other.Path == m.Path
		}) {
			return
		}
		p.modules = append(p.modules, m)
		for {
			if _, ok := within(p.ModuleDir, m.Dir); ok {
				break
			}
			p.ModuleDir = filepath.Dir(p.ModuleDir)
		}
	})
}

// StandardModule is Program.Module where only packages of the standard library are named.
const StandardModule = "std"

// findStandard makes each package of the standard library that is named a module of its own, so
// that its code is looked at as that of a main module is.
func (p *Program) findStandard(initial []*packages.Package) {
	for _, pkg := range initial {
		if pkg.Module != nil || len(pkg.GoFiles) == 0 || libraryPackage(new(sync.Map), pkg.GoFiles[0]) != pkg.PkgPath {
			continue
		}
		dir := filepath.Dir(pkg.GoFiles[0])
		p.modules = append(p.modules, &packages.Module{Path: pkg.PkgPath, Dir: dir})
		p.standard = append(p.standard, pkg.PkgPath)
		if p.Module == "" || p.Module == StandardModule {
			p.Module, p.ModuleDir = StandardModule, strings.TrimSuffix(filepath.ToSlash(dir), "/"+pkg.PkgPath)
		}
	}
}

// IsStandard tells whether a package that is named is one of the standard library.
func (p *Program) IsStandard(path string) bool { return slices.Contains(p.standard, path) }

// keepFiles keeps the syntax of the main module, and that of the packages named.
func (p *Program) keepFiles(fset *token.FileSet, initial []*packages.Package) {
	p.files = map[*token.File]*ast.File{}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		if !isKept(initial, pkg) {
			return
		}
		for _, file := range pkg.Syntax {
			p.files[fset.File(file.FileStart)] = file
		}
	})
}

// isKept tells whether the syntax of a package is kept.
func isKept(initial []*packages.Package, pkg *packages.Package) bool {
	return pkg.Module != nil && pkg.Module.Main || slices.Contains(initial, pkg)
}

// Syntax returns the file of the main module that the position is in; nil if it is in
// none.
func (p *Program) Syntax(pos token.Pos) ast.Node {
	if file := p.files[p.SSA.Fset.File(pos)]; file != nil {
		return file
	}
	return nil
}

// SaysGenerated tells whether the position is in a file of the main module that says that it was generated, in the
// words of https://go.dev/s/generatedcode.
func (p *Program) SaysGenerated(pos token.Pos) bool {
	file := p.files[p.SSA.Fset.File(pos)]
	return file != nil && ast.IsGenerated(file)
}

// Files returns the syntax of the main module, in the order of the files' names.
func (p *Program) Files() []*ast.File {
	var all []*ast.File
	for _, file := range p.files {
		all = append(all, file)
	}
	name := func(f *ast.File) string { return p.SSA.Fset.Position(f.FileStart).Filename }
	slices.SortFunc(all, func(a, b *ast.File) int { return strings.Compare(name(a), name(b)) })
	return all
}

// IsNamed tells whether a file belongs to a package that was named, or to its tests.
func (p *Program) IsNamed(file *ast.File) bool {
	name := p.SSA.Fset.Position(file.FileStart).Filename
	named := slices.Clone(p.Packages)
	for _, test := range p.Tests {
		named = append(named, test.Packages...)
	}
	return slices.ContainsFunc(named, func(pkg *ssa.Package) bool {
		return slices.Contains(p.sources[pkg.Pkg], name)
	})
}

// InModule tells whether the package is part of a main module.
func (p *Program) InModule(path string) bool {
	return path == "command-line-arguments" || slices.ContainsFunc(p.modules, func(m *packages.Module) bool {
		rest, ok := strings.CutPrefix(path, m.Path) // it is asked of each function of a program: nothing is allocated
		return ok && (rest == "" || rest == "_test" || rest[0] == '/')
	})
}

// sortOut tells the packages named from their tests.
func (p *Program) sortOut(initial []*packages.Package, built []*ssa.Package) {
	variants := map[string][]*ssa.Package{}
	for i, pkg := range built {
		switch {
		case pkg == nil:
		case initial[i].ForTest != "":
			variants[initial[i].ForTest+".test"] = append(variants[initial[i].ForTest+".test"], pkg)
		case !isTestBinary(initial[i]):
			p.Packages = append(p.Packages, pkg)
		}
	}
	for i, pkg := range built {
		if pkg != nil && isTestBinary(initial[i]) {
			p.Tests = append(p.Tests, Test{pkg.Pkg.Path(), variants[pkg.Pkg.Path()]})
		}
	}
	sort.Slice(p.Packages, func(i, j int) bool { return p.Packages[i].Pkg.Path() < p.Packages[j].Pkg.Path() })
	sort.Slice(p.Tests, func(i, j int) bool { return p.Tests[i].Path < p.Tests[j].Path })
}

// isTestBinary tells whether the package is the main package that the go command
// makes for the tests of another one.
func isTestBinary(pkg *packages.Package) bool {
	return pkg.Name == "main" && strings.HasSuffix(pkg.ID, ".test") && pkg.ID == pkg.PkgPath &&
		strings.HasSuffix(pkg.PkgPath, ".test") &&
		!slices.ContainsFunc(pkg.GoFiles, func(name string) bool { return filepath.Dir(name) == pkg.Dir })
}

// Mains returns the packages named that have a main function.
func (p *Program) Mains() []*ssa.Package {
	var mains []*ssa.Package
	for _, pkg := range p.Packages {
		if pkg.Pkg.Name() == "main" && pkg.Func("main") != nil {
			mains = append(mains, pkg)
		}
	}
	return mains
}

// Adding is held by who adds packages to the program, while others may use it; they hold Using.
func (p *Program) Adding() sync.Locker { return p.added }

// Using is held by several at once, see Adding.
func (p *Program) Using() sync.Locker { return p.added.RLocker() }

// With returns the program as if only these packages had been named.
func (p *Program) With(pkgs []*ssa.Package) *Program {
	narrow := *p
	narrow.Packages, narrow.Tests = pkgs, nil
	narrow.remember()
	return &narrow
}

// Only returns the program as if only the packages with these paths had been named.
func (p *Program) Only(paths ...string) *Program {
	narrow := *p
	narrow.Packages, narrow.Tests = nil, nil
	for _, pkg := range p.Packages {
		if slices.Contains(paths, pkg.Pkg.Path()) {
			narrow.Packages = append(narrow.Packages, pkg)
		}
	}
	for _, test := range p.Tests {
		if slices.Contains(paths, strings.TrimSuffix(test.Path, ".test")) {
			narrow.Tests = append(narrow.Tests, test)
		}
	}
	narrow.remember()
	return &narrow
}

// remember has what depends on the packages named found out once, when it is asked for.
func (p *Program) remember() {
	p.kept, p.imported = new(sync.Map), sync.OnceValue(p.findImported)
}

// Keep returns what was kept of the program for the key; the first who asks makes it. Several may make it at once, of
// which one is kept.
func Keep[T any](p *Program, key any, make func() T) T {
	if known, ok := p.kept.Load(key); ok {
		return known.(T)
	}
	known, _ := p.kept.LoadOrStore(key, make())
	return known.(T)
}

// Imported returns the packages named and all that they import, in the order of
// their paths. The list is found once, and belongs to the program.
func (p *Program) Imported() []*ssa.Package { return p.imported() }

func (p *Program) findImported() []*ssa.Package {
	seen := map[*types.Package]bool{}
	var all []*ssa.Package
	var visit func(*types.Package)
	visit = func(pkg *types.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		if built := p.SSA.Package(pkg); built != nil {
			all = append(all, built)
		}
		for _, imported := range pkg.Imports() {
			visit(imported)
		}
	}
	for _, pkg := range p.Packages {
		visit(pkg.Pkg)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Pkg.Path() < all[j].Pkg.Path() })
	return all
}

// SourceError is what is wrong at one place of the source.
type SourceError struct {
	Pos  string // the file as one in the directory of Config names it
	Text string // one line
}

// Error returns "file.go:1:2: text".
func (e *SourceError) Error() string { return e.Pos + ": " + e.Text }

// errorsOf returns what is wrong with the packages and their dependencies, these first.
func errorsOf(dir string, initial []*packages.Package) error {
	var all []error
	said := map[string]bool{}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		for _, e := range pkg.Errors {
			var one error = &SourceError{fromDir(dir, e.Pos), firstLine(e.Msg)}
			if e.Pos == "" || e.Pos == "-" {
				one = fmt.Errorf("%s: %w", pkg.PkgPath, goError(e.Msg))
			}
			if !said[one.Error()] {
				all = append(all, one)
			}
			said[one.Error()] = true
		}
	})
	return errors.Join(all...)
}

// fromDir returns a position as one in a directory names it, if the file is below that.
func fromDir(dir, pos string) string {
	if root, err := filepath.Abs(dir); err == nil && filepath.IsAbs(pos) {
		if rel, ok := within(root, pos); ok {
			return rel
		}
	}
	return pos
}

// firstLine returns the first line that says something, with those that it announces;
// the go command puts "# package" before an error.
func firstLine(s string) string {
	said := ""
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			said = strings.TrimSpace(said + " " + line)
			if !strings.HasSuffix(line, ":") {
				return said
			}
		}
	}
	return cmp.Or(said, s)
}

// goError is what the go command says, in one line.
func goError(s string) error {
	if strings.Contains(s, "go.mod file not found") {
		return ErrNoModule
	}
	line := firstLine(s)
	if _, said, ok := strings.Cut(line, "stderr: "); ok {
		line = said
	}
	return errors.New(strings.TrimPrefix(line, "go: "))
}
