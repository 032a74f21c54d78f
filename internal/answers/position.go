package answers

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Positions writes positions in sources so that they can be found again after other code was changed: as the
// declaration, by its tokens, and which of the tokens it is.
type Positions struct {
	// Of returns the file with the name that positions have; nil if it is not known.
	Of func(name string) *File
}

// position is what a position looks like in an answer; what begins with $ does not change.
var (
	position = regexp.MustCompile(`[^\s":\\]+\.go:[0-9]+(:[0-9]+)?`)
	written  = regexp.MustCompile("\x01([^\x01]*)\x01")
)

// Strip replaces the positions in a text. It fails if one is not that of a token.
func (p Positions) Strip(text []byte) (stripped []byte, ok bool) {
	ok = true
	stripped = position.ReplaceAllFunc(text, func(at []byte) []byte {
		prefix, core := cut(string(at))
		if strings.HasPrefix(core, "$") {
			return at
		}
		parts := strings.Split(core, ":")
		if len(parts) != 3 {
			ok = false
			return at
		}
		line, _ := strconv.Atoi(parts[1])
		column, _ := strconv.Atoi(parts[2])
		form := p.strip(parts[0], line, column)
		if form == "" {
			ok = false
			return at
		}
		return []byte(prefix + "\x01" + form + "\x01")
	})
	return stripped, ok
}

// cut divides what precedes a position in a text, as a parenthesis, from it.
func cut(at string) (prefix, core string) {
	core = strings.TrimLeft(at, "([{,;'`")
	return at[:len(at)-len(core)], core
}

// strip returns the form of a position; "" if it has none.
func (p Positions) strip(name string, line, column int) string {
	f := p.Of(name)
	if f == nil || f.Opaque {
		return ""
	}
	t, ok := f.token(place{line, column})
	if !ok {
		return ""
	}
	d := f.declOf(t)
	same := 0 // declarations above with the same tokens
	for _, other := range f.Decls[:d] {
		if other.Sum == f.Decls[d].Sum {
			same++
		}
	}
	return fmt.Sprintf("%s\x02%s\x02%d\x02%d", name, hex.EncodeToString(f.Decls[d].Sum[:]), same, t-f.Decls[d].first)
}

// Restore puts the positions back as they are now. It fails if one is no longer there.
func (p Positions) Restore(stripped []byte) (text []byte, ok bool) {
	ok = true
	text = written.ReplaceAllFunc(stripped, func(form []byte) []byte {
		at := p.restore(strings.Trim(string(form), "\x01"))
		if at == "" {
			ok = false
		}
		return []byte(at)
	})
	return text, ok
}

// restore returns the position that has a form; "" if there is none.
func (p Positions) restore(form string) string {
	parts := strings.Split(form, "\x02")
	if len(parts) != 4 {
		return ""
	}
	f := p.Of(parts[0])
	if f == nil || f.Opaque {
		return ""
	}
	same, _ := strconv.Atoi(parts[2])
	t, err := strconv.Atoi(parts[3])
	for _, d := range f.Decls {
		if hex.EncodeToString(d.Sum[:]) != parts[1] {
			continue
		}
		if same > 0 {
			same--
			continue
		}
		if err != nil || d.first+t >= d.end {
			return ""
		}
		at := f.tokens[d.first+t]
		return fmt.Sprintf("%s:%d:%d", parts[0], at.line, at.column)
	}
	return ""
}

// in returns the positions in the files of a tree, whose names are relative to a directory.
func (t *Tree) in(dir string) Positions {
	return Positions{Of: func(name string) *File {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, filepath.FromSlash(name))
		}
		return t.File(name)
	}}
}

// Pack strips the positions in a text, whose files are named relative to a directory, which Unpack finds.
func (t *Tree) Pack(dir string, text []byte) (entry []byte, ok bool) {
	stripped, ok := t.in(dir).Strip(text)
	return append([]byte(dir+"\n"), stripped...), ok
}

// Unpack restores the text with the positions of now.
func (t *Tree) Unpack(entry []byte) (text []byte, ok bool) {
	dir, stripped, ok := bytes.Cut(entry, []byte("\n"))
	if !ok {
		return nil, false
	}
	return t.in(string(dir)).Restore(stripped)
}

// Marshal returns the JSON form of a value, in which names of files are as they are.
func Marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	err := out.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
