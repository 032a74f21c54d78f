package empire

import "github.com/empire-go/empire-go/internal/pipeline"

// Name and Version of the tool, as in a Result.
const (
	Name    = pipeline.Name
	Version = pipeline.Version
)

// What is asked.
type (
	// Request says what is to be checked. The zero value of a field means its default.
	Request = pipeline.Request
	// Event is what Request.Observe is told.
	Event = pipeline.Event
	// Phase is what begins.
	Phase = pipeline.Phase
	// Session is packages that were loaded once, about which many requests are made.
	Session = pipeline.Session
	// Program is a program that a request is about: a main package, tests, clients of a library.
	Program = pipeline.Program
	// Query is one question about a program: of one atomic set, at one allocation site.
	Query = pipeline.Query
	// Sets says which atomic sets of a type are asked about where no fields are named.
	Sets = pipeline.Sets
)

// The defaults of a Request.
const (
	DefaultCopies  = pipeline.DefaultCopies
	DefaultClients = pipeline.DefaultClients
	DefaultTimeout = pipeline.DefaultTimeout
	DefaultBudget  = pipeline.DefaultBudget
	NoBudget       = pipeline.NoBudget
	DefaultMemory  = pipeline.DefaultMemory
)

// The ways to form atomic sets.
const (
	DefaultSets = pipeline.DefaultSets // as for check
	EachField   = pipeline.EachField   // every field by itself
	FieldPairs  = pipeline.FieldPairs  // every two fields
	AllFields   = pipeline.AllFields   // one set of all fields that are not synchronisation
)

// What is answered.
type (
	// Result is the answer to a Request. Its JSON form is the contract of --format json.
	Result = pipeline.Result
	// Tool identifies the program that made a result.
	Tool = pipeline.Tool
	// Invocation is what was asked for.
	Invocation = pipeline.Invocation
	// Policies are the choices that the meaning of a verdict depends on.
	Policies = pipeline.Policies
	// QueryResult is the answer to one query: a type, its atomic set, a site.
	QueryResult = pipeline.QueryResult
	// BlockingResult tells whether goroutines of a program can be blocked for ever.
	BlockingResult = pipeline.BlockingResult
	// Extent is how many programs, or calls of functions, were asked about blocking.
	Extent = pipeline.Extent
	// BlockingFinding is a run after which goroutines are blocked for ever.
	BlockingFinding = pipeline.BlockingFinding
	// SettledLock says of the locks of one name whether it is certain that nobody waits for one of them for ever.
	SettledLock = pipeline.SettledLock
	// Waiting is a goroutine that waits.
	Waiting = pipeline.Waiting
	// WaitsFor says whom a goroutine waits for.
	WaitsFor = pipeline.WaitsFor
	// ScenarioResult is the verdict on one scenario.
	ScenarioResult = pipeline.ScenarioResult
	// Step is one step of a counterexample.
	Step = pipeline.Step
	// Race is a data race on the atomic set of a query.
	Race = pipeline.Race
	// Cause is what violations have in common that one change of the program would mend.
	Cause = pipeline.Cause
	// Acceptance says that a violation is known, and why it counts no more.
	Acceptance = pipeline.Acceptance
	// Ignore is a comment that accepts a violation.
	Ignore = pipeline.Ignore
	// Assumption is something that the verdict relies on.
	Assumption = pipeline.Assumption
	// ModelSize is the numbers of the Empire report's Table 2, and the size of the ESL program.
	ModelSize = pipeline.ModelSize
	// RunStats is what a run consisted of.
	RunStats = pipeline.RunStats
	// Fix is a change of the program that ends a violation.
	Fix = pipeline.Fix
	// Harm tells whether a violation does what no order of its units does.
	Harm = pipeline.Harm
	// Trial is the source of a program for experiments with an object of a library.
	Trial = pipeline.Trial
	// TrialStep is a function of a Trial.
	TrialStep = pipeline.TrialStep
	// Confirmation tells whether a real run was seen to do it.
	Confirmation = pipeline.Confirmation
	// Timings are in milliseconds.
	Timings = pipeline.Timings
)

// The three verdicts, in JSON and text.
const (
	VerdictViolation = pipeline.VerdictViolation
	VerdictSafe      = pipeline.VerdictSafe
	VerdictUnknown   = pipeline.VerdictUnknown
)

// The values of ScenarioResult.Note.
const (
	NoteOutput  = pipeline.NoteOutput
	NotePassing = pipeline.NotePassing
	NoteLibrary = pipeline.NoteLibrary
)

// The values of Harm.Status.
const (
	HarmSeen     = pipeline.HarmSeen
	HarmPossible = pipeline.HarmPossible
	HarmUnknown  = pipeline.HarmUnknown
	HarmNone     = pipeline.HarmNone
)

// The values of Confirmation.Status.
const (
	Confirmed    = pipeline.Confirmed
	NotConfirmed = pipeline.NotConfirmed
	NotTried     = pipeline.NotTried
)

// The values of Acceptance.By.
const (
	AcceptedByComment  = pipeline.AcceptedByComment
	AcceptedByBaseline = pipeline.AcceptedByBaseline
	AcceptedAsOld      = pipeline.AcceptedAsOld
)

// Harms are these values, the worst first.
var Harms = pipeline.Harms

// PartSuffix ends the name of a location that is what a field leads to, as far as it is
// told apart from the field since those objects have locks of their own: "sessions.*".
const PartSuffix = pipeline.PartSuffix

// HeldSuffix ends the name of a location that is what a field leads to, in answers about data races: "sessions[...]".
const HeldSuffix = pipeline.HeldSuffix

// What is worth checking.
type (
	// CandidateResult is the answer of Candidates.
	CandidateResult = pipeline.CandidateResult
	// Candidate is an atomic set that is worth checking, and why.
	Candidate = pipeline.Candidate
	// CandidateSite is where an object of the type is made.
	CandidateSite = pipeline.CandidateSite
	// DisciplineResult is the answer of LockDisciplines.
	DisciplineResult = pipeline.DisciplineResult
	// Discipline is which locks guard which fields of a type.
	Discipline = pipeline.Discipline
	// LockDiscipline is what one lock guards.
	LockDiscipline = pipeline.LockDiscipline
	// GuardedField is a field and how it is accessed.
	GuardedField = pipeline.GuardedField
	// UnheldAccess is an access at which the lock is not held.
	UnheldAccess = pipeline.UnheldAccess
	// UnitProposal is a function that may be a unit of work.
	UnitProposal = pipeline.UnitProposal
	// LeftOut is a type with a lock that is no candidate, and why.
	LeftOut = pipeline.LeftOut
)

// What goes wrong.
type (
	// InputError is a request that cannot be carried out because of what was asked.
	InputError = pipeline.InputError
	// NothingError is the InputError of a request that names no set, where there is none.
	NothingError = pipeline.NothingError
	// InternalError is a defect: a stage has panicked.
	InternalError = pipeline.InternalError
)

// ErrNotMade means that the program makes no object where the query asks about one.
var ErrNotMade = pipeline.ErrNotMade
