package empire_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// allowed lists, for each package, the packages of this module that it may import:
// the output types of earlier stages, never a later stage. A package that is not
// listed may import none.
var allowed = map[string][]string{
	"internal/suggest":  {},
	"scenarios":         {"internal/suggest"},
	"esl":               {},
	"esl/interp":        {"esl", "limit", "scenarios"},
	"esl/random":        {"esl"},
	"esl/simplify":      {"esl", "limit"},
	"limit":             {},
	"internal/sample":   {},
	"internal/testmain": {}, // for tests
	"checker/blocking":  {"esl", "esl/interp", "limit"},
	"frontend/blocking": {"esl", "esl/simplify", "frontend/knowledge", "frontend/polling", "frontend/ssaflow",
		"limit"},
	"frontend/local":          {"frontend/knowledge", "frontend/ssaflow"},
	"frontend/load":           {"esl", "frontend/knowledge", "frontend/spinlock"},
	"frontend/harness":        {"frontend/knowledge", "frontend/load"},
	"frontend/pointsto":       {"frontend/knowledge", "limit"},
	"frontend/knowledge":      {},
	"frontend/polling":        {"frontend/knowledge", "frontend/ssaflow"},
	"frontend/spinlock":       {"frontend/knowledge"},
	"frontend/query":          {"frontend/knowledge", "esl", "frontend/load", "frontend/pointsto"},
	"frontend/execute":        {"frontend/knowledge", "limit", "scenarios"},
	"frontend/execute/random": {},
	"frontend/harm":           {"frontend/execute", "frontend/harness", "frontend/knowledge", "limit"},
	"frontend/execute/judge":  {"frontend/execute"},
	"frontend/facttest": {"frontend/execute", "frontend/execute/judge", "frontend/execute/random",
		"frontend/harness", "frontend/knowledge", "frontend/load", "frontend/pointsto"},
	"frontend/multiplicity": {"frontend/knowledge", "frontend/pointsto"},
	"frontend/fresh":        {"frontend/knowledge", "frontend/pointsto", "frontend/ssaflow"},
	"frontend/isolate": {"frontend/fresh", "frontend/knowledge", "frontend/load", "frontend/multiplicity",
		"frontend/pointsto", "frontend/query", "frontend/ssaflow", "limit"},
	"frontend/candidates": {"frontend/fresh", "frontend/knowledge", "frontend/load", "frontend/multiplicity",
		"frontend/pointsto", "frontend/printing", "frontend/query", "limit"},
	"frontend/channel": {"frontend/isolate", "frontend/knowledge", "frontend/multiplicity", "frontend/pointsto"},
	"frontend/reduce": {"frontend/channel", "frontend/fresh", "frontend/isolate", "frontend/knowledge",
		"frontend/multiplicity", "frontend/pointsto", "frontend/printing", "frontend/ssaflow", "limit"},
	"frontend/shared": {"frontend/fresh", "frontend/knowledge", "frontend/load", "frontend/multiplicity",
		"frontend/pointsto", "frontend/query", "frontend/reduce", "frontend/ssaflow", "limit"},
	"frontend/races":    {"frontend/knowledge", "frontend/query", "frontend/ssaflow"},
	"frontend/printing": {"frontend/knowledge", "frontend/pointsto", "frontend/ssaflow"},
	"frontend/waits":    {"frontend/knowledge", "frontend/pointsto", "frontend/polling", "frontend/ssaflow", "limit"},
	"frontend/ssaflow":  {"frontend/knowledge"},
	"frontend/modref": {"frontend/fresh", "frontend/isolate", "frontend/knowledge", "frontend/load",
		"frontend/multiplicity", "frontend/pointsto", "frontend/query", "frontend/reduce", "frontend/rules",
		"frontend/ssaflow"},
	"frontend/mustalias": {"frontend/knowledge", "frontend/modref", "frontend/pointsto", "frontend/reduce",
		"frontend/ssaflow"},
	"frontend/lockset": {"esl", "frontend/fresh", "frontend/isolate", "frontend/knowledge", "frontend/modref",
		"frontend/mustalias", "frontend/pointsto", "frontend/reduce", "frontend/ssaflow"},
	"frontend/units": {"esl", "frontend/isolate", "frontend/knowledge", "frontend/lockset", "frontend/modref",
		"frontend/mustalias", "frontend/pointsto", "frontend/reduce", "frontend/rules", "frontend/ssaflow"},
	"frontend/order": {"frontend/channel", "frontend/isolate", "frontend/knowledge", "frontend/modref",
		"frontend/multiplicity", "frontend/mustalias", "frontend/pointsto", "frontend/reduce", "frontend/ssaflow"},
	"frontend/ownership": {"esl", "frontend/channel", "frontend/fresh", "frontend/isolate", "frontend/knowledge",
		"frontend/modref", "frontend/mustalias", "frontend/order", "frontend/pointsto", "frontend/reduce",
		"frontend/ssaflow"},
	"frontend/keys": {"frontend/fresh", "frontend/isolate", "frontend/knowledge", "frontend/lockset", "frontend/modref",
		"frontend/pointsto", "frontend/rules", "frontend/ssaflow"},
	"frontend/relevance": {"frontend/isolate", "frontend/knowledge", "frontend/lockset", "frontend/modref",
		"frontend/mustalias", "frontend/pointsto", "frontend/rules", "frontend/ssaflow"},
	"frontend/atomicity": {"frontend/fresh", "frontend/knowledge", "frontend/mustalias", "frontend/pointsto",
		"frontend/ssaflow"},
	"frontend/notes": {"esl"},
	"frontend/tag": {"frontend/isolate", "frontend/knowledge", "frontend/modref", "frontend/mustalias",
		"frontend/pointsto", "frontend/relevance", "frontend/rules", "frontend/ssaflow"},
	"frontend/segments": {"esl"},
	"frontend/rules":    {},
	"frontend/lower": {"esl", "frontend/channel", "frontend/fresh", "frontend/isolate", "frontend/keys",
		"frontend/knowledge", "frontend/load", "frontend/lockset", "frontend/modref", "frontend/multiplicity",
		"frontend/mustalias",
		"frontend/notes", "frontend/order", "frontend/ownership", "frontend/pointsto", "frontend/query", "frontend/reduce",
		"frontend/relevance", "frontend/rules", "frontend/segments", "frontend/ssaflow", "frontend/tag", "frontend/units",
		"limit"},
	"cpds":                       {"esl", "limit", "scenarios"},
	"checker":                    {"checker/directed", "cpds", "esl", "esl/interp", "limit", "scenarios"},
	"checker/directed":           {"esl", "esl/interp", "limit", "scenarios"},
	"checker/automaton":          {"cpds", "limit"},
	"checker/poststar":           {"checker/automaton", "cpds", "limit"},
	"checker/witness":            {"checker", "cpds"},
	"checker/witness/enginetest": {"checker", "checker/witness", "cpds", "internal/testmain"},
	"checker/prefix":             {"checker", "checker/automaton", "checker/poststar", "checker/witness", "cpds", "limit"},
	"checker/counting":           {"checker/automaton", "checker/poststar", "limit"},
	"checker/histories":          {"checker/automaton", "checker/poststar", "cpds", "limit"},
	"checker/refine": {"checker", "checker/automaton", "checker/counting", "checker/histories",
		"checker/poststar", "checker/witness", "cpds", "limit"},
	"internal/pipeline": {"checker", "checker/blocking", "checker/prefix", "checker/refine", "dynamic/facts",
		"dynamic/watch", "esl",
		"esl/simplify", "frontend/atomicity", "frontend/blocking",
		"frontend/candidates", "frontend/execute", "frontend/harm", "frontend/harness",
		"frontend/isolate", "frontend/knowledge", "frontend/load", "frontend/local", "frontend/lower", "frontend/modref",
		"frontend/multiplicity", "frontend/notes", "frontend/pointsto", "frontend/printing", "frontend/query",
		"frontend/races", "frontend/reduce", "frontend/rules", "frontend/shared", "frontend/ssaflow", "frontend/waits",
		"internal/answers",
		"limit", "scenarios"},
	"internal/answers":   {},
	"":                   {"dynamic/watch", "esl", "internal/pipeline"},
	"internal/cases":     {"frontend/harness", "frontend/load", "internal/pipeline", "scenarios"},
	"dynamic/trace":      {},
	"dynamic/trace/std":  {"dynamic/trace", "dynamic/watch"},
	"dynamic/serial":     {"dynamic/trace/std"},
	"dynamic/events":     {"dynamic/trace", "dynamic/trace/std"},
	"dynamic/watch":      {"scenarios"},
	"dynamic/cooperable": {"dynamic/events", "dynamic/races"},
	"dynamic/races":      {"dynamic/events"},
	"dynamic/stacks":     {},
	"dynamic/waitfor":    {"dynamic/events", "dynamic/races", "dynamic/stacks", "dynamic/trace", "scenarios"},
	// of which it uses the byte layout; it is compiled into other people's programs
	"dynamic/hook":     {"dynamic/snapshot", "dynamic/trace"},
	"dynamic/snapshot": {},
	"dynamic/racing":   {}, // which is compiled into them, too
	"dynamic/record": {"dynamic/hook", "dynamic/instrument", "dynamic/racing", "dynamic/trace",
		"dynamic/watch"},
	"dynamic/yields": {"dynamic/watch"},
	"dynamic/instrument": {"dynamic/hook", "dynamic/snapshot", "dynamic/trace", "dynamic/watch", "dynamic/yields",
		"frontend/knowledge"},
	"report":      {"", "frontend/rules", "scenarios"},
	"sweep":       {"", "internal/answers", "limit", "scenarios", "sweep/queue"},
	"sweep/queue": {},
	// in their own processes, and on other machines
	"sweep/queue/queuetest":         {"sweep/queue"}, // for tests
	"sweep/child":                   {"", "sweep"},
	"sweep/corpus":                  {"", "internal/answers", "sweep/child", "sweep/queue"},
	"sweep/jetstream":               {"sweep/queue"},
	"sweep/jetstream/jetstreamtest": {}, // for tests
	"sweep/pool": {"", "internal/answers", "sweep", "sweep/child", "sweep/jetstream",
		"sweep/queue"},
	"internal/accept":  {""},
	"internal/rewrite": {""},
	"internal/gaps":    {"", "dynamic/cooperable", "dynamic/events", "dynamic/watch", "dynamic/yields"},
	// what runs where people work: on top of all else, and no part of the command
	"integrations/analyzer":         {"", "integrations/internal/finding"},
	"integrations/internal/finding": {"", "internal/accept", "report"},
	"integrations/internal/store":   {}, // for tests
	"integrations/golangci":         {"integrations/analyzer"},
	"integrations/vettool":          {"integrations/analyzer"},
	"integrations/lsp":              {"", "integrations/internal/finding", "internal/answers", "report", "scenarios"},
	"internal/mend":                 {"", "frontend/knowledge", "frontend/waits", "internal/answers", "internal/rewrite"},
	"cmd/empire-go":                 {"cmd/empire-go/command"},
	"cmd/empire-go/internal/script": {"cmd/empire-go/command"}, // for tests
	"cmd/empire-go/command": {"", "dynamic/record", "dynamic/watch", "dynamic", "internal/accept", "internal/answers",
		"checker", "checker/poststar", "cpds", "dynamic/cooperable", "dynamic/events", "dynamic/predict",
		"dynamic/racing", "dynamic/serial", "dynamic/standstill", "dynamic/steer", "dynamic/yields", "dynamic/trace",
		"dynamic/stacks", "dynamic/trace/std", "dynamic/waitfor", "esl",
		"frontend/knowledge", "internal/gaps", "internal/mend", "internal/pipeline", "internal/rewrite",
		"internal/suggest", "limit", "report", "scenarios", "sweep", "sweep/child", "sweep/corpus", "sweep/jetstream",
		"sweep/pool", "sweep/queue"},
	"dynamic/predict/order":      {},
	"dynamic/predict/random":     {"dynamic/predict/order"}, // for tests
	"dynamic/predict/segment":    {"dynamic/predict/order"},
	"dynamic/predict/preserving": {"dynamic/predict/order"},
	"dynamic/predict/explore":    {"dynamic/predict/order", "dynamic/predict/segment"},
	"dynamic/predict/patterns": {"dynamic/predict/explore", "dynamic/predict/order", "dynamic/predict/segment",
		"scenarios"},
	"dynamic/predict": {"", "dynamic", "dynamic/automata", "dynamic/events", "dynamic/predict/explore",
		"dynamic/predict/order", "dynamic/predict/patterns", "dynamic/predict/preserving", "dynamic/predict/segment",
		"dynamic/races", "dynamic/trace", "dynamic/units",
		"dynamic/watch", "scenarios"},
	"dynamic/automata": {"scenarios"},
	// the program is run with a package of its own in it
	"dynamic/standstill": {"", "dynamic/instrument", "dynamic/stacks"},
	"dynamic/steer": {"", "dynamic/automata", "dynamic/hook", "dynamic/instrument", "dynamic/record",
		"dynamic/snapshot", "dynamic/trace", "dynamic/units", "dynamic/watch", "frontend/knowledge", "scenarios"},
	"dynamic/units": {"dynamic/automata", "dynamic/trace", "dynamic/watch"},

	"dynamic/facts": {"dynamic/watch", "esl"},
	"dynamic": {"", "dynamic/automata", "dynamic/racing", "dynamic/trace", "dynamic/units", "dynamic/watch",
		"scenarios"},
}

// TestImportsPointOneWay holds the packages to the table above, which has no
// cycles because Go allows none. Tests may import anything.
func TestImportsPointOneWay(t *testing.T) {
	const module = "github.com/empire-go/empire-go"
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		from := filepath.ToSlash(filepath.Dir(path))
		if from == "." {
			from = ""
		}
		permitted := map[string]bool{}
		for _, p := range allowed[from] {
			permitted[p] = true
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			rest, ours := strings.CutPrefix(imported, module)
			if to := strings.TrimPrefix(rest, "/"); ours && !permitted[to] {
				t.Errorf("%s imports %q: a later stage, or one that it has no business with", path, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// maxColumns is how long a line of Go code may be.
const maxColumns = 120

// TestLinesAreShort holds the project's own Go files to the length of lines.
func TestLinesAreShort(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > maxColumns {
				t.Errorf("%s:%d has %d columns: break it after a comma or an operator", path, i+1, n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
