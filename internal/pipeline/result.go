package pipeline

import (
	"fmt"
	"slices"
)

// Result is the answer to a Request. Its JSON form is the contract of
// --format json: fields may be added, none is renamed, and a saved result can be
// rendered again. Positions are slash-separated and relative to ModuleRootDir.
type Result struct {
	Schema     int        `json:"schema"` // 1
	Tool       Tool       `json:"tool"`
	Invocation Invocation `json:"invocation"`
	ModuleRoot string     `json:"moduleRoot"` // the module path
	Verdict    string     `json:"verdict"`    // VerdictViolation, VerdictSafe or VerdictUnknown
	Errors     []string   `json:"errors"`
	// what a request that names no set leaves out though it has a lock, and why
	NotChecked []string      `json:"notChecked,omitempty"`
	Queries    []QueryResult `json:"queries"`
	// what was asked of classes by name; else what was found beside atomic sets, or all that was known if there are none
	Blocking []BlockingResult `json:"blocking,omitempty"`
	Calls    *Extent          `json:"calls,omitempty"`    // of functions that were asked about blocking
	Programs *Extent          `json:"programs,omitempty"` // and clients that were, beside atomic sets
	Causes   []Cause          `json:"causes,omitempty"`   // of the violations, in a written result
	Ignores  []Ignore         `json:"ignores,omitempty"`  // comments that accept violations
	Run      *RunStats        `json:"run,omitempty"`      // of an answer about a run of the program
	Timings  *Timings         `json:"ms,omitempty"`
	PeakMiB  float64          `json:"peakMiB,omitempty"`
	LoadPeak float64          `json:"loadPeakMiB,omitempty"` // when the program was loaded and built

	ModuleRootDir string `json:"-"` // where the sources are, for renderers that show lines of them
}

// IsRun tells whether it is an answer about a run of the program.
func (r *Result) IsRun() bool {
	return r.Run != nil || slices.ContainsFunc(r.Blocking, func(b BlockingResult) bool { return b.IsRun })
}

// The three verdicts, in JSON and text.
const (
	VerdictViolation = "violation"
	VerdictSafe      = "safe"
	VerdictUnknown   = "unknown"
)

// Tool identifies the program that made a result.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Invocation is what was asked for.
type Invocation struct {
	Dir      string   `json:"dir"`
	Packages []string `json:"packages"`
	Tags     string   `json:"tags"`
	Go       string   `json:"go"`
	Policies Policies `json:"policies"`
	Patterns []int    `json:"patterns,omitempty"` // the patterns asked for, where they are not whole scenarios
}

// Policies are the choices that the meaning of a verdict depends on.
type Policies struct {
	Units   string `json:"units"`
	UnitFor string `json:"unitfor"`
	Locks   string `json:"locks"`
	Strict  bool   `json:"strict,omitempty"`
	Copies  int    `json:"copies"`
}

// QueryResult is the answer to one query: a type, its atomic set, a site. A query of
// which all violations are notes has the verdict of its other scenarios: notes have no
// effect on the exit status.
type QueryResult struct {
	// the program that was checked: a main package, "p.test", or "clients of p.T"
	Entry       string       `json:"entry,omitempty"`
	Type        string       `json:"type"`
	Fields      []string     `json:"fields"`
	Site        string       `json:"site"`
	Sites       []string     `json:"sites,omitempty"` // of objects of many sites that are asked about together
	Verdict     string       `json:"verdict"`
	Reason      string       `json:"reason,omitempty"` // of an unknown verdict
	DataRace    bool         `json:"dataRace"`
	Class       string       `json:"class,omitempty"` // "data-race": what is asked, in the place of scenarios
	Open        []string     `json:"open,omitempty"`  // locations of which it is not known, where others are in a race
	Race        []Step       `json:"race,omitempty"`  // the two accesses of a data race, enabled at the same moment
	Races       []Race       `json:"races,omitempty"`
	Model       ModelSize    `json:"model"`
	Assumptions []Assumption `json:"assumptions"`
	// with a safe query: the precision rules that its model rests on, see explain --rules
	RestsOn []string `json:"restsOn,omitempty"`
	// the rules that a bound has switched off somewhere in the program
	SwitchedOff []string         `json:"switchedOff,omitempty"`
	Scenarios   []ScenarioResult `json:"scenarios"`
	// with Request.All: of each scenario a violation for each choice of accesses of two units that show it; AllKnown
	// tells whether these are all
	All      []ScenarioResult `json:"all,omitempty"`
	AllKnown bool             `json:"allKnown,omitempty"`
	IsCutOff bool             `json:"-"` // there was not enough work to decide the scenarios
}

// Violations returns the violations of a query: of each scenario the one that does the worst harm, then its
// others.
func (q *QueryResult) Violations() (all []*ScenarioResult) {
	for i := range q.Scenarios {
		s := &q.Scenarios[i]
		if s.Verdict == VerdictViolation {
			all = append(all, s)
		}
		for j := range s.Others {
			all = append(all, &s.Others[j])
		}
	}
	return all
}

// Race is a data race on the atomic set: two accesses, not both of them reads, that nothing orders.
// Its outcome is not that of any order of the units, as Go's memory model gives it none.
type Race struct {
	Accesses []Step      `json:"accesses"`     // two
	ID       string      `json:"id,omitempty"` // stable under moved lines
	Level    string      `json:"level"`        // "error": it counts; "warning": synchronisation may have been overlooked
	Harm     *Harm       `json:"harm"`
	Accepted *Acceptance `json:"accepted,omitempty"`
}

// Acceptance says that a violation is known, and why it counts no more.
type Acceptance struct {
	By      string `json:"by"`    // AcceptedByComment, AcceptedByBaseline, or AcceptedAsOld
	Where   string `json:"where"` // the position of the comment, the file, or the revision that had it already
	Reason  string `json:"reason,omitempty"`
	Who     string `json:"who,omitempty"`
	Expires string `json:"expires,omitempty"` // the day until which it is accepted, as 2026-12-31
}

// The values of Acceptance.By.
const (
	AcceptedByComment  = "comment"
	AcceptedByBaseline = "baseline"
	AcceptedAsOld      = "revision"
)

// Ignore is a comment //empire:ignore.
type Ignore struct {
	ID     string `json:"id"` // of a violation, or of the cause of several
	Reason string `json:"reason"`
	Pos    string `json:"pos"`
	Lines  [2]int `json:"lines"` // the first and the last that it is about
	Named  bool   `json:"named"` // it is in a package that was named, not only imported
}

// Cause is what violations have in common that one change of the program would mend: a
// unit of work that others come between, or that comes between others without their lock.
type Cause struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Unit       string `json:"unit"`
	Level      string `json:"level"`          // that of its violations
	Harm       string `json:"harm,omitempty"` // the worst that they do: Harm.Status
	Violations int    `json:"violations"`     // how many
	Shown      string `json:"shown"`          // the id of the most telling one
}

// ModelSize is the numbers of the Empire report's Table 2, and the size of the
// ESL program.
type ModelSize struct {
	CallGraphNodes   int `json:"callGraphNodes"`
	Instructions     int `json:"instructions"`
	KeptNodes        int `json:"keptNodes"`
	KeptInstructions int `json:"keptInstructions"`
	Goroutines       int `json:"goroutines"`
	Locks            int `json:"locks"`
	Channels         int `json:"channels,omitempty"`
	Locations        int `json:"locations"`
	Units            int `json:"units"`
}

// Assumption is something that the verdict relies on.
type Assumption struct {
	Kind string `json:"kind"`
	Pos  string `json:"pos"`
	Text string `json:"text"`
}

// ScenarioResult is the verdict on one scenario.
type ScenarioResult struct {
	Scenario int    `json:"scenario"`
	Pattern  *int   `json:"pattern"` // nil when safe, and for scenario 12
	Name     string `json:"name"`
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason,omitempty"` // of an unknown verdict
	ID       string `json:"id,omitempty"`     // stable under moved lines
	Cause    string `json:"cause,omitempty"`  // the id of its cause, in a written result
	// "error", or "note": it is shown last and does not count, see Note
	Level          string   `json:"level,omitempty"`
	Note           string   `json:"note,omitempty"` // of a note: why it is one, as NoteOutput
	Class          string   `json:"class"`
	DataRace       bool     `json:"dataRace"`
	DecidedBy      string   `json:"decidedBy"`
	Locations      []string `json:"locations,omitempty"` // fields; with PartSuffix, what a field leads to
	Units          []string `json:"units,omitempty"`     // u and u'
	Counterexample []Step   `json:"counterexample,omitempty"`
	Harm           *Harm    `json:"harm,omitempty"`
	// other pairs of units that do harm in the same scenario, each of which is told for one scenario only
	Others       []ScenarioResult `json:"others,omitempty"`
	Confirmation *Confirmation    `json:"confirmation,omitempty"`
	Accepted     *Acceptance      `json:"accepted,omitempty"`
	Fix          *Fix             `json:"fix,omitempty"`

	Loose []loosePart `json:"-"` // of a model: what is not followed, and has a part in why it is open
}

// Fix is a change of one file that ends a violation: the changed program has been checked.
type Fix struct {
	What      string `json:"what"`
	File      string `json:"file"`
	FirstLine int    `json:"firstLine"` // of those that are replaced, from 1
	LastLine  int    `json:"lastLine"`  // one less than the first if lines are only added
	Text      string `json:"text"`      // what is there instead
}

// The values of Harm.Status.
const (
	HarmSeen     = "seen"     // a run of the program did it
	HarmPossible = "possible" // a start is known from which it happens
	HarmUnknown  = "unknown"
	HarmNone     = "none" // a violation by the letter only
)

// Harm tells whether an interleaving of the two units of a violation does what no order of them
// does, from the same start.
type Harm struct {
	Status string `json:"status"`           // one of the above
	Reason string `json:"reason,omitempty"` // of "unknown" and "none"

	// Of a library, what shows it: Go statements, with the packages by their names. Start makes the
	// object, "o", and brings it into the state from which the two calls start at the same time.
	Start   []string `json:"start,omitempty"`
	Calls   []string `json:"calls,omitempty"`
	Imports []string `json:"imports,omitempty"` // "name path" of each package that the statements name

	Expected []string `json:"expected,omitempty"` // the outcome of each order of the units
	Actual   string   `json:"actual,omitempty"`   // that of the interleaving
	// goroutines by their numbers in Calls, in the order in which they go on: from one access of
	// shared memory or synchronisation to the next one
	Schedule []int `json:"schedule,omitempty"`
}

// Step is one step of a counterexample.
type Step struct {
	Step      int      `json:"step"`      // from 1; 0 of an access in a data race
	Goroutine string   `json:"goroutine"` // "main", "g1", ...
	Instance  int      `json:"instance"`  // from 1: which copy of a go statement that is repeated
	Function  string   `json:"function"`
	Stack     []string `json:"stack"` // callers, outermost first, as "main.main main.go:12:3"
	// start, lock, unlock, rlock, runlock, read, write, rmw, send, recv, close, wait, unit-begin,
	// unit-end
	Action   string `json:"action"`
	Location string `json:"location"`          // field, of read, write, rmw
	Memory   string `json:"memory,omitempty"`  // what of it, where the field leads to other objects: as "Session.hits"
	Key      string `json:"key,omitempty"`     // of the entry of a map that is accessed, where it has a name: as "id"
	Lock     string `json:"lock"`              // of lock operations
	Channel  string `json:"channel,omitempty"` // of send, recv and close
	Closed   bool   `json:"closed,omitempty"`  // of recv: the channel is closed and empty
	Object   string `json:"object"`            // the allocation site of the object accessed or locked, or the unit's
	Unit     string `json:"unit,omitempty"`    // of unit-begin and unit-end: the unit
	Text     string `json:"text,omitempty"`    // of what has neither lock nor channel: in words, "count wg down"
	Target   string `json:"target,omitempty"`  // of start and wait: the goroutine
	Pos      string `json:"pos"`
	Event    int    `json:"event,omitempty"` // from 1: which event of the pattern it matches
}

// actor names the goroutine, and which copy of it.
func (s *Step) actor() string { return fmt.Sprintf("%s %d", s.Goroutine, s.Instance) }

// RunStats is what a run consisted of.
type RunStats struct {
	Events       uint64  `json:"events"`       // accesses to what was watched, as far as they were recorded
	Private      uint64  `json:"private"`      // of them those to objects that no other goroutine could reach
	Goroutines   int     `json:"goroutines"`   // that accessed it, or synchronised
	Units        uint64  `json:"units"`        // units of work with an access
	MaxTuples    int     `json:"maxTuples"`    // the most tuples of units and locations at once (Hammer et al., Table 1)
	AverageDepth float64 `json:"averageDepth"` // of the stack of units at an access
	// pairs of units that were not looked at, because too many were alive at once
	Unpaired uint64 `json:"unpaired"`
	Lost     uint64 `json:"lost"`    // records that are in no order, because others are missing
	Damaged  uint64 `json:"damaged"` // places where the record of the run cannot be read
	Torn     uint64 `json:"torn"`    // bytes of a block that was not written to its end
	Open     int    `json:"open"`    // goroutines that had not ended
	// NoEnd tells that a trace that was kept does not say that its program had ended: it may have been cut off.
	NoEnd bool `json:"noEnd,omitempty"`
	// Reduced tells that the program has left out what can be a part of no pattern: the counts are of the rest.
	Reduced bool `json:"reduced,omitempty"`
}

// IsWhole tells whether the record of the run could be read from its beginning to its end.
func (s *RunStats) IsWhole() bool {
	return s == nil || s.Lost == 0 && s.Damaged == 0 && s.Torn == 0 && !s.NoEnd
}

// The values of Confirmation.Status.
const (
	Confirmed    = "confirmed"
	NotConfirmed = "not confirmed"
	NotTried     = "not tried"
)

// Confirmation tells whether a real run was seen to do it.
type Confirmation struct {
	Status     string `json:"status"`           // Confirmed, NotConfirmed or NotTried
	Schedule   string `json:"schedule"`         // of one that was confirmed by a led run: what empire-go replay takes
	DivergedAt int    `json:"divergedAt"`       // of one that is not confirmed: the step that no run came to
	Reason     string `json:"reason,omitempty"` // why it is not confirmed, or not tried; or in which run that was not led
}

// Timings are in milliseconds.
type Timings struct {
	Load       float64 `json:"load"`
	SSA        float64 `json:"ssa"`
	PointsTo   float64 `json:"pointsTo"`             // Base and Refine
	Base       float64 `json:"base,omitempty"`       // the solution of each program that its queries share
	Refine     float64 `json:"refine,omitempty"`     // its refinements for the types
	Blocking   float64 `json:"blocking,omitempty"`   // looking for what blocks
	Candidates float64 `json:"candidates,omitempty"` // finding what to check, where the request does not say
	Reduce     float64 `json:"reduce"`
	Lower      float64 `json:"lower"`
	Check      float64 `json:"check"`
	Total      float64 `json:"total"` // from the beginning of Run to its end
	// queries whose answers, or verdicts, are from an earlier run
	Reused int `json:"reused,omitempty"`
}
