package query_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// site matches a comment: the type, then the columns of the objects that the line
// allocates, or "none".
var site = regexp.MustCompile(`// (\w+) at ([\w#.\[\], ]+)`)

// TestSites resolves a site on each line of a program with a comment. One column is
// the object; several are the candidates in an error.
func TestSites(t *testing.T) {
	program, err := load.Load(context.Background(), load.Config{Patterns: []string{"./testdata/sites"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/sites/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for number, line := range strings.Split(string(text), "\n") {
		for _, m := range site.FindAllStringSubmatch(line, -1) {
			if got, want := resolve(t, program, m[1], number+1), strings.TrimSpace(m[2]); got != want {
				t.Errorf("line %d, %s: at %s, want %s: %s", number+1, m[1], got, want, strings.TrimSpace(line))
			}
		}
	}
}

// resolve returns the columns that a type's site on a line can be at.
func resolve(t *testing.T, program *load.Program, name string, line int) string {
	subject, err := query.ResolveSubject(program, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	main := program.Mains()[0]
	graph, err := pointsto.Analyze(context.Background(), pointsto.Config{
		Program: program.SSA, Roots: []*ssa.Function{main.Func("init"), main.Func("main")},
		Sensitivity: pointsto.Sensitivity{CallSite: subject.IsConstructor},
	})
	if err != nil {
		t.Fatal(err)
	}
	var functions []*ssa.Function
	seen := map[*ssa.Function]bool{}
	for _, n := range graph.Nodes() {
		if !seen[n.Func] {
			seen[n.Func] = true
			functions = append(functions, n.Func)
		}
	}
	all := query.Sites(program, subject, functions, true, func(*ssa.Function) bool { return false })
	text := fmt.Sprintf("main.go:%d", line)
	found, err := query.ResolveSite(program, subject, text, all)
	if err == nil {
		return columns(found.String())
	}
	_, listed, several := strings.Cut(err.Error(), "several objects are allocated there; write one of ")
	if !several {
		return "none"
	}
	var all2 []string
	for _, s := range strings.Split(listed, ", ") {
		all2 = append(all2, columns(s))
	}
	return strings.Join(all2, ", ")
}

// columns drops the file and the line of a site.
func columns(site string) string {
	parts := strings.SplitN(site, ":", 3)
	return parts[len(parts)-1]
}
