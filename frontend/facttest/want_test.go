package facttest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/tag"
	"github.com/empire-go/empire-go/frontend/units"
)

// rooms says what is stated in words of the programs in testdata/want, by the analysis.
var rooms = map[string]func(t *testing.T, p *facttest.Program) []string{
	"ssaflow":      inWords(flowFacts),
	"fresh":        inWords(freshFacts),
	"multiplicity": inWords(multiplicityFacts),
	"mustalias":    inWords(aliasFacts),
	"lockset":      inWords(sectionFacts, differFacts),
	"isolate":      inWords(ownerFacts),
	"ownership":    inWords(settledFacts, handOverFacts, newFacts),
	"order":        inWords(joinFacts),
	"keys":         inWords(keyFacts),
	"relevance":    forgotten,
	"modref":       touched,
	"units":        opened,
	"tag":          chosen,
}

// TestWant holds what the analyses state of small programs to the comments in them:
//
//	s.n++ // want "the lock .* is held"
//	s.n++ // not "is held"
//
// What is wanted of a line is a regular expression that something stated about the line
// matches; what is behind "not" is one that nothing matches. Add a case by adding a function.
func TestWant(t *testing.T) {
	files, err := filepath.Glob("testdata/want/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in testdata/want", err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(filepath.Base(file), ".go")] = string(text)
	}
	for _, p := range facttest.Load(t, texts) {
		t.Run(p.Name, func(t *testing.T) {
			if rooms[p.Name] == nil {
				t.Fatalf("testdata/want/%s.go: no analysis has that name", p.Name)
			}
			compareWanted(t, p, rooms[p.Name](t, p))
		})
	}
	for name := range rooms {
		if texts[name] == "" {
			t.Errorf("there is no testdata/want/%s.go: what the analysis states has no example", name)
		}
	}
}

var (
	lineNumber = regexp.MustCompile(`line (\d+)`)
	inFunction = regexp.MustCompile(`(?:in|of) (\w+)`)
	wanted     = regexp.MustCompile(`(want|not) ("(?:[^"\\]|\\.)*")`)
)

func compareWanted(t *testing.T, p *facttest.Program, stated []string) {
	byLine := map[int][]string{}
	for _, fact := range stated {
		for _, line := range linesOf(p, fact) {
			byLine[line] = append(byLine[line], fact)
		}
	}
	for i, text := range strings.Split(p.Text, "\n") {
		facts := byLine[i+1]
		_, comment, _ := strings.Cut(text, "// ")
		for _, w := range wanted.FindAllStringSubmatch(comment, -1) {
			pattern, err := strconv.Unquote(w[2])
			if err != nil {
				t.Fatalf("%s.go:%d: %v", p.Name, i+1, err)
			}
			is := slices.ContainsFunc(facts, regexp.MustCompile(pattern).MatchString)
			if is != (w[1] == "want") {
				t.Errorf("%s.go:%d: %s %q, stated:\n\t%s", p.Name, i+1, w[1], pattern, strings.Join(facts, "\n\t"))
			}
		}
	}
}

// linesOf returns the lines that a fact names; of one that names none, that of its function.
func linesOf(p *facttest.Program, fact string) (lines []int) {
	for _, number := range lineNumber.FindAllStringSubmatch(fact, -1) {
		line, _ := strconv.Atoi(number[1])
		lines = append(lines, line)
	}
	if function := inFunction.FindStringSubmatch(fact); len(lines) == 0 && function != nil {
		for i, text := range strings.Split(p.Text, "\n") {
			if strings.HasPrefix(text, "func ") && strings.Contains(text, function[1]+"(") {
				lines = append(lines, i+1)
			}
		}
	}
	return lines
}

// inWords returns what states the facts of analyses.
func inWords(all ...facttest.Facts) func(*testing.T, *facttest.Program) []string {
	return func(t *testing.T, p *facttest.Program) (stated []string) {
		for _, of := range all {
			for _, fact := range of(t, p) {
				stated = append(stated, fact.String())
			}
		}
		return stated
	}
}

// forgotten states from where on reads no longer matter.
func forgotten(t *testing.T, p *facttest.Program) (stated []string) {
	for _, fact := range irrelevantReads(t, p) {
		stated = append(stated, fact.String())
	}
	return stated
}

// say states something about an instruction; of one that is in no line, it does so of its function.
func say(i ssa.Instruction, format string, args ...any) string {
	pos := i.Pos()
	if !pos.IsValid() {
		pos = i.Parent().Pos()
	}
	line := i.Parent().Prog.Fset.Position(pos).Line
	return fmt.Sprintf("line %d: %s: %s", line, i, fmt.Sprintf(format, args...))
}

// touched states which instructions touch the atomic set, and what calls may do.
func touched(t *testing.T, p *facttest.Program) (stated []string) {
	for _, q := range queries(t, p) {
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			if q.TouchesSet(n, i) {
				stated = append(stated, say(i, "touches the set"))
				if q.OnlyLooks(n, i) {
					stated = append(stated, say(i, "only looks"))
				}
			}
			if call, ok := i.(ssa.CallInstruction); ok {
				for _, callee := range q.Graph.Callees(n, call) {
					if q.MayExit(callee) {
						stated = append(stated, say(i, "may end the goroutine"))
					}
					if q.Recovers(callee) {
						stated = append(stated, say(i, "recovers"))
					}
				}
			}
		})
	}
	return stated
}

// opened states which functions are units of work on an object, and which loops are served.
func opened(t *testing.T, p *facttest.Program) (stated []string) {
	for _, q := range queries(t, p) {
		work := units.New(mustalias.New(q), lockset.New(q))
		for _, n := range q.Graph.Nodes() {
			if !p.IsOwn(n.Func) {
				continue
			}
			line := n.Func.Prog.Fset.Position(n.Func.Pos()).Line
			for k := range q.Stars.Stars {
				if work.OpensUnit(n, k) {
					stated = append(stated, fmt.Sprintf("line %d: %s: is a unit of work", line, n.Func.Name()))
					span := work.SpanOf(n, units.Frame{Star: k, Direct: true})
					for at, i := range span.Flow.Instrs {
						if span.Works[at] {
							stated = append(stated, say(i, "works on the object"))
						}
					}
				}
			}
			for _, loop := range work.ServiceLoops(n) {
				for _, i := range loop.Header.Instrs {
					stated = append(stated, say(i, "begins an iteration that is a unit"))
				}
			}
		}
	}
	return stated
}

// chosen states what values may be with respect to the isolated object.
func chosen(t *testing.T, p *facttest.Program) (stated []string) {
	for _, q := range queries(t, p) {
		table := tag.NewTable()
		choices := tag.NewChoices(mustalias.New(q), table)
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			v, ok := i.(ssa.Value)
			if !ok || v.Type() == nil || !q.Stars.Subject.IsSelfOrPointer(v.Type()) {
				return
			}
			var all []string
			for _, g := range choices.Unknown(n, v) {
				all = append(all, table.String(g, func(k int) string { return q.Stars.Stars[k].Name }))
			}
			stated = append(stated, say(i, "may be %s", strings.Join(all, " or ")))
		})
	}
	return stated
}
