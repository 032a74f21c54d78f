package report

import (
	"encoding/json"
	"fmt"
	"io"

	empire "github.com/empire-go/empire-go"
)

// Stream writes what goes on as JSON, one event a line, as it happens. Each has the version of the
// form, "schema", and says in "event" what it is:
//
//	config    first: the tool, and what was asked for
//	progress  something begins; a reader may leave all of these out
//	finding   a violation, a data race or something about blocking that has just been found
//	summary   last: the result as JSON has it, with the causes and with what has been accepted
//
// A finding is written once, also if several clients of a library come to it.
type Stream struct {
	out  *json.Encoder
	sent map[string]bool
	err  error
}

// NewStream returns a stream that writes to w.
func NewStream(w io.Writer) *Stream {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return &Stream{out: out, sent: map[string]bool{}}
}

// streamed is a line of a stream.
type streamed struct {
	Schema int    `json:"schema"`
	Event  string `json:"event"`

	// config
	Tool       *empire.Tool       `json:"tool,omitempty"`
	Invocation *empire.Invocation `json:"invocation,omitempty"`

	// progress
	Phase string `json:"phase,omitempty"`
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`

	// finding
	Entry     string                 `json:"entry,omitempty"`
	Type      string                 `json:"type,omitempty"`
	Fields    []string               `json:"fields,omitempty"`
	Site      string                 `json:"site,omitempty"`
	Violation *empire.ScenarioResult `json:"violation,omitempty"`
	Race      *empire.Race           `json:"race,omitempty"`

	Blocking *empire.BlockingFinding `json:"blocking,omitempty"`

	// summary
	Result json.RawMessage `json:"result,omitempty"`
}

func (s *Stream) write(line streamed) {
	line.Schema = Schema
	if s.err == nil {
		s.err = s.out.Encode(line)
	}
}

// Observe writes an event of a request.
func (s *Stream) Observe(e empire.Event) {
	switch {
	case e.Begin != nil:
		begin := withoutNulls(*e.Begin)
		s.write(streamed{Event: "config", Tool: &begin.Tool, Invocation: &begin.Invocation})
	case e.Phase != nil:
		s.write(streamed{Event: "progress", Phase: e.Phase.What, Done: e.Phase.Done, Total: e.Phase.Total})
	case e.Answer != nil:
		q := withoutNulls(empire.Result{Queries: []empire.QueryResult{*e.Answer}}).Queries[0]
		for _, v := range q.Violations() {
			s.finding(q, v.ID, v, nil)
		}
		for i := range q.Races {
			s.finding(q, q.Races[i].ID, nil, &q.Races[i])
		}
	case e.Blocked != nil:
		b := withoutNulls(empire.Result{Blocking: []empire.BlockingResult{*e.Blocked}}).Blocking[0]
		for i := range b.Findings {
			s.once(b.Findings[i].ID, streamed{Entry: b.Entry, Blocking: &b.Findings[i]})
		}
	}
}

// finding writes one, unless it has been written.
func (s *Stream) finding(q empire.QueryResult, id string, v *empire.ScenarioResult, race *empire.Race) {
	s.once(fmt.Sprint(q.Type, q.Fields, q.Site, id), streamed{Entry: q.Entry, Type: q.Type, Fields: q.Fields, Site: q.Site,
		Violation: v, Race: race})
}

// once writes what was found, unless something with the key has been written.
func (s *Stream) once(key string, found streamed) {
	if !s.sent[key] {
		s.sent[key], found.Event = true, "finding"
		s.write(found)
	}
}

// Summary writes the last event. The error is the first one that there was in writing.
func (s *Stream) Summary(r *empire.Result) error {
	filled := withoutNulls(*r)
	SetCauses(&filled)
	text, err := json.Marshal(filled)
	if err != nil {
		return err
	}
	s.write(streamed{Event: "summary", Result: text})
	return s.err
}

// StreamOf writes a result that is there already.
func StreamOf(w io.Writer, r *empire.Result) error {
	s := NewStream(w)
	s.Observe(empire.Event{Begin: r})
	for i := range r.Queries {
		s.Observe(empire.Event{Answer: &r.Queries[i]})
	}
	for i := range r.Blocking {
		s.Observe(empire.Event{Blocked: &r.Blocking[i]})
	}
	return s.Summary(r)
}

// Read reads a result that JSON or a Stream has written. The error says what it is instead.
func Read(rd io.Reader) (*empire.Result, error) {
	in := json.NewDecoder(rd)
	var text json.RawMessage
	if err := in.Decode(&text); err != nil {
		return nil, fmt.Errorf("not a saved result: %w", err)
	}
	var line streamed
	if json.Unmarshal(text, &line) != nil || line.Event == "" {
		return fromJSON(text)
	}
	for line.Event != "summary" {
		line = streamed{}
		if err := in.Decode(&line); err == io.EOF {
			return nil, fmt.Errorf("is the beginning of a stream, without a summary: the check has not come to its end")
		} else if err != nil {
			return nil, fmt.Errorf("not a saved result: %w", err)
		}
	}
	return fromJSON(line.Result)
}
