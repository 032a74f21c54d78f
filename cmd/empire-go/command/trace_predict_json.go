package command

import (
	"io"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/predict"
)

// predictionJSON is a prediction for machines.
type predictionJSON struct {
	Schema     int                      `json:"schema"`
	Tool       toolJSON                 `json:"tool"`
	Verdict    string                   `json:"verdict"`
	Whole      bool                     `json:"whole"` // the trace could be read to its end
	Events     int                      `json:"events"`
	Threads    int                      `json:"threads"`
	Blocks     blocksJSON               `json:"blocks"`
	Violations []predictedViolationJSON `json:"violations"`
	Scenarios  []predictedScenarioJSON  `json:"scenarios"`
	GivenUp    int                      `json:"givenUp"` // choices of events of scenarios

	// with --class
	Deadlocks        []predictedDeadlockJSON `json:"deadlocks,omitempty"`
	Races            []predictedRaceJSON     `json:"races,omitempty"`
	Swaps            []predictedSwapJSON     `json:"swaps,omitempty"`            // order violations and missed signals
	PreservedGivenUp int                     `json:"preservedGivenUp,omitempty"` // choices of locks and of accesses
}

type predictedDeadlockJSON struct {
	Class        string               `json:"class"`
	Definition   int                  `json:"definition"`
	Waits        []predictedWaitJSON  `json:"waits"` // each waits for the next one, the last for the first
	Steps        []predictedStepJSON  `json:"steps"`
	ID           string               `json:"id,omitempty"` // with --confirm, as the confirmation
	Confirmation *empire.Confirmation `json:"confirmation,omitempty"`
}

type predictedWaitJSON struct {
	predictedStepJSON
	Held *predictedStepJSON `json:"held,omitempty"` // with what the next one has taken the lock
}

type predictedRaceJSON struct {
	Class      string              `json:"class"`
	Definition int                 `json:"definition"`
	Seen       bool                `json:"seen"` // nothing orders the accesses in the observed run
	Accesses   []predictedStepJSON `json:"accesses"`
	Steps      []predictedStepJSON `json:"steps"`

	ID           string               `json:"id,omitempty"` // with --confirm, as the confirmation
	Confirmation *empire.Confirmation `json:"confirmation,omitempty"`
}

type predictedSwapJSON struct {
	Class      string              `json:"class"` // order or missed-signal
	Definition int                 `json:"definition"`
	What       string              `json:"what"`
	First      predictedStepJSON   `json:"first"` // what comes before then, or, if it is missing, has not been done yet
	Then       predictedStepJSON   `json:"then"`
	Missing    bool                `json:"missing"`
	Steps      []predictedStepJSON `json:"steps"`

	ID           string               `json:"id,omitempty"` // with --confirm, as the confirmation
	Confirmation *empire.Confirmation `json:"confirmation,omitempty"`
}

type blocksJSON struct {
	All      int `json:"all"`
	Violated int `json:"violated"`
	Static   int `json:"static"` // proved by the static check
	Search   int `json:"search"` // proved by search
	Bounded  int `json:"bounded"`
	Cut      int `json:"cut"`
	Segment  int `json:"segmentEvents"` // of all segments
	Paths    int `json:"paths"`
	Runs     int `json:"runs"`
}

type predictedViolationJSON struct {
	Thread string              `json:"thread"`
	Unit   string              `json:"unit,omitempty"`
	Begin  int                 `json:"begin"` // numbers of the first and the last access of the block
	End    int                 `json:"end"`
	Seen   bool                `json:"seen"` // in the observed run
	Blocks int                 `json:"blocks"`
	Steps  []predictedStepJSON `json:"steps"`
}

type predictedScenarioJSON struct {
	Scenario int                 `json:"scenario"`
	Pattern  *int                `json:"pattern"`
	Name     string              `json:"name"`
	Units    []string            `json:"units"`
	Threads  []string            `json:"threads"`
	Seen     bool                `json:"seen"`
	Steps    []predictedStepJSON `json:"steps"`

	ID           string               `json:"id,omitempty"` // with --confirm, as the confirmation
	Confirmation *empire.Confirmation `json:"confirmation,omitempty"`
}

type predictedStepJSON struct {
	Number   int    `json:"number"` // in the observed run
	Thread   string `json:"thread"`
	Event    string `json:"event"`
	Pos      string `json:"pos,omitempty"`
	Function string `json:"function,omitempty"`
	Path     bool   `json:"path"`
	InBlock  bool   `json:"inBlock"`
}

// writePredictionJSON writes a prediction, and what became of its scenarios when the program was led along them, if it
// was.
func writePredictionJSON(w io.Writer, r *predict.Report, confirmed *empire.Result) error {
	all := predictionJSON{Schema: 1, Tool: toolJSON{empire.Name, empire.Version}, Verdict: empire.VerdictSafe,
		Whole: r.EndsEarly == nil, Events: r.Events, Threads: r.Threads,
		Blocks:     blocksJSON{r.Blocks, r.Violated, r.Static, r.Atomic, r.Bounded, r.Cut, r.SegmentSize, r.Paths, r.Runs},
		Violations: []predictedViolationJSON{}, Scenarios: []predictedScenarioJSON{}, GivenUp: r.PatternsLeft}
	switch {
	case r.Found() > 0:
		all.Verdict = empire.VerdictViolation
	case !r.Known():
		all.Verdict = empire.VerdictUnknown
	}
	for _, v := range r.Violations {
		p := predictedViolationJSON{v.Block.Thread, v.Block.Name, v.Block.Begin, v.Block.End, v.Seen, v.Count, nil}
		p.Steps = stepsJSON(v.Steps)
		all.Violations = append(all.Violations, p)
	}
	outcomes := outcomesOf(confirmed)
	for _, v := range r.Patterns {
		p := predictedScenarioJSON{Scenario: v.Scenario.Number, Name: v.Scenario.Name, Seen: v.Seen,
			Steps: stepsJSON(v.Steps), ID: v.ID, Confirmation: outcomes[v.ID]}
		if n := v.Pattern.Number; n != 0 {
			p.Pattern = &n
		}
		for _, u := range v.Units {
			p.Units, p.Threads = append(p.Units, u.Name), append(p.Threads, u.Thread)
		}
		all.Scenarios = append(all.Scenarios, p)
	}
	for _, d := range r.Deadlocks {
		out := predictedDeadlockJSON{Class: "deadlock", Definition: 4, Steps: stepsJSON(d.Steps), ID: d.ID}
		out.Confirmation = blockingOutcome(confirmed, d.ID)
		for _, x := range d.Waits {
			wait := predictedWaitJSON{predictedStepJSON: stepJSON(x.Step)}
			if x.Held != nil {
				held := stepJSON(*x.Held)
				wait.Held = &held
			}
			out.Waits = append(out.Waits, wait)
		}
		all.Deadlocks = append(all.Deadlocks, out)
	}
	for _, race := range r.Races {
		all.Races = append(all.Races, predictedRaceJSON{Class: "data-race", Definition: 1, Seen: race.Seen,
			Accesses: stepsJSON(race.Accesses[:]), Steps: stepsJSON(race.Steps), ID: race.ID,
			Confirmation: blockingOutcome(confirmed, race.ID)})
	}
	for _, s := range r.Swaps {
		all.Swaps = append(all.Swaps, predictedSwapJSON{s.Class.Name, s.Class.Definition, s.What, stepJSON(s.First),
			stepJSON(s.Then), s.IsMissing, stepsJSON(s.Steps), s.ID, blockingOutcome(confirmed, s.ID)})
	}
	all.PreservedGivenUp = r.PreservedLeft
	return encodeJSON(w, all)
}

func stepsJSON(steps []predict.Step) (all []predictedStepJSON) {
	for _, s := range steps {
		all = append(all, stepJSON(s))
	}
	return all
}

func stepJSON(s predict.Step) predictedStepJSON {
	return predictedStepJSON{s.Number, s.Thread, s.Text, s.Pos, s.Code, s.Path, s.InBlock}
}

// blockingOutcome is what became of a finding about blocking; result may be nil.
func blockingOutcome(result *empire.Result, id string) *empire.Confirmation {
	if result == nil {
		return nil
	}
	for _, b := range result.Blocking {
		for _, f := range b.Findings {
			if f.ID == id {
				return f.Confirmation
			}
		}
	}
	return nil
}
