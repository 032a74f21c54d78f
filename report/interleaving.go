package report

import (
	"fmt"
	"strings"
)

// interleaving draws the steps of a story with one column for each goroutine.
// Where there is no room for so many, the goroutines without an event share one.
func (t *textWriter) interleaving(st *story) string {
	width := t.Width - 2
	columns, shared := st.columns(width)
	grid := &table{gutter: "step"}
	for i, lanes := range columns {
		grid.minor = append(grid.minor, len(st.actors) > 0 && st.actorOf(lanes[0]) < 0)
		if i == shared {
			grid.heads = append(grid.heads, []line{{text: "    other goroutines", indent: 4, style: bold}})
			continue
		}
		grid.heads = append(grid.heads, t.head(st, lanes[0]))
	}
	for i, s := range st.steps {
		column := columnOf(columns, s.lane)
		prefix := ""
		if column == shared {
			prefix = st.lanes[s.lane].name + ": "
		}
		grid.rows = append(grid.rows, row{fmt.Sprint(s.Step.Step), column, t.cell(st, i, prefix)})
	}
	return grid.render(width, t.Color)
}

// columns assigns the lanes to columns. The index of the column that several
// share is -1 if none do.
func (st *story) columns(width int) (columns [][]int, shared int) {
	shared = -1
	const comfortable = 30
	crowded := len(st.lanes)*comfortable > width
	for i := range st.lanes {
		switch {
		case !crowded || st.actorOf(i) >= 0 || len(st.actors) == 0:
			columns = append(columns, []int{i})
		case shared < 0:
			shared = len(columns)
			columns = append(columns, []int{i})
		default:
			columns[shared] = append(columns[shared], i)
		}
	}
	if shared >= 0 && len(columns[shared]) == 1 {
		return columns, -1
	}
	return columns, shared
}

func columnOf(columns [][]int, lane int) int {
	for i, lanes := range columns {
		for _, l := range lanes {
			if l == lane {
				return i
			}
		}
	}
	return 0
}

// head is the head of a goroutine's column: its name and where it is started.
func (t *textWriter) head(st *story, lane int) []line {
	head := []line{{text: "    " + st.lanes[lane].name, indent: 4, style: bold}}
	if step := st.lanes[lane].startedAt; step > 0 {
		head = append(head, line{text: fmt.Sprintf("    started in step %d", step), indent: 4, style: dim})
	}
	return head
}

// cell says what step i does and where. The events of the pattern are marked with
// their numbers; what happens inside a unit stands further to the right.
func (t *textWriter) cell(st *story, i int, prefix string) []line {
	s := st.steps[i]
	mark, look, inside := "    ", plain, ""
	switch {
	case s.Event > 0:
		mark, look, inside = fmt.Sprintf("(%d) ", s.Event), red, "  "
	case s.boundary():
		look = bold
	case len(s.units) > 0:
		inside = "  "
	}
	var lines []line
	if call := t.call(st, i); call != "" {
		lines = append(lines, line{text: "    " + inside + call, indent: 8, style: dim})
	}
	lines = append(lines, line{text: mark + inside + prefix + st.action(s), right: place(s), indent: 8, style: look})
	if source := t.source(st, i); source != "" {
		lines = append(lines, line{text: "      " + inside + source, indent: 8 + len(inside)})
	}
	return lines
}

// boundary tells whether the step begins or ends a unit.
func (s storyStep) boundary() bool { return s.Action == "unit-begin" || s.Action == "unit-end" }

// place is the position of a step, without the column; "" if it has none.
func place(s storyStep) string {
	if s.Pos == "-" {
		return ""
	}
	return fileLine(s.Pos)
}

// source is the line of source of step i. It is empty where the goroutine's
// previous step was on the same line, and where it says no more than the action.
func (t *textWriter) source(st *story, i int) string {
	s := st.steps[i]
	source := t.sources.line(s.Pos)
	if p := st.previous(i); p >= 0 && place(st.steps[p]) == place(s) && !st.steps[p].boundary() {
		return ""
	}
	if s.Action == "unit-end" || s.boundary() && strings.HasPrefix(source, "func ") {
		return ""
	}
	return source
}

// call says that step i is in another function than the goroutine's previous step
// was, or than the unit itself, and where that function is called.
func (t *textWriter) call(st *story, i int) string {
	s := st.steps[i]
	if s.boundary() || s.Function == "" {
		return ""
	}
	if p := st.previous(i); p >= 0 && st.steps[p].Function == s.Function {
		return ""
	}
	if len(s.units) == 0 || s.Function == s.units[len(s.units)-1] && st.previous(i) >= 0 && st.steps[st.previous(i)].boundary() {
		return ""
	}
	text := "in " + t.names.of(s.Function)
	if n := len(s.Stack); n > 0 && s.Function != s.units[len(s.units)-1] {
		text += " (called at " + fileLine(s.Stack[n-1][strings.LastIndex(s.Stack[n-1], " ")+1:]) + ")"
	}
	return text
}

// previous returns the index of the goroutine's step before step i, or -1.
func (st *story) previous(i int) int {
	for p := i - 1; p >= 0; p-- {
		if st.steps[p].lane == st.steps[i].lane {
			return p
		}
	}
	return -1
}
