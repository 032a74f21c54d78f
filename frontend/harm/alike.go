package harm

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/execute"
)

// isOneOf tells whether some order has the outcome.
func isOneOf(shown *execute.Shown, orders []*execute.Shown) bool {
	return slices.ContainsFunc(orders, func(o *execute.Shown) bool {
		return slices.EqualFunc(o.Lines, shown.Lines, isAsGood)
	})
}

// isAsGood tells whether a part of an outcome is that of an order, or a copy of what is shared in the order: numbers
// and strings of a slice that is handed out are as good where nobody else has them. (It is not so the other way round,
// as where two are handed the same memory, nor of what has a state of its own.) And an empty map is as good as none.
func isAsGood(inOrder, line execute.Line) bool {
	if inOrder.Value != "" && line.Value == "" {
		inOrder.Text, inOrder.Value = inOrder.Value, ""
	}
	return inOrder == line
}

// isOneOfButErrors is isOneOf where one error is as good as another one: which of several that a call may return, or
// keep, is seldom promised.
func isOneOfButErrors(shown *execute.Shown, orders []*execute.Shown) bool {
	is := withoutErrors(shown.Lines)
	return slices.ContainsFunc(orders, func(o *execute.Shown) bool { return slices.Equal(withoutErrors(o.Lines), is) })
}

// withoutErrors returns the lines with nothing of errors but that they are there.
func withoutErrors(lines []execute.Line) (all []execute.Line) {
	for i, line := range lines {
		if line.Error == "" {
			all = append(all, line)
		} else if i == 0 || lines[i-1].Error != line.Error {
			all = append(all, execute.Line{Path: line.Error, Text: "an error"})
		}
	}
	return all
}
