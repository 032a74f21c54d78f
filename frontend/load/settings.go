package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/packages"
)

// SettingsFile is the name of the file in the module root that says what the checker
// cannot find out by itself.
const SettingsFile = "empire.yaml"

// Settings is what that file says.
type Settings struct {
	// Concurrent names functions that run a callback on another goroutine, as
	// "example.com/p.Pool.Submit#1".
	Concurrent []string
	Joins      []Join
	Locks      []LockType
	// Make names the functions that make arguments for the exported functions of a library,
	// by the type that they make: "example.com/p.Op": "example.com/p/optest.New".
	Make map[string]string
}

// Join is a type whose values are groups of goroutines: Go runs an argument on a goroutine
// of its own, and Wait returns when all of them have ended.
type Join struct {
	Type string // "example.com/p.Group"
	Go   string // the method, and which argument it runs: "Go" if it has but one, "Go#2"
	Wait string // the method
}

// LockType is a type whose values are locks, with its methods. Those with an R are for
// readers; those with Try say whether they have taken the lock.
type LockType struct {
	Type           string // "example.com/p.Lock"
	Lock, Unlock   string
	RLock, RUnlock string
	TryLock        string
	TryRLock       string
}

// SettingsError is a setting that means nothing, and what to write instead.
type SettingsError struct{ Why string }

// Error returns why.
func (e *SettingsError) Error() string { return e.Why }

// Settings reads the file, if there is one. An error names the line.
func (p *Program) Settings() (Settings, error) { return settingsIn(p.ModuleDir) }

// settingsIn reads the file of a module.
func settingsIn(dir string) (Settings, error) {
	text, err := os.ReadFile(filepath.Join(dir, SettingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Settings{}, nil
	}
	if err != nil {
		return Settings{}, err
	}
	return parseSettings(text)
}

// forms is the settings, and how each is written.
var forms = []struct{ key, what, form string }{
	{"concurrent", "list of functions", `concurrent: ["example.com/p.Pool.Submit#1"]`},
	{"joins", "list of groups", "joins: [{type: example.com/p.Group, go: Go, wait: Wait}]"},
	{"locks", "list of locks", "locks: [{type: example.com/p.Lock, lock: Lock, unlock: Unlock}]"},
	{"make", "table of types", "make: {example.com/p.Op: example.com/p/optest.New}"},
}

func parseSettings(text []byte) (Settings, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return Settings{}, errors.New(strings.TrimPrefix(firstLine(err.Error()), "yaml: "))
	}
	var s Settings
	if len(document.Content) == 0 {
		return s, nil // empty, or comments only
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return s, fmt.Errorf("line %d: is no list of settings; write concurrent: [...]", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if err := s.set(key, value); err != nil {
			return s, err
		}
	}
	return s, nil
}

// set adds what a setting says.
func (s *Settings) set(key, value *yaml.Node) error {
	var err error
	kind := yaml.SequenceNode
	switch key.Value {
	case "concurrent":
		err = value.Decode(&s.Concurrent)
	case "joins":
		if err := checkRows(value, key.Value, []string{"type", "go", "wait"}, nil); err != nil {
			return err
		}
		err = value.Decode(&s.Joins)
	case "locks":
		further := []string{"rlock", "runlock", "trylock", "tryrlock"}
		if err := checkRows(value, key.Value, []string{"type", "lock", "unlock"}, further); err != nil {
			return err
		}
		err = value.Decode(&s.Locks)
	case "make":
		kind = yaml.MappingNode
		err = value.Decode(&s.Make)
	default:
		return fmt.Errorf("line %d: no setting %q; write concurrent, joins, locks or make", key.Line, key.Value)
	}
	if err != nil || value.Kind != kind {
		i := slices.IndexFunc(forms, func(f struct{ key, what, form string }) bool { return f.key == key.Value })
		return fmt.Errorf("line %d: %s is no %s; write %s", key.Line, key.Value, forms[i].what, forms[i].form)
	}
	return nil
}

// checkRows checks the keys of the rows of a setting.
func checkRows(value *yaml.Node, setting string, needed, further []string) error {
	for _, row := range value.Content {
		if row.Kind != yaml.MappingNode || value.Kind != yaml.SequenceNode {
			continue // which Decode says
		}
		given := map[string]bool{}
		for i := 0; i+1 < len(row.Content); i += 2 {
			key := row.Content[i]
			if !slices.Contains(needed, key.Value) && !slices.Contains(further, key.Value) {
				all := strings.Join(append(slices.Clone(needed), further...), ", ")
				return fmt.Errorf("line %d: no %q in %s; write %s", key.Line, key.Value, setting, all)
			}
			given[key.Value] = row.Content[i+1].Value != ""
		}
		for _, key := range needed {
			if !given[key] {
				all := strings.Join(needed, ", ")
				return fmt.Errorf("line %d: an entry of %s does not say %s; write %s", row.Line, setting, key, all)
			}
		}
	}
	return nil
}

// Exists tells whether the go command finds a package with the path.
func (p *Program) Exists(path string) bool {
	found, err := packages.Load(&packages.Config{Mode: packages.NeedName, Dir: p.ModuleDir}, path)
	return err == nil && len(found) == 1 && len(found[0].Errors) == 0
}
