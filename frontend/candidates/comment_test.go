package candidates

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// commented is members with comments, and what these say.
type commented struct {
	Vars        bool // package variables, not fields of a struct
	Doc, Source string
	Want        map[string][]string // by lock: the fields
}

// TestComments compares what is read in comments with testdata/comments.yaml.
func TestComments(t *testing.T) {
	text, err := os.ReadFile("testdata/comments.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []commented
	if err := yaml.Unmarshal(text, &all); err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for i, got := range readWordings(t, all) {
		if want := all[i].Want; !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s\n%s\ngot %v, want %v", all[i].Doc, all[i].Source, got, want)
		}
	}
}

// readWordings reads the comments of each entry, as those of a type or of a package.
func readWordings(t *testing.T, all []commented) []map[string][]string {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	for i, c := range all {
		declared := "struct {\n" + c.Source + "\n}\n"
		if c.Vars {
			declared = "var (\n" + c.Source + "\n)\n"
		} else {
			declared = "// T is a type. " + c.Doc + "\ntype T " + declared
		}
		write(fmt.Sprintf("p%d/p.go", i), "package x\n\nimport \"sync\"\n\nvar _ sync.Mutex\n\n"+declared)
	}
	program, err := load.Load(t.Context(), load.Config{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	var results []map[string][]string
	for i := range all {
		own := program.Only(fmt.Sprintf("example.com/m/p%d", i))
		f := &finder{Config: Config{Programs: []Program{{Program: own}}}, types: map[*types.TypeName]*owner{},
			variables: map[*ssa.Global]*field{}}
		f.declare()
		f.readAllComments()
		got := map[string][]string{}
		var fields []*field
		for _, o := range f.owners {
			fields = append(fields, o.fields...)
		}
		for _, v := range f.packages {
			fields = append(fields, v.fields...)
		}
		for _, x := range fields {
			if g := x.claim.guard; g.name != "" {
				got[g.name] = append(got[g.name], strings.TrimPrefix(x.name, "x."))
			}
		}
		if len(got) == 0 {
			got = nil
		}
		results = append(results, got)
	}
	return results
}
