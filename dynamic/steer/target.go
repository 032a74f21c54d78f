package steer

import empire "github.com/empire-go/empire-go"

// Target is a program as it is built to be steered: what runs, and what is watched.
type Target struct {
	// import path: of a main package, of the package under test, or of a library
	Package string          `json:"package"`
	Test    bool            `json:"test,omitempty"`   // its tests run
	Client  string          `json:"client,omitempty"` // the text of a main package that calls it
	Trials  []*empire.Trial `json:"-"`                // or experiments with it, a program for each
	Tags    string          `json:"tags,omitempty"`

	Watched []Watched `json:"watched"`
	Units   string    `json:"units"`
	UnitFor string    `json:"unitfor"`
	Strict  bool      `json:"strict,omitempty"`
}

// Watched is an atomic set.
type Watched struct {
	Type   string   `json:"type,omitempty"`
	Fields []string `json:"fields,omitempty"`
	Vars   []string `json:"vars,omitempty"`
}
