package scenarios

import "strings"

// consequences says, for each scenario of the table, what an occurrence of it
// means, in terms of the two units {u} and {v} and the locations {1} and {2}.
var consequences = map[int]string{
	1:  "{u} overwrites {1} on the strength of a value that was out of date, and what {v} wrote to {1} is lost",
	2:  "{u} works with two different values of {1} as if they were one",
	3:  "{v} goes on with a value of {1} that {u} was about to replace and nobody else was meant to see",
	4:  "{u} goes on with what {v} wrote to {1} instead of what it wrote itself",
	5:  "what {v} wrote to {1} is lost: {u}, which was in the middle of its work, wrote over it",
	6:  "{1} is left with the value from {v} and {2} with the value from {u}: two halves that do not belong together",
	7:  "{1} is left with the value from {v} and {2} with the value from {u}: two halves that do not belong together",
	8:  "{v} goes on with the new {1} and the old {2}, because {u} was only half done",
	9:  "{u} goes on with the old {1} and the new {2}: two values that never belonged together",
	10: "{u} goes on with the old {1} and the new {2}, because {v} was only half done",
	11: "{v} goes on with the old {2} and the new {1}: two values that never belonged together",
	12: "by {1}, {u} came first, and by {2}, {v} came first: had one of them run after the other, this could not have " +
		"happened",
}

// Consequence says in one clause what an occurrence of the scenario means, for
// the names of u, of u', of l1 and of l2 (scenarios of one location ignore it).
func (s Scenario) Consequence(u, v, l1, l2 string) string {
	return strings.NewReplacer("{u}", u, "{v}", v, "{1}", l1, "{2}", l2).Replace(consequences[s.Number])
}
