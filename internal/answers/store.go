// Package answers keeps what the tool has found out, for the next time: in files, each under a hash of all
// that the answer depends on, so that what is found is true still. It says what that is for the sources of a
// module (see Tree), and how a position in them is written so that it can be found again when other code has
// moved (see Positions).
//
// A wrong hit would be a wrong answer. So whatever is not understood is part of the hash, or keeps nothing.
package answers

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Store is a directory of entries, which any number of processes may use at once, and which may be shared,
// copied, or deleted at any time. An entry that cannot be read, or is damaged, is not there.
//
// The methods of a nil Store keep and find nothing.
type Store struct {
	dir   string
	tool  string
	bound int64 // bytes that the directory may hold; 0: any number

	mu      sync.Mutex
	written int64 // bytes since it was last trimmed by this process
	err     error
}

const (
	defaultBound = 512 << 20
	trimEvery    = time.Hour // by all processes together
	trimAfter    = 32 << 20  // bytes written by this one
	usedAfter    = time.Hour // an entry is marked as used at most so often
)

// DirVariable names the directory of the default store; "off" means that there is none.
const DirVariable = "EMPIRE_CACHE"

// DefaultDir returns the directory of the user's answers; "" if there is to be none.
func DefaultDir() (string, error) {
	if dir := os.Getenv(DirVariable); dir == "off" {
		return "", nil
	} else if dir != "" {
		return filepath.Abs(dir)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "empire-go", "answers"), nil
}

// OpenDefault returns the user's store, which is bounded; nil if there is none, or none can be made.
func OpenDefault() *Store {
	dir, err := DefaultDir()
	if err != nil || dir == "" {
		return nil
	}
	s, err := Open(dir)
	if err != nil {
		return nil
	}
	s.bound = defaultBound
	return s
}

// Open returns the store in a directory, which is made if it is not there.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	tool, err := toolID()
	if err != nil {
		return nil, err
	}
	return &Store{dir: dir, tool: tool}, nil
}

// toolID identifies this program by what it consists of: versions in development have the same number.
var toolID = sync.OnceValues(func() (string, error) {
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
	_, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), err
})

// Key returns the key of an entry: a hash of all that it depends on, and of this program.
func (s *Store) Key(parts ...any) string {
	if s == nil {
		return ""
	}
	return Hash(append([]any{s.tool}, parts...)...)
}

// Dir returns the directory; "" if there is none.
func (s *Store) Dir() string {
	if s == nil {
		return ""
	}
	return s.dir
}

// ToolKey is Key where nothing is kept here.
func ToolKey(parts ...any) (string, error) {
	tool, err := toolID()
	return Hash(append([]any{tool}, parts...)...), err
}

// Hash returns a hash of several values, which %q prints in full.
func Hash(parts ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])
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

func (s *Store) file(key string) string { return filepath.Join(s.dir, key[:2], key[2:]+suffix) }

const suffix = ".answer"

// Get returns an entry.
func (s *Store) Get(key string) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	name := s.file(key)
	text, err := os.ReadFile(name)
	if err != nil || len(text) < sha256.Size {
		return nil, false
	}
	sum := sha256.Sum256(append([]byte(key), text[sha256.Size:]...))
	if !bytes.Equal(sum[:], text[:sha256.Size]) {
		return nil, false
	}
	packed, err := gzip.NewReader(bytes.NewReader(text[sha256.Size:]))
	if err != nil {
		return nil, false
	}
	value, err := io.ReadAll(packed)
	if err != nil {
		return nil, false
	}
	if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > usedAfter {
		now := time.Now()
		os.Chtimes(name, now, now) // it is only the time at which it was used
	}
	return value, true
}

// Put keeps an entry: it is there as a whole or not at all.
func (s *Store) Put(key string, value []byte) {
	if s == nil {
		return
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is valid
	w.Write(value)
	w.Close() // memory takes everything
	sum := sha256.Sum256(append([]byte(key), packed.Bytes()...))
	err := writeFile(s.file(key), append(sum[:], packed.Bytes()...))
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.err == nil {
		s.err = err
	}
	s.written += int64(packed.Len())
	s.trimSometimes()
}

// GetJSON reads an entry into a value.
func (s *Store) GetJSON(key string, value any) bool {
	text, ok := s.Get(key)
	return ok && json.Unmarshal(text, value) == nil
}

// PutJSON keeps a value.
func (s *Store) PutJSON(key string, value any) {
	if text, err := json.Marshal(value); err == nil {
		s.Put(key, text)
	}
}

// Remove removes an entry.
func (s *Store) Remove(key string) {
	if s != nil {
		os.Remove(s.file(key)) // if that fails it is still true
	}
}

func writeFile(name string, text []byte) error {
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

// trimSometimes removes what was not used for the longest time, where the store is bounded and that was not
// done lately.
func (s *Store) trimSometimes() {
	if s.bound == 0 {
		return
	}
	stamp := filepath.Join(s.dir, "trimmed")
	info, err := os.Stat(stamp)
	if err == nil && time.Since(info.ModTime()) < trimEvery && s.written < trimAfter {
		return
	}
	s.written = 0
	if err := os.WriteFile(stamp, nil, 0o666); err == nil {
		now := time.Now()
		os.Chtimes(stamp, now, now)
		s.trim()
	}
}

// trim keeps within the bound. What goes is only answered again.
func (s *Store) trim() {
	type entry struct {
		name string
		size int64
		used time.Time
	}
	var all []entry
	whole := int64(0)
	filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if isLeftOver := strings.HasPrefix(d.Name(), ".new") && time.Since(info.ModTime()) > trimEvery; isLeftOver {
			os.Remove(name)
		}
		if strings.HasSuffix(name, suffix) {
			all = append(all, entry{name, info.Size(), info.ModTime()})
			whole += info.Size()
		}
		return nil
	})
	if whole <= s.bound {
		return
	}
	slices.SortFunc(all, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range all {
		if whole <= s.bound*3/4 {
			return
		}
		if os.Remove(e.name) == nil {
			whole -= e.size
		}
	}
}

// Clean removes all entries in a directory, and what else a store keeps there; other files stay.
func Clean(dir string) error {
	folders, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	os.Remove(filepath.Join(dir, "trimmed"))
	for _, folder := range folders {
		if !folder.IsDir() || len(folder.Name()) != 2 {
			continue
		}
		inside, err := os.ReadDir(filepath.Join(dir, folder.Name()))
		if err != nil {
			return err
		}
		for _, e := range inside {
			if !strings.HasSuffix(e.Name(), suffix) && !strings.HasPrefix(e.Name(), ".new") {
				continue
			}
			name := filepath.Join(dir, folder.Name(), e.Name())
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		os.Remove(filepath.Join(dir, folder.Name())) // unless others have put something there
	}
	return nil
}
