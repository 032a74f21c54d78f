package sweep

import (
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
)

// Store keeps answers, each under a hash of the query, of the code that it depends on, and of this program:
// what is found is true still.
//
// The methods of a nil Store keep and find nothing.
type Store struct{ kept *answers.Store }

// NewStore returns the store that keeps its answers with others; nil if there are none.
func NewStore(kept *answers.Store) *Store {
	if kept == nil {
		return nil
	}
	return &Store{kept}
}

// OpenStore returns the store in a directory, which is made if it is not there.
func OpenStore(dir string) (*Store, error) {
	kept, err := answers.Open(dir)
	return NewStore(kept), err
}

// Answers returns what the store keeps its answers with.
func (s *Store) Answers() *answers.Store {
	if s == nil {
		return nil
	}
	return s.kept
}

// Err returns the first error of writing.
func (s *Store) Err() error { return s.Answers().Err() }

// planned is a query that a part stands for.
type planned struct {
	Type   string
	Fields []string
	Site   string
}

// stored is an answer with the limits that it was given within.
type stored struct {
	Row
	NotMade bool // there is no object to ask about
	Timeout time.Duration
	Memory  int64
}

// partKey returns the key of a request about a program.
func (s *Store) partKey(p *empire.Program) (string, error) {
	if s == nil {
		return "", nil
	}
	code, err := p.Fingerprint()
	if err != nil {
		return "", err
	}
	return s.kept.Key("sweep", code), nil
}

func (q planned) key(part string) string { return answers.Hash(part, q.Type, q.Fields, q.Site) }

// plan returns the queries of a part.
func (s *Store) plan(key string) (plan []planned, ok bool) {
	return plan, s.read(answers.Hash(key, "plan"), &plan)
}

func (s *Store) keepPlan(key string, queries []*empire.Query) {
	plan := []planned{}
	for _, q := range queries {
		plan = append(plan, planned{q.Type, q.Fields, q.Site})
	}
	s.write(answers.Hash(key, "plan"), plan)
}

// answer returns the answer to a query. What is unknown is asked again when there is
// more time or memory than then.
func (s *Store) answer(key string, q planned, r empire.Request) (a stored, ok bool) {
	ok = s.read(q.key(key), &a)
	if ok && a.Query.Verdict == empire.VerdictUnknown && !a.NotMade &&
		(timeOf(r.Timeout) > timeOf(a.Timeout) || r.Memory > a.Memory) {
		return stored{}, false
	}
	a.Stored = true
	return a, ok
}

// timeOf returns the time that a limit allows: without one the work is limited to what takes about so
// long.
func timeOf(limit time.Duration) time.Duration {
	if limit == 0 {
		return empire.DefaultTimeout
	}
	return limit
}

// keep stores an answer. It is a sign of life of its part.
func (s *Store) keep(key string, q planned, a stored) {
	s.write(q.key(key), a)
	s.write(answers.Hash(key, "begun"), 1)
}

// begin notes that the part is being answered, and returns how often that has been
// begun since there was the last answer.
func (s *Store) begin(key string) int {
	var n int
	s.read(answers.Hash(key, "begun"), &n)
	s.write(answers.Hash(key, "begun"), n+1)
	return n + 1
}

// end notes that the sweep is alive after the part.
func (s *Store) end(key string) {
	if s != nil {
		s.kept.Remove(answers.Hash(key, "begun"))
	}
}

// deaths returns how often a sweep was killed in the part.
func (s *Store) deaths(key string) (n int) {
	s.read(answers.Hash(key, "begun"), &n)
	return n
}

func (s *Store) read(key string, value any) bool { return s.Answers().GetJSON(key, value) }

func (s *Store) write(key string, value any) { s.Answers().PutJSON(key, value) }
