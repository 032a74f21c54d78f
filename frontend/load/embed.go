package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Embedded returns where the files are whose content a package variable has by //go:embed, by their names in it:
// relative to the package's directory, with slashes. It is nil for other variables.
func (p *Program) Embedded(v types.Object) map[string]string { return p.embedded[v] }

// EmbeddedIn returns the files that variables of a package may have.
func (p *Program) EmbeddedIn(pkg *types.Package) []string { return p.embeddedIn[pkg] }

// keepEmbedded notes what variables have by //go:embed. Which files a package embeds at all, the go command says.
func (p *Program) keepEmbedded(initial []*packages.Package) {
	p.embedded, p.embeddedIn = map[types.Object]map[string]string{}, map[*types.Package][]string{}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		if len(pkg.EmbedFiles) == 0 {
			return
		}
		p.embeddedIn[pkg.Types] = pkg.EmbedFiles
		for _, syntax := range pkg.Syntax {
			for name, patterns := range directives(syntax) {
				p.embedded[pkg.TypesInfo.Defs[name]] = embedded(pkg, patterns)
			}
		}
	})
}

// embedded returns those files of a package that patterns mean.
func embedded(pkg *packages.Package, patterns []string) map[string]string {
	all := map[string]string{}
	for _, file := range pkg.EmbedFiles {
		relative, err := filepath.Rel(pkg.Dir, file)
		name := filepath.ToSlash(relative)
		if err == nil && slices.ContainsFunc(patterns, func(pattern string) bool { return embeds(pattern, name) }) {
			all[name] = file
		}
	}
	return all
}

// directives returns the patterns that are embedded into variables: a directive is about the variable that is
// declared next.
func directives(file *ast.File) map[*ast.Ident][]string {
	var names []*ast.Ident // of all that are declared alone, in their order
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, spec := range decl.Specs {
			names = append(names, spec.(*ast.ValueSpec).Names[0])
		}
	}
	all := map[*ast.Ident][]string{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, "//go:embed")
			if !ok || strings.TrimLeft(text, " \t") == text {
				continue
			}
			next := slices.IndexFunc(names, func(name *ast.Ident) bool { return name.Pos() > c.Pos() })
			if next >= 0 {
				all[names[next]] = append(all[names[next]], patternsOf(text)...)
			}
		}
	}
	return all
}

// patternsOf takes what a directive embeds apart: it is separated by blanks, and may be quoted.
func patternsOf(text string) (all []string) {
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" {
			return all
		}
		pattern := text
		if quoted, err := strconv.QuotedPrefix(text); err == nil {
			pattern, _ = strconv.Unquote(quoted)
			text = text[len(quoted):]
		} else {
			if end := strings.IndexAny(text, " \t"); end >= 0 {
				pattern = text[:end]
			}
			text = text[len(pattern):]
		}
		all = append(all, pattern)
	}
}

// embeds tells whether a pattern means a file: itself, or as one in a directory. Of a directory it does not mean what
// begins with a dot or an underscore, unless it says so.
func embeds(pattern, name string) bool {
	pattern, isAll := strings.CutPrefix(pattern, "all:")
	for outer, inner := name, ""; ; outer, inner = path.Dir(outer), path.Join(path.Base(outer), inner) {
		isMeant, _ := path.Match(pattern, outer)
		if isMeant && (isAll || !slices.ContainsFunc(strings.Split(inner, "/"), isHidden)) {
			return true
		}
		if outer == "." {
			return false
		}
	}
}

func isHidden(element string) bool {
	return strings.HasPrefix(element, ".") || strings.HasPrefix(element, "_")
}
