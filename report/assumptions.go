package report

import (
	"fmt"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

const (
	maxAssumptions = 12 // shown for one query
	maxListed      = 24 // and for all of several ones
	maxPositions   = 3  // shown for one assumption
)

// assumption is something that verdicts rely on, with the places where they do.
type assumption struct {
	kind, text string
	places     []string
}

// assumptionList is what queries rely on, each thing once.
type assumptionList []*assumption

// add adds what a query relies on, and returns the indices of that.
func (l *assumptionList) add(q *empire.QueryResult) (indices []int) {
	for _, a := range q.Assumptions {
		i := slices.IndexFunc(*l, func(known *assumption) bool { return known.kind == a.Kind && known.text == a.Text })
		if i < 0 {
			i = len(*l)
			*l = append(*l, &assumption{kind: a.Kind, text: a.Text})
		}
		if !slices.Contains(indices, i) {
			indices = append(indices, i)
		}
		if known := (*l)[i]; hasPlace(a.Pos) && !slices.Contains(known.places, fileLine(a.Pos)) {
			known.places = append(known.places, fileLine(a.Pos))
		}
	}
	return indices
}

// String returns the assumption in words.
func (a *assumption) String() string {
	text := a.kind + ": " + a.text
	if len(a.places) > 0 {
		text += " (" + shorten(a.places, maxPositions) + ")"
	}
	return text
}

// assumptions lists what the verdicts on a query rely on; where several queries are told, by the numbers that this
// has in the list at the end.
func (t *textWriter) assumptions(q *empire.QueryResult) {
	if len(q.Assumptions) == 0 {
		return
	}
	if t.assumed != nil {
		var numbers []int
		more := 0
		for _, i := range t.assumed.add(q) {
			if i < maxListed {
				numbers = append(numbers, i+1)
			} else {
				more++
			}
		}
		slices.Sort(numbers)
		var parts []string
		if len(numbers) > 0 {
			parts = append(parts, ranges(numbers)+", see the end")
		}
		if more > 0 {
			parts = append(parts, fmt.Sprintf("%d more, see --format json", more))
		}
		t.item("assuming", plain, strings.Join(parts, "; and "))
		return
	}
	var own assumptionList
	own.add(q)
	for i, a := range own {
		label := ""
		switch {
		case i == maxAssumptions:
			t.item("", plain, fmt.Sprintf("and %d more, see --format json", len(own)-i))
			return
		case i == 0:
			label = "assuming"
		}
		t.item(label, plain, "- "+a.String())
	}
}

// allAssumed lists what the verdicts on several queries rely on.
func (t *textWriter) allAssumed() {
	if t.assumed == nil || len(*t.assumed) == 0 {
		return
	}
	t.printf("%s\n", t.paint(bold, "What these answers assume"))
	for i, a := range *t.assumed {
		if i == maxListed {
			t.paragraph(5, 0, fmt.Sprintf("and %d more, see --format json", len(*t.assumed)-i))
			break
		}
		t.paragraph(0, 5, fmt.Sprintf("%4d %s", i+1, a))
	}
	t.printf("\n")
}
