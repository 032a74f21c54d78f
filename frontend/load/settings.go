package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
	"gopkg.in/yaml.v3"
)

// SettingsFile is the name of the file in the module root that says what the checker
// cannot find out by itself.
const SettingsFile = "empire.yaml"

// Settings is what that file says.
type Settings struct {
	// Concurrent names functions that run a callback on another goroutine, as
	// "example.com/p.Pool.Submit#1".
	Concurrent []string
}

// Settings reads the file, if there is one. An error names the line.
func (p *Program) Settings() (Settings, error) {
	text, err := os.ReadFile(filepath.Join(p.ModuleDir, SettingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Settings{}, nil
	}
	if err != nil {
		return Settings{}, err
	}
	return parseSettings(text)
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
		switch key.Value {
		case "concurrent":
			if err := value.Decode(&s.Concurrent); err != nil || value.Kind != yaml.SequenceNode {
				return s, fmt.Errorf("line %d: concurrent is no list of functions; write concurrent: [\"example.com/p.Pool.Submit#1\"]", key.Line)
			}
		default:
			return s, fmt.Errorf("line %d: no setting %q; write concurrent", key.Line, key.Value)
		}
	}
	return s, nil
}

// Exists tells whether the go command finds a package with the path.
func (p *Program) Exists(path string) bool {
	found, err := packages.Load(&packages.Config{Mode: packages.NeedName, Dir: p.ModuleDir}, path)
	return err == nil && len(found) == 1 && len(found[0].Errors) == 0
}
