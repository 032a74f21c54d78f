package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	empire "github.com/empire-go/empire-go"
)

// Store keeps answers in a directory, each in a file named by a hash of the query, of
// the code that it depends on, and of this program: what is found is true still. Nothing
// in it is ever wrong, so that it may be shared, copied or deleted at any time.
//
// The methods of a nil Store keep and find nothing. A file that cannot be read is not
// there; the first one that could not be written is in Err.
type Store struct {
	dir  string
	tool string // identifies this program

	mu  sync.Mutex
	err error
}

// OpenStore returns the store in a directory, which is made if it is not there.
func OpenStore(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	tool, err := toolID()
	if err != nil {
		return nil, err
	}
	return &Store{dir: dir, tool: tool}, nil
}

// DefaultDir returns the directory of answers of the user.
func DefaultDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, empire.Name, "sweep"), nil
}

// toolID identifies this program: versions in development have the same number.
func toolID() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return empire.Version + " " + hex.EncodeToString(sum.Sum(nil)), nil
}

// Err returns the first error of writing.
func (s *Store) Err() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

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
	return hash(s.tool, code), nil
}

// hash returns the name of a file for what identifies its contents.
func hash(parts ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])
}

func (q planned) key(part string) string { return hash(part, q.Type, q.Fields, q.Site) }

// plan returns the queries of a part.
func (s *Store) plan(key string) (plan []planned, ok bool) {
	return plan, s.read(hash(key, "plan"), &plan)
}

func (s *Store) keepPlan(key string, queries []*empire.Query) {
	plan := []planned{}
	for _, q := range queries {
		plan = append(plan, planned{q.Type, q.Fields, q.Site})
	}
	s.write(hash(key, "plan"), plan)
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
	s.write(hash(key, "begun"), 1)
}

// begin notes that the part is being answered, and returns how often that has been
// begun since there was the last answer.
func (s *Store) begin(key string) int {
	var n int
	s.read(hash(key, "begun"), &n)
	s.write(hash(key, "begun"), n+1)
	return n + 1
}

// end notes that the sweep is alive after the part.
func (s *Store) end(key string) {
	if s != nil {
		os.Remove(s.file(hash(key, "begun")))
	}
}

// deaths returns how often a sweep was killed in the part.
func (s *Store) deaths(key string) (n int) {
	s.read(hash(key, "begun"), &n)
	return n
}

func (s *Store) file(name string) string { return filepath.Join(s.dir, name[:2], name[2:]+".json") }

func (s *Store) read(name string, value any) bool {
	if s == nil {
		return false
	}
	text, err := os.ReadFile(s.file(name))
	return err == nil && json.Unmarshal(text, value) == nil
}

// write writes a file at once: it is there as a whole or not at all.
func (s *Store) write(name string, value any) {
	if s == nil {
		return
	}
	if err := writeFile(s.file(name), value); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.err == nil {
			s.err = err
		}
	}
}

func writeFile(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), ".new")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails if all went well
	_, err = temporary.Write(text)
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}
