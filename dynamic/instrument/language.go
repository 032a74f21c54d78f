package instrument

import (
	"go/version"
	"strings"
)

// hookLanguage is the version of the language that calls of hooks need: they are generic. It is
// older than the one since which each iteration of a loop has variables of its own.
const hookLanguage = "go1.21"

// header returns the lines before the package clause, after a constraint that sets the version
// of the language for this file if its module has an older one. The constraints that the file has
// hold, or it would not be built: they give way.
func (f *file) header(head string) string {
	m := f.pkg.Module
	if m == nil || m.GoVersion != "" && version.Compare("go"+m.GoVersion, hookLanguage) >= 0 {
		return head
	}
	lines := strings.SplitAfter(head, "\n")
	for i, line := range lines {
		for _, constraint := range []string{"//go:build ", "// +build ", "//+build "} {
			if strings.HasPrefix(line, constraint) {
				lines[i] = "//\n"
			}
		}
	}
	return "//go:build " + hookLanguage + "\n" + strings.Join(lines, "")
}
