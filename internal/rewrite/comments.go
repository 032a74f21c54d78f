package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// Comments are those that say which lock protects what, and what has none since it would not be so simple.
type Comments struct {
	Files []File
	Left  []string // sentences
}

// LockComments makes comments "// mu protects a, b" at locks that are held at all accesses to the fields, or
// variables, that they guard. Where comments say so already, and where a lock is that of another object, there
// is none. root is the directory of the module.
func LockComments(root string, r *empire.DisciplineResult) (*Comments, error) {
	c := &Comments{}
	byFile := map[string][]lockComment{}
	var order []string
	for _, t := range r.Types {
		for _, l := range t.Locks {
			comment, why := commentFor(l)
			if why != "" {
				c.Left = append(c.Left, strings.TrimPrefix(t.Type[strings.LastIndex(t.Type, ".")+1:]+": ", ": ")+why)
			}
			if comment.text == "" {
				continue
			}
			if byFile[comment.file] == nil {
				order = append(order, comment.file)
			}
			byFile[comment.file] = append(byFile[comment.file], comment)
		}
	}
	slices.Sort(order)
	for _, name := range order {
		old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		text, err := withComments(old, byFile[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Equal(old, text) {
			c.Files = append(c.Files, File{name, old, text})
		}
	}
	return c, nil
}

// lockComment is a comment and the lock that it is about.
type lockComment struct {
	lock, text   string
	file         string
	line, column int
}

// position matches file:line:column.
var position = regexp.MustCompile(`^(.+):(\d+):(\d+)$`)

// commentFor returns the comment at a lock, without a text if there is none. why says that there should be.
func commentFor(l empire.LockDiscipline) (c lockComment, why string) {
	var names []string
	isSaid := true
	for _, f := range l.Fields {
		if len(f.Unheld) == 0 {
			names = append(names, f.Name)
			isSaid = isSaid && f.Claim != ""
		}
	}
	if len(names) == 0 || isSaid {
		return c, ""
	}
	m := position.FindStringSubmatch(l.Pos)
	switch {
	case !l.Own:
		return c, fmt.Sprintf("%s is a lock of another object, so no comment at it names %s", l.Lock,
			strings.Join(names, ", "))
	case m == nil:
		return c, fmt.Sprintf("%s is not declared beside %s", l.Lock, strings.Join(names, ", "))
	}
	prefix := l.Lock[:strings.LastIndex(l.Lock, ".")+1]
	for i, name := range names {
		short, ok := strings.CutPrefix(name, prefix)
		if !ok || strings.Contains(short, ".") {
			return c, fmt.Sprintf("%s and %s are not in one struct", l.Lock, name)
		}
		names[i] = short
	}
	c = lockComment{lock: l.Lock[len(prefix):], file: m[1]}
	c.text = fmt.Sprintf("// %s protects %s", c.lock, strings.Join(names, ", "))
	c.line, _ = strconv.Atoi(m[2])
	c.column, _ = strconv.Atoi(m[3])
	return c, ""
}

// withComments returns the text of a file with the comments.
func withComments(text []byte, comments []lockComment) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var edits []Edit
	for _, c := range comments {
		at, doc := declarationAt(set, file, c)
		if at == nil {
			return nil, fmt.Errorf("no %s is declared at line %d", c.lock, c.line)
		}
		if ast.IsGenerated(file) {
			continue
		}
		edits = append(edits, c.edit(set, text, at, doc)...)
	}
	if len(edits) == 0 {
		return text, nil
	}
	return Apply(text, edits)
}

// declarationAt finds the declaration of a lock, and the comment above it.
func declarationAt(set *token.FileSet, file *ast.File, c lockComment) (at ast.Node, doc *ast.CommentGroup) {
	isHere := func(n ast.Node) bool {
		p := set.Position(n.Pos())
		return p.Line == c.line && p.Column == c.column
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if len(n.Names) == 0 && (isHere(n.Type) || isEmbedded(n.Type, isHere)) || slices.ContainsFunc(n.Names,
				func(name *ast.Ident) bool { return isHere(name) }) {
				at, doc = n, n.Doc
			}
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && slices.ContainsFunc(v.Names,
					func(name *ast.Ident) bool { return isHere(name) }) {
					at, doc = v, v.Doc
					if !n.Lparen.IsValid() {
						at, doc = n, n.Doc
					}
				}
			}
		}
		return true
	})
	return at, doc
}

// isEmbedded tells whether the name of an embedded type is at a place: that of sync.Mutex is behind the dot.
func isEmbedded(t ast.Expr, isHere func(ast.Node) bool) bool {
	switch t := t.(type) {
	case *ast.StarExpr:
		return isEmbedded(t.X, isHere)
	case *ast.SelectorExpr:
		return isHere(t.Sel)
	}
	return isHere(t)
}

// edit puts a comment above a declaration, or in the place of the one that was written there before.
func (c lockComment) edit(set *token.FileSet, text []byte, at ast.Node, doc *ast.CommentGroup) []Edit {
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	if doc != nil {
		for _, line := range doc.List {
			switch {
			case line.Text == c.text:
				return nil
			case strings.HasPrefix(line.Text, "// "+c.lock+" protects "):
				return []Edit{{offset(line.Pos()), offset(line.End()), c.text}}
			}
		}
	}
	begin := offset(at.Pos())
	indent := text[bytes.LastIndexByte(text[:begin], '\n')+1 : begin]
	if strings.TrimSpace(string(indent)) != "" { // it does not begin a line
		return []Edit{{begin, begin, "\n" + c.text + "\n"}}
	}
	return []Edit{{begin, begin, c.text + "\n" + string(indent)}}
}
