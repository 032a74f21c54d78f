package command

import (
	"encoding/json"
	"io"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/cooperable"
)

// cooperableJSON is the result for machines.
type cooperableJSON struct {
	Schema  int             `json:"schema"`
	Tool    toolJSON        `json:"tool"`
	Verdict string          `json:"verdict"` // of all traces
	Traces  []coopTraceJSON `json:"traces"`
}

type coopTraceJSON struct {
	File         string          `json:"file"`
	Verdict      string          `json:"verdict"` // "violation" also where yields were inferred
	Inferred     bool            `json:"inferred"`
	Unit         string          `json:"unit"` // what numbers count: "line" or "event"
	Events       int             `json:"events"`
	Transactions int             `json:"transactions"`
	Threads      int             `json:"threads"`
	Implicit     int             `json:"implicitYields"`
	Missing      int             `json:"missing"` // each time
	Cut          string          `json:"cut,omitempty"`
	Places       []coopPlaceJSON `json:"places"`
	Races        []coopRaceJSON  `json:"races"` // accesses that nothing orders
}

type coopRaceJSON struct {
	First  coopEventJSON `json:"first"`
	Second coopEventJSON `json:"second"`
	Count  int           `json:"count"`
	Known  bool          `json:"orderKnown"` // which was first
}

type coopPlaceJSON struct {
	Pos       string          `json:"pos"`
	Function  string          `json:"function,omitempty"`
	Yield     string          `json:"yield"` // as a file of --yields has it; "" where the trace has no places
	Event     coopEventJSON   `json:"event"`
	Count     int             `json:"count"`
	Needed    bool            `json:"needed"`
	InBlock   bool            `json:"inBlock"`
	NotAtomic []string        `json:"notAtomic"`
	After     []coopAfterJSON `json:"after"`
	Cycle     []coopEdgeJSON  `json:"cycle"`
}

type coopAfterJSON struct {
	With  string `json:"with"`
	Count int    `json:"count"`
}

type coopEventJSON struct {
	Thread   string `json:"thread"`
	Number   int    `json:"number"`
	Event    string `json:"event"`
	Pos      string `json:"pos"`
	Function string `json:"function,omitempty"`
}

type coopEdgeJSON struct {
	Thread string        `json:"thread"`
	Begin  int           `json:"begin"`
	Last   int           `json:"last"`
	Before coopEventJSON `json:"before"`
	After  coopEventJSON `json:"after"`
}

func writeCooperableJSON(w io.Writer, runs []*cooperableRun, inferred bool) error {
	all := cooperableJSON{Schema: 1, Tool: toolJSON{empire.Name, empire.Version}, Verdict: "safe",
		Traces: []coopTraceJSON{}}
	for _, r := range runs {
		t := newCoopTraceJSON(r, inferred)
		if t.Verdict == "violation" || all.Verdict == "safe" {
			all.Verdict = t.Verdict
		}
		all.Traces = append(all.Traces, t)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(all)
}

func newCoopTraceJSON(r *cooperableRun, inferred bool) coopTraceJSON {
	p, s := r.report, r.report.Stats
	t := coopTraceJSON{File: r.name, Verdict: "safe", Inferred: inferred, Unit: p.Unit, Events: s.Events,
		Transactions: s.Transactions, Threads: s.Threads, Implicit: s.Implicit, Missing: s.Violations, Cut: p.Cut,
		Places: []coopPlaceJSON{}, Races: []coopRaceJSON{}}
	for _, race := range p.Races {
		t.Races = append(t.Races, coopRaceJSON{newCoopEventJSON(race.First), newCoopEventJSON(race.Second), race.Count,
			race.Known})
	}
	switch {
	case len(p.Places) > 0:
		t.Verdict = "violation"
	case p.Cut != "", len(p.Races) > 0:
		t.Verdict = "unknown"
	}
	for _, m := range p.Places {
		at := coopPlaceJSON{Pos: m.Where.Pos, Function: m.Where.Function, Event: newCoopEventJSON(m.Event), Count: m.Count,
			Needed: m.Needed, InBlock: m.InBlock, NotAtomic: append([]string{}, m.Functions...), After: []coopAfterJSON{},
			Cycle: []coopEdgeJSON{}}
		if m.Where.Pos != "" {
			at.Yield = m.Line()
		}
		for _, c := range m.Conflicts {
			at.After = append(at.After, coopAfterJSON(c))
		}
		for _, e := range m.Cycle {
			at.Cycle = append(at.Cycle, coopEdgeJSON{e.Thread, e.Begin, e.Last, newCoopEventJSON(e.Before),
				newCoopEventJSON(e.After)})
		}
		t.Places = append(t.Places, at)
	}
	return t
}

func newCoopEventJSON(e cooperable.Event) coopEventJSON {
	return coopEventJSON{e.Thread, e.Number, e.Text, e.Where.Pos, e.Where.Function}
}
