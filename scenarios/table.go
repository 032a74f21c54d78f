package scenarios

// r and w build the events of the table: unit and location.
func r(u Unit, loc int) Event { return Event{u, Read, loc} }
func w(u Unit, loc int) Event { return Event{u, Write, loc} }

// Table is all scenarios, in the order of their numbers.
var Table = append(published[:len(published):len(published)], Scenario{
	ConflictCycle, "conflict-cycle",
	"Each of two units must come before the other: no serial order of the two explains what they read and wrote.",
	[]string{"1: if !c.closed {", "2: c.closed = true; c.state = stopped", "1: c.state = running // closed, and running"},
	conflictCycles(),
})

// published is the eleven scenarios of the papers.
var published = []Scenario{
	{1, "stale-update",
		"A unit updates a value that another unit has changed since it was read: the other update is lost.",
		[]string{"1: n := c.count", "2: c.count = 0", "1: c.count = n + 1"},
		[]Pattern{{1, []Event{r(U, 1), w(V, 1), w(U, 1)}}}},
	{2, "unrepeatable-read",
		"Two reads of one value in one unit differ, because another unit wrote it in between.",
		[]string{"1: if c.count > 0 {", "2: c.count = 0", "1: c.data[c.count-1] // count is 0 now"},
		[]Pattern{{2, []Event{r(U, 1), w(V, 1), r(U, 1)}}}},
	{3, "intermediate-read",
		"A unit sees a value that another unit was still working on.",
		[]string{"1: c.total = 0", "2: fmt.Println(c.total)", "1: c.total = sum"},
		[]Pattern{{3, []Event{w(U, 1), r(V, 1), w(U, 1)}}}},
	{4, "overwritten-before-read",
		"A unit does not read back what it wrote, because another unit overwrote it.",
		[]string{"1: c.current = a", "2: c.current = b", "1: use(c.current) // b, not a"},
		[]Pattern{{4, []Event{w(U, 1), w(V, 1), r(U, 1)}}}},
	{5, "lost-write",
		"The value that a unit wrote is overwritten by another unit that was already in the middle of writing.",
		[]string{"1: c.state = busy", "2: c.state = closed", "1: c.state = idle // closed is lost"},
		[]Pattern{{5, []Event{w(U, 1), w(V, 1), w(U, 1)}}}},
	{6, "inconsistent-write",
		"Two units write the same fields at the same time; one field keeps the value of one unit, another field that of " +
			"the other.",
		[]string{"1: c.count = 1", "2: c.count, c.data = 0, nil", "1: c.data = one // count is 0, data has one"},
		[]Pattern{
			{6, []Event{w(U, 1), w(V, 1), w(V, 2), w(U, 2)}},
			{7, []Event{w(U, 1), w(V, 2), w(V, 1), w(U, 2)}},
		}},
	{7, "crossed-write",
		"Two units write the same fields in opposite order; each field keeps the value of a different unit.",
		[]string{"1: c.a = 1", "2: c.b = 2", "1: c.b = 1", "2: c.a = 2"},
		[]Pattern{{8, []Event{w(U, 1), w(V, 2), w(U, 2), w(V, 1)}}}},
	{8, "inconsistent-observation",
		"A unit reads several fields while another unit has written only some of them.",
		[]string{"1: c.count = n", "2: print(c.count, c.data)", "1: c.data = items"},
		[]Pattern{
			{9, []Event{w(U, 1), r(V, 1), r(V, 2), w(U, 2)}},
			{10, []Event{w(U, 1), r(V, 2), r(V, 1), w(U, 2)}},
		}},
	{9, "inconsistent-read",
		"A unit reads one field before and another field after another unit changed both: the two values never belonged " +
			"together.",
		[]string{"1: n := c.count", "2: c.count, c.data = 0, nil", "1: c.data[n-1]"},
		[]Pattern{
			{11, []Event{r(U, 1), w(V, 1), w(V, 2), r(U, 2)}},
			{12, []Event{r(U, 1), w(V, 2), w(V, 1), r(U, 2)}},
		}},
	{10, "crossed-read",
		"A unit reads one field before and another field in the middle of another unit's writes: it sees half of the change.",
		[]string{"1: n := c.count", "2: c.data = nil", "1: c.data[n-1]", "2: c.count = 0"},
		[]Pattern{{13, []Event{r(U, 1), w(V, 2), r(U, 2), w(V, 1)}}}},
	{11, "crossed-observation",
		"A unit reads one field before and another field after they were written by another unit that is still at work.",
		[]string{"1: c.count = 0", "2: d := c.data", "1: c.data = nil", "2: d[c.count]"},
		[]Pattern{{14, []Event{w(U, 1), r(V, 2), w(U, 2), r(V, 1)}}}},
}

// conflictCycles returns the patterns of scenario 12 that are none of the
// fourteen: op_u(l1) before op_u'(l1) and op_u'(l2) before op_u(l2), a write in
// each of the two pairs, in each order of the four events.
func conflictCycles() []Pattern {
	conflicts := [][2]Kind{{Read, Write}, {Write, Read}, {Write, Write}}
	var patterns []Pattern
	for _, one := range conflicts {
		for _, two := range conflicts {
			u1, v1 := Event{U, one[0], 1}, Event{V, one[1], 1}
			v2, u2 := Event{V, two[0], 2}, Event{U, two[1], 2}
			for _, order := range [][]Event{
				{u1, v1, v2, u2}, {u1, v2, v1, u2}, {u1, v2, u2, v1},
				{v2, u2, u1, v1}, {v2, u1, u2, v1}, {v2, u1, v1, u2},
			} {
				if !isNumbered(order) {
					patterns = append(patterns, Pattern{0, order})
				}
			}
		}
	}
	return patterns
}

// isNumbered tells whether the events are one of the patterns 6 to 14, up to the
// names of the two units and of the two locations.
func isNumbered(events []Event) bool {
	first := events[0]
	for _, s := range published {
		for _, p := range s.Patterns {
			same := len(p.Events) == len(events)
			for i := 0; same && i < len(events); i++ {
				e, f := events[i], p.Events[i]
				same = e.Kind == f.Kind && (e.Unit == first.Unit) == (f.Unit == U) && (e.Loc == first.Loc) == (f.Loc == 1)
			}
			if same {
				return true
			}
		}
	}
	return false
}
