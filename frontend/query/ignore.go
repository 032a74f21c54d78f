package query

import (
	"regexp"
	"strings"

	"github.com/empire-go/empire-go/frontend/load"
)

// Ignore is a comment "//empire:ignore ID REASON": the violation, or the violations with the
// cause, that have this id and a step in one of its lines are known. The id may have its class in front: CLASS:ID.
type Ignore struct {
	ID     string
	Reason string
	Pos    string
	Lines  [2]int // the first and the last: from that of the comment to the one below its group
	Named  bool   // it is in a package that was named, not only imported
}

// Ignores returns these comments of the main module.
func Ignores(p *load.Program) []Ignore {
	var all []Ignore
	for _, file := range p.Files() {
		for _, group := range file.Comments {
			for _, d := range directivesIn(group) {
				if d.name != "ignore" || len(d.args) < 2 {
					continue
				}
				pos := p.Position(d.pos)
				all = append(all, Ignore{ID: d.args[0], Reason: reasonIn(d.text), Pos: pos.String(),
					Lines: [2]int{pos.Line, p.Position(group.End()).Line + 1}, Named: p.IsNamed(file)})
			}
		}
	}
	return all
}

// reasonIn returns what comes after the id.
func reasonIn(text string) string {
	_, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	return strings.TrimSpace(reason)
}

// violationID is what an id of a violation, or of a cause, looks like, with or without its class.
var violationID = regexp.MustCompile(`^([a-z-]+:)?[0-9a-f]{8}$`)

// ignore checks such a comment: a reason is demanded.
func (c *directiveChecker) ignore(d directive) {
	switch {
	case len(d.args) == 0 || !violationID.MatchString(d.args[0]):
		c.fail(d, "needs the id of a violation, as check prints it; write //empire:ignore 3f2a91c0 and the reason")
	case len(d.args) == 1:
		c.fail(d, "%s says no reason; write it behind the id", d.args[0])
	}
}
