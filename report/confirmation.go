package report

import (
	"fmt"

	empire "github.com/empire-go/empire-go"
)

// confirmation says whether a run was seen to do it; "" if nobody has tried.
func confirmation(s *empire.ScenarioResult) string {
	c := s.Confirmation
	if c == nil {
		return ""
	}
	switch {
	case c.Status == empire.Confirmed && c.Schedule != "":
		return fmt.Sprintf("Confirmed: a run of the program did this. To repeat it: empire-go replay %s", c.Schedule)
	case c.Status == empire.Confirmed && c.Reason != "":
		return fmt.Sprintf("Confirmed: the program did this %s.", c.Reason)
	case c.Status == empire.Confirmed:
		return "Confirmed: a run of the program did this."
	case c.Status == empire.NotConfirmed:
		return fmt.Sprintf("Not confirmed: %s%s. That refutes nothing.", c.Reason, missed(s))
	case c.Reason != "":
		return fmt.Sprintf("Not tried on a run: %s.", c.Reason)
	}
	return ""
}

// missed names the step that no run came to.
func missed(s *empire.ScenarioResult) string {
	for _, step := range s.Counterexample {
		if step.Step == s.Confirmation.DivergedAt {
			return fmt.Sprintf("; none came to the %s of %s at %s", step.Action, step.Location, step.Pos)
		}
	}
	return ""
}
