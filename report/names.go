package report

import (
	"regexp"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// names shortens the qualified names of functions and types: without the package
// path where that is unambiguous in the result, with the last element of the path
// where it is not, in full where even that is ambiguous.
type names struct {
	short  map[string]string
	module string // the path of the main module
}

// isInModule tells whether a package is in the main module.
func (n *names) isInModule(path string) bool {
	return path == n.module || strings.HasPrefix(path, n.module+"/")
}

// qualifier matches a package path with the dot behind it.
var qualifier = regexp.MustCompile(`(?:[\w.~-]+/)*\w[\w.~-]*\.`)

// newNames collects the names that occur in r.
func newNames(r *empire.Result) *names {
	n := &names{map[string]string{}, r.ModuleRoot}
	var all []string
	add := func(name string) {
		if _, known := n.short[name]; !known && name != "" {
			n.short[name] = name
			all = append(all, name)
		}
	}
	for _, q := range r.Queries {
		if !strings.Contains(q.Type, " ") { // else it is the title of a model
			add(q.Type)
		}
		addStepNames(add, q.Race)
		for _, s := range q.Scenarios {
			for _, v := range append([]empire.ScenarioResult{s}, s.Others...) {
				for _, u := range v.Units {
					add(u)
				}
				addStepNames(add, v.Counterexample)
			}
		}
	}
	for _, shorten := range []func(string) string{trimPackage, trimPath} {
		count := map[string]int{}
		for _, name := range all {
			count[shorten(name)]++
		}
		for _, name := range all {
			if s := shorten(name); count[s] == 1 && n.short[name] == name {
				n.short[name] = s
			}
		}
	}
	return n
}

func addStepNames(add func(string), steps []empire.Step) {
	for _, s := range steps {
		add(s.Function)
		add(s.Unit)
	}
}

// of returns the short form of name.
func (n *names) of(name string) string {
	if s, ok := n.short[name]; ok {
		return s
	}
	return name
}

// trimPackage drops every package path: "(*example.com/p.T).M" becomes "(*T).M".
func trimPackage(name string) string { return qualifier.ReplaceAllString(name, "") }

// trimPath keeps the last element of every package path: "(*p.T).M".
func trimPath(name string) string {
	return qualifier.ReplaceAllStringFunc(name, func(q string) string {
		return q[strings.LastIndex(q, "/")+1:]
	})
}
