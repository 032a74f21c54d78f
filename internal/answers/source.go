package answers

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Sum is a hash.
type Sum [sha256.Size]byte

// File is a source file as far as answers depend on it: its declarations, each as its tokens and the comments
// that mean something. Other comments, and how the lines are indented, change nothing.
//
// A comment means something if it is a directive, or may be one that is misspelt; and where types and
// variables are declared, as it may say which lock a field has: there empty lines count as well. Which tokens
// are on one line counts everywhere.
type File struct {
	Decls  []Decl // the first one is the package clause, with what is above it
	Raw    Sum    // of the text
	Sum    Sum    // of what it means
	Opaque bool   // positions in it are not what they seem (//line, cgo): only the text as a whole counts
	Embeds bool   // it may have //go:embed
	Links  bool   // it has //go:linkname: what can be called is not what seems to be

	tokens []place // in their order
}

// Decl is a top-level declaration.
type Decl struct {
	Sum  Sum // of its tokens
	Head Sum // of a method: of the tokens above its body; of a function: nothing, as only calls of it matter; else Sum

	first, end int // its tokens
}

// place is a line and a column.
type place struct{ line, column int }

// reader splits a file into declarations.
type reader struct {
	file  *File
	kind  token.Token // of the declaration: PACKAGE, IMPORT, CONST, TYPE, VAR, FUNC
	text  []byte      // what is hashed of it
	first int

	depth    int
	before   token.Token // the token before
	line     int         // in which the last one that counts begins
	exact    bool        // empty lines before the next one count
	inBody   bool
	isMethod bool
	head     Sum
	comments []comment // between declarations
}

type comment struct {
	at   place
	text string
}

// ReadRaw reads a source file only as a text.
func ReadRaw(text []byte) *File {
	return &File{Raw: sha256.Sum256(text), Embeds: bytes.Contains(text, []byte("//go:embed"))}
}

// ReadFile reads a source file. One that cannot be scanned is opaque.
func ReadFile(text []byte) *File {
	f := ReadRaw(text)
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) { f.Opaque = true }, scanner.ScanComments)
	r := &reader{file: f, kind: token.PACKAGE, before: token.SEMICOLON}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		p := file.PositionFor(pos, false)
		r.next(place{p.Line, p.Column}, tok, literal)
	}
	for _, c := range r.comments {
		if isDirective(c.text) || r.trails(c) {
			r.add(c.at, token.COMMENT, c.text)
		}
	}
	r.end()
	if bytes.Contains(text, []byte("//line ")) || bytes.Contains(text, []byte("/*line ")) {
		f.Opaque = true
	}
	all := sha256.New()
	for _, d := range f.Decls {
		all.Write(d.Sum[:])
	}
	if f.Sum = Sum(all.Sum(nil)); f.Opaque {
		f.Sum = f.Raw
	}
	return f
}

// next takes a token.
func (r *reader) next(at place, tok token.Token, literal string) {
	if tok == token.COMMENT {
		r.comment(comment{at, literal})
		return
	}
	if r.depth == 0 && r.before == token.SEMICOLON && tok != token.PACKAGE {
		r.begin(tok)
	}
	switch tok {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		r.isMethod = r.isMethod || r.kind == token.FUNC && r.depth == 0 && r.before == token.FUNC
		if tok == token.LBRACE && r.kind == token.FUNC && r.depth == 0 && r.before != token.STRUCT &&
			r.before != token.INTERFACE && !r.inBody {
			r.inBody, r.head = true, sha256.Sum256(r.text)
		}
		r.depth++
	case token.RPAREN, token.RBRACK, token.RBRACE:
		r.depth--
	}
	if r.kind == token.IMPORT && tok == token.STRING && literal == `"C"` {
		r.file.Opaque = true
	}
	r.before = tok
	if tok == token.SEMICOLON { // written or not
		r.text = append(r.text, byte(tok))
		return
	}
	r.add(at, tok, literal)
}

// comment takes a comment.
func (r *reader) comment(c comment) {
	r.file.Links = r.file.Links || strings.HasPrefix(c.text, "//go:linkname")
	switch {
	case r.depth == 0 && r.before == token.SEMICOLON:
		r.comments = append(r.comments, c)
	case isDirective(c.text) || r.kind == token.TYPE || r.kind == token.VAR:
		r.add(c.at, token.COMMENT, c.text)
	}
}

// trails tells whether a comment is behind a declaration that it may say something about.
func (r *reader) trails(c comment) bool {
	return c.at.line == r.line && (r.kind == token.TYPE || r.kind == token.VAR)
}

// begin begins the declaration of a kind.
func (r *reader) begin(kind token.Token) {
	var next []comment
	for _, c := range r.comments {
		switch {
		case r.trails(c):
			r.add(c.at, token.COMMENT, c.text)
		case isDirective(c.text) || kind == token.TYPE || kind == token.VAR:
			next = append(next, c)
		}
	}
	r.end()
	r.kind = kind
	for _, c := range next {
		r.add(c.at, token.COMMENT, c.text)
	}
}

// end ends the declaration.
func (r *reader) end() {
	d := Decl{Sum: sha256.Sum256(r.text), first: r.first, end: len(r.file.tokens)}
	switch d.Head = d.Sum; {
	case r.isMethod && r.inBody:
		d.Head = r.head
	case r.kind == token.FUNC && !r.isMethod:
		d.Head = Sum{}
	}
	r.file.Decls = append(r.file.Decls, d)
	r.text, r.first, r.comments = r.text[:0], len(r.file.tokens), nil
	r.inBody, r.isMethod, r.exact = false, false, false
}

// add adds a token, or a comment, that counts.
func (r *reader) add(at place, tok token.Token, literal string) {
	distance := at.line - r.line
	if exact := r.exact || r.kind == token.TYPE || r.kind == token.VAR || tok == token.COMMENT; !exact ||
		len(r.file.tokens) == r.first { // where a declaration begins changes nothing
		distance = min(distance, 1)
	}
	r.text = binary.LittleEndian.AppendUint16(r.text, uint16(tok))
	r.text = binary.LittleEndian.AppendUint32(r.text, uint32(distance))
	r.text = binary.LittleEndian.AppendUint32(r.text, uint32(len(literal)))
	r.text = append(r.text, literal...)
	r.file.tokens = append(r.file.tokens, at)
	r.line, r.exact = at.line, tok == token.COMMENT
}

// isDirective tells whether a comment is, or may be meant as, one for a tool.
func isDirective(text string) bool {
	if strings.Contains(text, "empire:") || strings.Contains(text, "+build") {
		return true
	}
	rest, isLine := strings.CutPrefix(text, "//")
	if !isLine {
		return strings.HasPrefix(text, "/*line ")
	}
	word, _, _ := strings.Cut(rest, " ")
	switch word {
	case "line", "export", "extern":
		return true
	}
	name, _, ok := strings.Cut(word, ":")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// Decl returns which declaration a position is in; -1 if none.
func (f *File) Decl(line, column int) int {
	i, ok := f.token(place{line, column})
	if !ok || f.Opaque {
		return -1
	}
	return f.declOf(i)
}

// token returns which token begins at a place.
func (f *File) token(at place) (int, bool) {
	return slices.BinarySearchFunc(f.tokens, at, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
}

// declOf returns the declaration that has a token.
func (f *File) declOf(t int) int {
	low, high := 0, len(f.Decls)
	for low+1 < high {
		if m := (low + high) / 2; f.Decls[m].first <= t {
			low = m
		} else {
			high = m
		}
	}
	for low > 0 && f.Decls[low].first == f.Decls[low].end { // it has no token
		low--
	}
	return low
}
