package instrument

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
	"golang.org/x/tools/go/packages"
)

// Request says what to instrument.
type Request struct {
	Dir      string
	Packages []string
	Tests    bool
	Tags     string
	Env      []string // nil: that of this process
	Plan     *watch.Plan
	Root     string // directory that positions are relative to; "": that of the main module
	Module   string // path of a module whose packages are rewritten besides those of main modules
	Steered  bool   // the program is for runs in which one goroutine runs at a time
	Observed bool   // what its package variables lead to is looked at
	Full     bool   // all that can be shared is recorded; there is no Plan
	Exact    bool   // messages and waits are recorded as they take effect
}

// Rewrite instruments packages and those that they import from their own modules. An error
// names the package that does not build.
func Rewrite(ctx context.Context, q Request) (*Result, error) {
	config := &packages.Config{Context: ctx, Dir: q.Dir, Tests: q.Tests, Env: q.Env}
	if q.Tags != "" {
		config.BuildFlags = []string{"-tags=" + q.Tags}
	}
	config.Mode = packages.NeedName | packages.NeedModule | packages.NeedImports | packages.NeedDeps | packages.NeedFiles
	found, err := packages.Load(config, q.Packages...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	if err := firstError(found); err != nil {
		return nil, err
	}
	var own []string
	root := q.Root
	packages.Visit(found, nil, func(p *packages.Package) {
		if isOwn(p, q.Module) {
			own = append(own, p.PkgPath)
			if root == "" && p.Module != nil {
				root = p.Module.Dir
			}
		}
	})
	if root == "" {
		if root, err = filepath.Abs(q.Dir); err != nil {
			return nil, err
		}
	}
	patterns := dedupe(own)
	if len(found) > 0 && found[0].Module == nil {
		patterns = q.Packages // files named on the command line, or no module
	}
	config.Mode =
		packages.NeedName | packages.NeedModule | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedForTest
	config.Fset = token.NewFileSet()
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	if err := firstError(loaded); err != nil {
		return nil, err
	}
	if q.Full {
		q.Plan = (&rewriter{root: root, fset: config.Fset, module: q.Module}).everything(loaded)
	}
	r := newRewriter(q.Plan, root, config.Fset)
	r.full, r.exact = q.Full, q.Exact
	r.steered, r.observed, r.module = q.Steered, q.Observed, q.Module
	if q.Full {
		r.findArrays(loaded)
		r.findMade(loaded)
	}
	result := &Result{Files: map[string]string{}}
	if err := r.packages(loaded, result); err != nil {
		return nil, err
	}
	sort.SliceStable(r.left, func(i, j int) bool { return r.left[i].Pos < r.left[j].Pos })
	result.Left = r.left
	result.Header = trace.Header{GoVersion: "", Root: root, Sites: r.sites, Module: q.Plan.Module,
		Yields: r.yieldLines}
	if result.Header.Plan, err = q.Plan.Encode(); err != nil {
		return nil, err
	}
	return result, nil
}

// isOwn tells whether the user writes a package: it is in a main module, or in none at all; or it is in
// another module that is rewritten.
func isOwn(p *packages.Package, module string) bool {
	if strings.HasSuffix(p.ID, ".test") {
		return false
	}
	if p.Module == nil {
		return !isStandard(p)
	}
	return p.Module.Main || p.Module.Path == module
}

func isStandard(p *packages.Package) bool {
	for _, name := range p.GoFiles {
		if strings.HasPrefix(filepath.ToSlash(name), filepath.ToSlash(GoRoot())+"/") {
			return true
		}
	}
	return len(p.GoFiles) == 0
}

func dedupe(all []string) []string {
	sort.Strings(all)
	out := all[:0]
	for i, s := range all {
		if i == 0 || s != all[i-1] {
			out = append(out, strings.TrimSuffix(s, "_test"))
		}
	}
	return out
}

// firstError is the first error of the packages, nil if they build.
func firstError(all []*packages.Package) error {
	var first error
	packages.Visit(all, nil, func(p *packages.Package) {
		if first == nil && len(p.Errors) > 0 {
			e := p.Errors[0]
			if e.Pos != "" && e.Pos != "-" {
				first = fmt.Errorf("%s: %s", e.Pos, e.Msg)
			} else {
				first = fmt.Errorf("%s: %s", p.PkgPath, e.Msg)
			}
		}
	})
	return first
}

// packages rewrites all files once, in the variant of their package that has the most.
func (r *rewriter) packages(all []*packages.Package, result *Result) error {
	sort.SliceStable(all, func(i, j int) bool {
		if (all[i].ForTest != "") != (all[j].ForTest != "") {
			return all[i].ForTest != ""
		}
		return all[i].ID < all[j].ID
	})
	for _, p := range all {
		if isOwn(p, r.module) {
			r.own[packagePath(p.Types)] = true
		}
	}
	found := map[*class]bool{}
	for _, p := range all {
		for _, name := range p.Types.Scope().Names() {
			if o, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok && !o.IsAlias() {
				if c := r.classOf(o.Type()); c != nil && !found[c] {
					found[c] = true
					c.declared(o.Type())
					if !r.full {
						r.findOwned(c, o.Type())
					}
				}
			}
		}
	}
	for _, p := range all {
		if isOwn(p, r.module) {
			r.findAliases(p)
		}
	}
	left, leads := len(r.left), len(r.leads)
	if err := r.files(all, result); err != nil {
		return err
	}
	if r.findUnseen(); len(r.unseen) == 0 && len(r.leads) == leads {
		return nil
	}
	r.left, r.yieldLines = r.left[:left], nil
	clear(result.Files)
	return r.files(all, result)
}

// files rewrites the files of the user's packages.
func (r *rewriter) files(all []*packages.Package, result *Result) error {
	done := map[string]bool{}
	for _, p := range all {
		if !isOwn(p, r.module) {
			continue
		}
		written := map[string]bool{}
		for _, name := range p.GoFiles {
			written[name] = true
		}
		for _, syntax := range p.Syntax {
			name := r.fset.PositionFor(syntax.FileStart, false).Filename
			if !written[name] || done[name] {
				continue
			}
			done[name] = true
			if err := r.file(p, syntax, name, result); err != nil {
				return err
			}
		}
	}
	return nil
}

// file rewrites a file.
func (r *rewriter) file(p *packages.Package, syntax *ast.File, name string, result *Result) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for _, i := range syntax.Imports {
		if i.Path.Value == `"C"` {
			r.leave(syntax, "the file uses cgo")
			return nil
		}
	}
	f := &file{rewriter: r, pkg: p, info: p.TypesInfo, syntax: syntax, src: string(src), base: syntax.FileStart,
		escapes: map[ast.Expr]bool{}, behind: map[ast.Expr][]operand{}}
	f.facts = r.unseen[relative(r.root, name)]
	if err := f.findYields(); err != nil {
		return err
	}
	f.findLocals()
	f.findNils()
	if text, changed := f.rewrite(name); changed {
		result.Files[name] = text
	}
	return nil
}

// rewrite returns the text of the file.
func (f *file) rewrite(name string) (string, bool) {
	var b strings.Builder
	at := f.syntax.Name.End()
	head := len(f.src[:at-f.base])
	for _, d := range f.syntax.Decls {
		b.WriteString(f.text(at, d.Pos()))
		switch d := d.(type) {
		case *ast.FuncDecl:
			at = d.End()
			if d.Body == nil {
				b.WriteString(f.raw(d))
				continue
			}
			lines := strings.Count(f.raw(d), "\n")
			text := f.decl(d)
			b.WriteString(text)
			if strings.Count(text, "\n") != lines {
				line := f.fset.PositionFor(d.End(), false).Line
				fmt.Fprintf(&b, "\n//line %s:%d\n", name, line+1)
				// The rest of the line is empty, or a comment.
				if i := strings.IndexByte(f.src[at-f.base:], '\n'); i >= 0 {
					at += token.Pos(i + 1)
				}
			}
		case *ast.GenDecl:
			at = d.End()
			if d.Tok == token.VAR {
				f.scope = nil
				b.WriteString(f.children(d))
			} else {
				b.WriteString(f.raw(d))
			}
		}
	}
	b.WriteString(f.text(at, f.base+token.Pos(len(f.src))) + f.registration())
	if !f.changed {
		return "", false
	}
	imports := fmt.Sprintf("; import %s %q", hookName, hookPath)
	if f.needsUnsafe {
		imports += fmt.Sprintf("; import %s %q", unsafeName, "unsafe")
	}
	// Nothing but comments may precede build constraints: a directive is one.
	return f.header("//line "+name+":1\n"+f.src[:head]) + imports + b.String(), true
}
