package steer

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	empire "github.com/empire-go/empire-go"
)

// scheduleSchema is the version of the form of a Schedule.
const scheduleSchema = 1

// Schedule is a run that can be repeated: the program, what was confirmed on it, and who ran
// from which point on. Its JSON form is the schedule file.
type Schedule struct {
	Schema int         `json:"schema"`
	Tool   empire.Tool `json:"tool"`
	Go     string      `json:"go"` // version of the tool chain

	Program Target `json:"program"`

	ID        string   `json:"id"` // of the violation
	Type      string   `json:"type"`
	Fields    []string `json:"fields"`
	Scenario  int      `json:"scenario"`
	Pattern   int      `json:"pattern,omitempty"`
	Units     []string `json:"units"`
	Locations []string `json:"locations"`

	Args    []string `json:"args,omitempty"`   // of the program
	Seed    uint64   `json:"seed,omitempty"`   // of what the runtime chooses at random
	Points  int      `json:"points,omitempty"` // that the run might have, at most
	Sources string   `json:"sources"`          // digest of the code that was instrumented
	Choices []string `json:"choices"`          // "point:goroutine": from that point on the goroutine runs
	Digest  string   `json:"digest"`           // of all points of the run: who did what where
}

// WriteSchedule writes a schedule file.
func WriteSchedule(name string, s *Schedule) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}

// ReadSchedule reads the schedule in a file; errors begin with its name.
func ReadSchedule(name string, file io.Reader) (*Schedule, error) {
	decoder := json.NewDecoder(file)
	s := &Schedule{}
	if err := decoder.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: no schedule (%w); write a file that empire-go confirm has written", name, err)
	}
	if s.Schema != scheduleSchema || len(s.Choices) == 0 {
		return nil, fmt.Errorf("%s: no schedule of a form that this version knows; confirm the violation again", name)
	}
	return s, nil
}
