package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// entry is what a row of the interleaving tells: a step, or without a number the
// call that leads to the next one.
type entry struct {
	number int
	mark   string // at the left edge, "(1) " or spaces
	action string
	place  string
	source string
	look   style
	alone  bool // its place is not aligned with those of the other entries
}

// interleaving draws the steps of a story with one column for each goroutine that
// has one.
func (t *textWriter) interleaving(st *story) string {
	entries := make([][]entry, len(st.columns)) // of each column
	var order []int                             // the column of each row
	for _, i := range st.shownIndices() {
		column := st.columnOf(st.steps[i].lane)
		for _, e := range t.entries(st, i) {
			entries[column] = append(entries[column], e)
			order = append(order, column)
		}
	}
	grid := &table{gutter: strings.Repeat(" ", len(fmt.Sprint(len(st.shownIndices()))))}
	natural := make([]int, len(st.columns))
	for c, lane := range st.columns {
		head := []line{{text: st.lanes[lane].name, style: bold}}
		grid.heads = append(grid.heads, head)
		natural[c] = max(widest(head), naturalWidth(entries[c]))
	}
	width := t.Width - 2
	grid.fixed = fit(natural, width-len(grid.gutter))
	next := make([]int, len(entries))
	for _, c := range order {
		e := entries[c][next[c]]
		next[c]++
		label := ""
		if e.number > 0 {
			label = fmt.Sprint(e.number)
		}
		grid.rows = append(grid.rows, row{label, c, e.lines(grid.fixed[c], alignment(entries[c]))})
	}
	return grid.render(width, t.Color)
}

// shownIndices returns the indices of the steps that have a row.
func (st *story) shownIndices() []int {
	var all []int
	for i, s := range st.steps {
		if s.shown {
			all = append(all, i)
		}
	}
	return all
}

func (st *story) columnOf(lane int) int {
	for i, l := range st.columns {
		if l == lane {
			return i
		}
	}
	return 0
}

// unmarked stands where an event has its mark.
const unmarked = "    "

// entries returns what there is to tell of step i: the call that led there, if the
// goroutine was elsewhere before, and the step.
func (t *textWriter) entries(st *story, i int) []entry {
	s := st.steps[i]
	e := entry{number: s.number, action: st.action(s), place: st.place(s.Pos), source: t.source(st, i)}
	switch {
	case s.Event > 0:
		e.mark, e.look = fmt.Sprintf("%-4s", fmt.Sprintf("(%d)", s.Event)), red
	case s.boundary():
		e.look, e.alone = bold, true
		if s.Action == "unit-begin" && !s.folded && st.isOfActor(s) {
			e.place = "" // it is said of the unit, above
		}
	case len(s.units) > 0:
		e.mark = unmarked
	default:
		e.alone = true
	}
	call, ok := t.call(st, i)
	switch n := len(s.Stack); {
	case !ok:
		return []entry{e}
	case n > 0 && s.Lock != "":
		// The body of a Lock method says less than the call of it.
		_, pos := splitCall(s.Stack[n-1])
		if m := lockCall.FindStringSubmatch(t.sources.line(pos)); m != nil {
			e.place, e.source = st.place(pos), deferred(m[1])
			return []entry{e}
		}
	}
	return []entry{call, e}
}

// boundary tells whether the step begins or ends a unit.
func (s storyStep) boundary() bool { return s.Action == "unit-begin" || s.Action == "unit-end" }

// lockCall matches source that says no more than that a lock is locked or unlocked.
var lockCall = regexp.MustCompile(`^(defer )?[\w.]+\.R?(?:Lock|Unlock)\(\)$`)

// source is the line of source of step i. It is empty where the goroutine's
// previous step was on the same line, and where it says no more than the action.
func (t *textWriter) source(st *story, i int) string {
	s := st.steps[i]
	source := t.sources.line(s.Pos)
	if s.boundary() {
		return ""
	}
	if p := st.previous(i); p >= 0 && st.place(st.steps[p].Pos) == st.place(s.Pos) && !st.steps[p].boundary() {
		return ""
	}
	if m := lockCall.FindStringSubmatch(source); m != nil && s.Lock != "" {
		return deferred(m[1])
	}
	return source
}

// deferred says of a lock operation that it is deferred, if it is: its position is
// not where it happens.
func deferred(keyword string) string {
	if keyword == "" {
		return ""
	}
	return "(defer)"
}

// call says that step i is in another function than the goroutine's previous step
// was, or than the unit itself, and where that function is called. ok is false if
// it is not.
func (t *textWriter) call(st *story, i int) (call entry, ok bool) {
	s := st.steps[i]
	if s.boundary() || s.Function == "" || len(s.units) == 0 {
		return entry{}, false
	}
	p, inside := st.previous(i), s.Function != st.unitFunction(i)
	if p >= 0 && st.steps[p].Function == s.Function || p >= 0 && st.steps[p].boundary() && !inside {
		return entry{}, false
	}
	call = entry{mark: unmarked, look: dim, alone: true}
	name := t.names.of(s.Function)
	if n := len(s.Stack); n > 0 && inside {
		_, pos := splitCall(s.Stack[n-1])
		source, place := t.sources.line(pos), st.place(pos)
		switch {
		case source != "":
			call.action = "at " + place + ": " + source
			return call, true
		case place != "":
			call.action = "call of " + name + " at " + place
			return call, true
		}
	}
	call.action = "in " + name
	return call, true
}

// unitFunction returns the function of the unit that step i is in.
func (st *story) unitFunction(i int) string {
	for p := st.previous(i); p >= 0; p = st.previous(p) {
		if st.steps[p].Action == "unit-begin" {
			return st.steps[p].Function
		}
	}
	return ""
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

// maxAligned is the longest action that the places of a column are aligned behind.
const maxAligned = 24

// alignment is the offset of the places of a column.
func alignment(entries []entry) int {
	n := 0
	for _, e := range entries {
		if w := utf8.RuneCountInString(e.action); !e.alone && w <= maxAligned {
			n = max(n, w)
		}
	}
	return n + len(unmarked) + 2
}

// naturalWidth is the width at which every entry has a single line.
func naturalWidth(entries []entry) int {
	n, aligned := 0, alignment(entries)
	for _, e := range entries {
		head, tail := e.oneLine(aligned)
		n = max(n, utf8.RuneCountInString(head+tail))
	}
	return n
}

// oneLine is an entry on one line: the action, and the place and the source.
func (e entry) oneLine(aligned int) (head, tail string) {
	head, tail = e.head(aligned)
	if e.source != "" {
		tail += "  " + e.source
	}
	return head, tail
}

// head is the action and the place, with what it takes to align it.
func (e entry) head(aligned int) (action, place string) {
	action = e.mark + e.action
	switch {
	case e.place == "":
		return action, ""
	case e.alone:
		return action, "  " + e.place
	}
	return action, strings.Repeat(" ", max(2, aligned-utf8.RuneCountInString(action))) + e.place
}

// lines lays an entry out in a column. What does not fit beside the action stands
// below it.
func (e entry) lines(width, aligned int) []line {
	const below = "      "
	length := utf8.RuneCountInString
	indent := len(e.mark) + 2
	if head, tail := e.oneLine(aligned); length(head+tail) <= width {
		return []line{{text: head, tail: tail, indent: indent, style: e.look}}
	}
	head, place := e.head(aligned)
	rest := e.source
	switch {
	case length(head+place) > width:
		place, rest = "", strings.TrimSpace(e.place+"  "+e.source)
	case rest == deferred("defer"): // not worth a line
		rest = ""
	}
	lines := []line{{text: head, tail: place, indent: indent, style: e.look}}
	if rest != "" {
		lines = append(lines, line{text: below + rest, indent: 2 * len(unmarked), style: dim})
	}
	return lines
}
