package execute

import (
	"cmp"
	"go/types"
	"maps"
	"os"
	"path"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Files returns where the files are that a package variable has by //go:embed, by their names in it; nil for
// other variables.
type Files func(v types.Object) map[string]string

// embeds gives a variable the content of the files that it has by //go:embed. It tells whether it has some.
func (m *machine) embeds(v *ssa.Global, c *cell) bool {
	if m.program.files == nil {
		return false
	}
	files := m.program.files(v.Object())
	if len(files) == 0 {
		return false
	}
	content := map[string]string{}
	for name, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			unsupported("the file in %s, which cannot be read: %v", v, err)
		}
		content[name] = string(text)
	}
	var text string // of the only file, unless there may be many
	for _, text = range content {
	}
	switch t := c.typ.Underlying().(type) {
	case *types.Basic:
		c.val = text
	case *types.Slice:
		cells := m.current.array(t.Elem(), len(text))
		for i := range cells {
			cells[i].val = int64(text[i])
		}
		c.val = slice{cells}
	case *types.Struct:
		m.embedAll(c, content)
	}
	m.publish(c.val)
	return true
}

// embedAll gives an embed.FS its files. Directories are among them, and they are sorted by directories, and by
// names in each: see package embed.
func (m *machine) embedAll(fs *cell, content map[string]string) {
	for name := range maps.Clone(content) {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			content[dir+"/"] = ""
		}
	}
	names := slices.SortedFunc(maps.Keys(content), func(a, b string) int {
		a, b = path.Clean(a), path.Clean(b)
		return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(path.Base(a), path.Base(b)))
	})
	part := func(of *cell, name string) *cell {
		s := of.typ.Underlying().(*types.Struct)
		for i := range s.NumFields() {
			if s.Field(i).Name() == name {
				return of.parts[i]
			}
		}
		unsupported("%s without the field %s", of.typ, name)
		return nil
	}
	files := part(fs, "files")
	of := files.typ.Underlying().(*types.Pointer).Elem()
	all := m.current.array(of.Underlying().(*types.Slice).Elem(), len(names))
	for i, name := range names {
		part(all[i], "name").val = name
		part(all[i], "data").val = content[name]
	}
	list := m.current.allocate(of)
	list.val = slice{all}
	files.val = list
	m.publish(list)
}
