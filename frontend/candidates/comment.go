package candidates

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/query"
)

// claim is that a comment names the lock of a field.
type claim struct {
	guard guard
	pos   token.Pos // of the comment
	named bool      // the comment names the field, or stands at it
}

// member is a field of a struct, or a package variable, as it stands in the source.
type member struct {
	name       string
	begin, end token.Pos // with its comments
	isLock     bool
	isCond     bool
}

// readComments adds to the fields of a type what comments say of them.
func (f *finder) readComments(o *owner, obj *types.TypeName) {
	spec, doc := typeSpec(f.syntax(obj.Pos()), obj.Pos())
	if spec == nil {
		return
	}
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	var members []member
	t := obj.Type().Underlying().(*types.Struct)
	at := 0
	for _, list := range structure.Fields.List {
		for range max(1, len(list.Names)) { // one that is embedded has no name there
			v := t.Field(at)
			at++
			members = append(members, memberOf(v, list, list.Doc, list.Comment))
		}
	}
	r := f.commentReader(members, o.fields, "")
	r.lock = func(name string) guard { return f.guardNamed(name, obj, members) }
	r.readAll(f.syntax(obj.Pos()), structure.Pos(), structure.End())
	if doc != nil {
		r.read(doc, nil)
	}
}

// readVariableComments does the same for the variables of a file's declaration.
func (f *finder) readVariableComments(v *vars, pkg *ssa.Package, file *ast.File) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		var members []member
		for _, spec := range group.Specs {
			values := spec.(*ast.ValueSpec)
			for _, name := range values.Names {
				if obj, ok := pkg.Pkg.Scope().Lookup(name.Name).(*types.Var); ok && obj.Pos() == name.Pos() {
					members = append(members, memberOf(obj, values, values.Doc, values.Comment))
				}
			}
		}
		if len(members) == 0 {
			continue
		}
		if group.Doc != nil {
			members[0].begin = min(members[0].begin, group.Doc.Pos())
		}
		r := f.commentReader(members, v.fields, pkg.Pkg.Name()+".")
		r.lock = func(name string) guard {
			if l := pkg.Var(name); l != nil && isLockVariable(l.Type().Underlying().(*types.Pointer).Elem()) {
				return guard{variableName(l), true}
			}
			return guard{}
		}
		begin := group.Pos()
		if group.Doc != nil {
			begin = group.Doc.Pos()
		}
		end := members[len(members)-1].end
		r.readAll(file, begin, max(group.End(), end))
	}
}

func memberOf(v *types.Var, at ast.Node, doc, line *ast.CommentGroup) member {
	m := member{name: v.Name(), begin: at.Pos(), end: at.End(), isLock: isLockVariable(v.Type()),
		isCond: query.IsCond(v.Type())}
	if doc != nil {
		m.begin = doc.Pos()
	}
	if line != nil {
		m.end = line.End()
	}
	return m
}

// isLockVariable tells whether a comment that names the field can mean a lock.
func isLockVariable(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if c, ok := t.Underlying().(*types.Chan); ok {
		s, ok := c.Elem().Underlying().(*types.Struct)
		return ok && s.NumFields() == 0
	}
	return query.IsLock(t)
}

// syntax returns the file that a position is in, nil if it is not kept.
func (f *finder) syntax(pos token.Pos) *ast.File {
	for _, p := range f.asLoaded() {
		if file, ok := p.Syntax(pos).(*ast.File); ok && file != nil {
			return file
		}
	}
	return nil
}

// filesOf returns the files that declare variables of a package, as far as they are kept.
func (f *finder) filesOf(pkg *ssa.Package) []*ast.File {
	var all []*ast.File
	for _, name := range pkg.Pkg.Scope().Names() {
		if v, ok := pkg.Pkg.Scope().Lookup(name).(*types.Var); ok {
			if file := f.syntax(v.Pos()); file != nil && !slices.Contains(all, file) {
				all = append(all, file)
			}
		}
	}
	return all
}

// typeSpec returns the declaration of the type whose name is at a position, with its comment.
func typeSpec(file *ast.File, pos token.Pos) (*ast.TypeSpec, *ast.CommentGroup) {
	if file == nil {
		return nil, nil
	}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			if t := spec.(*ast.TypeSpec); t.Name.Pos() == pos {
				if t.Doc != nil {
					return t, t.Doc
				}
				return t, group.Doc
			}
		}
	}
	return nil, nil
}

// guardNamed returns the lock that a word in a comment about a type means: one of its fields, one
// of another type, or a variable.
func (f *finder) guardNamed(word string, obj *types.TypeName, members []member) guard {
	var locks []string
	conds := map[string]bool{}
	for _, m := range members {
		if m.isLock {
			locks = append(locks, m.name)
			conds[m.name] = m.isCond
		}
	}
	own := func(name string) guard {
		if conds[name] {
			name += ".L"
		}
		return guard{name, true}
	}
	word = strings.TrimSuffix(word, ".L")
	last := word[strings.LastIndex(word, ".")+1:]
	if outer, ok := strings.CutSuffix(word, "."+last); ok && !strings.EqualFold(outer, obj.Name()) {
		for _, o := range f.owners { // as Cache.mu
			if o.name[strings.LastIndex(o.name, ".")+1:] == outer {
				for v := range o.variants[0].Type.Underlying().(*types.Struct).Fields() {
					if v.Name() == last && isLockVariable(v.Type()) {
						return guard{o.variants[0].Type.Obj().Name() + "." + last, false}
					}
				}
			}
		}
	}
	isGeneric := slices.Contains([]string{"lock", "mutex", "mu"}, strings.ToLower(last))
	switch {
	case slices.Contains(locks, last):
		return own(last)
	case isGeneric && len(locks) == 1:
		return own(locks[0])
	}
	if v, ok := obj.Pkg().Scope().Lookup(last).(*types.Var); ok && isLockVariable(v.Type()) {
		return guard{obj.Pkg().Name() + "." + last, false}
	}
	return guard{}
}

// commentReader reads the comments among members.
type commentReader struct {
	finder  *finder
	members []member
	fields  map[string]*field
	lock    func(name string) guard
}

func (f *finder) commentReader(members []member, fields []*field, prefix string) *commentReader {
	r := &commentReader{finder: f, members: members, fields: map[string]*field{}}
	for _, x := range fields {
		if name, ok := strings.CutPrefix(x.name, prefix); ok && slices.ContainsFunc(members, func(m member) bool {
			return m.name == name
		}) {
			r.fields[name] = x
		}
	}
	return r
}

// readAll reads the comments between two positions.
func (r *commentReader) readAll(file *ast.File, begin, end token.Pos) {
	if file == nil || len(r.members) == 0 {
		return
	}
	for _, group := range file.Comments {
		if group.Pos() >= begin && group.Pos() < max(end, r.members[len(r.members)-1].end) {
			var at []int
			for i, m := range r.members {
				if m.begin <= group.Pos() && group.End() <= m.end {
					at = append(at, i)
				}
			}
			r.read(group, at)
		}
	}
}

// read takes what a comment says, which stands at some of the members.
func (r *commentReader) read(group *ast.CommentGroup, at []int) {
	w := wording{
		isField: func(name string) bool { return r.fields[name] != nil },
		lockOf: func(word string) string {
			if g := r.lock(word); g.name != "" {
				return word
			}
			return ""
		},
	}
	for _, i := range at {
		w.self = append(w.self, r.members[i].name)
		w.isLock = w.isLock || r.members[i].isLock
	}
	var text strings.Builder // as written: CommentGroup.Text drops directives
	for _, c := range group.List {
		text.WriteString(strings.TrimSuffix(strings.TrimLeft(c.Text, "/*"), "*/") + "\n")
	}
	for _, s := range w.read(text.String()) {
		guard := r.lock(s.lock)
		for _, name := range s.fields {
			r.note(name, claim{guard, group.Pos(), true})
		}
		for _, name := range r.within(s.scope, group, at) {
			r.note(name, claim{guard, group.Pos(), !w.isLock && slices.Contains(w.self, name)})
		}
	}
}

// note adds a claim, unless there is a better one.
func (r *commentReader) note(name string, c claim) {
	if x := r.fields[name]; x != nil && c.guard.name != "" && (x.claim.guard.name == "" || c.named && !x.claim.named) {
		x.claim = c
	}
}

// within returns the members that a scope is about, by where the comment stands.
func (r *commentReader) within(s scope, group *ast.CommentGroup, at []int) []string {
	first := slices.IndexFunc(r.members, func(m member) bool { return m.begin >= group.Pos() })
	if len(at) > 0 {
		first = at[0]
		if r.members[first].isLock {
			first = at[len(at)-1] + 1
		}
	}
	if first < 0 {
		first = len(r.members)
	}
	var names []string
	switch s {
	case onlyNamed:
	case whole:
		for _, m := range r.members {
			names = append(names, m.name)
		}
	case preceding:
		if len(at) > 0 {
			first = at[0]
		}
		for i := first - 1; i >= 0 && !r.members[i].isLock && (i == first-1 || !r.isApart(i, i+1)); i-- {
			names = append(names, r.members[i].name)
		}
	default:
		isIn := func(i int) bool {
			return !r.members[i].isLock && (i == first || s == allBelow || !r.isApart(i-1, i))
		}
		for i := first; i < len(r.members) && isIn(i); i++ {
			names = append(names, r.members[i].name)
		}
	}
	return names
}

// isApart tells whether an empty line is between two members.
func (r *commentReader) isApart(i, j int) bool {
	files := r.finder.Programs[0].SSA.Fset
	return files.Position(r.members[j].begin).Line > files.Position(r.members[i].end).Line+1
}
