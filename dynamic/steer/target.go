package steer

// Target is a program as it is built to be steered: what runs, and what is watched.
type Target struct {
	Package string `json:"package"`          // import path: of a main package, of the package under test, or of a library
	Test    bool   `json:"test,omitempty"`   // its tests run
	Client  string `json:"client,omitempty"` // the text of a main package that calls it
	Tags    string `json:"tags,omitempty"`

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
