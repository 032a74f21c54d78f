package sweep

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// Spec is a file of queries.
type Spec struct {
	Packages []string // default: those of the command line, or "."
	Tests    bool
	Tags     string
	Queries  []SpecQuery
}

// SpecQuery is one entry of such a file: every combination of what it lists.
type SpecQuery struct {
	Name      string     // what the table calls it; default: the type
	Reference *Reference // figures from elsewhere, printed below the query's
	Type      words      // each of them
	Fields    words      // the atomic set
	Sets      empire.Sets
	Vars      words
	Site      words // each of them
	Scenarios string
	Units     string
	Unit      words
	UnitFor   string
	Strict    bool
	Copies    int
	Clients   int
	Locks     string
	Engine    string
	Timeout   time.Duration
}

// words is one word, words separated by commas, or a list.
type words []string

func (w *words) UnmarshalYAML(node *yaml.Node) error {
	var one string
	if node.Kind == yaml.ScalarNode && node.Decode(&one) == nil {
		for _, word := range strings.Split(one, ",") {
			*w = append(*w, strings.TrimSpace(word))
		}
		return nil
	}
	var all []string
	if err := node.Decode(&all); err != nil {
		return fmt.Errorf("line %d: is no word and no list of words; write it as [a, b]", node.Line)
	}
	*w = all
	return nil
}

// ParseSpec reads a file of queries. Its errors name the line.
func ParseSpec(text []byte) (Spec, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return Spec{}, errors.New(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", "; "), "yaml: "))
	}
	if len(document.Content) == 0 {
		return Spec{}, errors.New("has no queries; write queries: and under it a list, as - {type: Vector, sets: pairs}")
	}
	var s Spec
	err := each(document.Content[0], "packages, tests, tags or queries", map[string]func(*yaml.Node) error{
		"packages": decode((*words)(&s.Packages)), "tests": decode(&s.Tests), "tags": decode(&s.Tags),
		"queries": func(list *yaml.Node) error {
			if list.Kind != yaml.SequenceNode {
				return fmt.Errorf("line %d: queries is no list; write - {type: Vector}", list.Line)
			}
			for _, item := range list.Content {
				q, err := parseQuery(item)
				if err != nil {
					return err
				}
				s.Queries = append(s.Queries, q)
			}
			return nil
		},
	})
	if err == nil && len(s.Queries) == 0 {
		err = errors.New("has no queries; write queries: and under it a list, as - {type: Vector, sets: pairs}")
	}
	return s, err
}

func parseQuery(node *yaml.Node) (q SpecQuery, err error) {
	err = each(node, "name, type, fields, sets, vars, site, scenarios, units, unit, unitfor, strict, copies, clients, "+
		"locks, engine, timeout or reference", map[string]func(*yaml.Node) error{
		"name": decode(&q.Name), "reference": func(value *yaml.Node) error {
			q.Reference = &Reference{}
			return q.Reference.parse(value)
		},
		"type": decode(&q.Type), "fields": decode(&q.Fields), "vars": decode(&q.Vars), "site": decode(&q.Site),
		"units": decode(&q.Units), "unit": decode(&q.Unit), "unitfor": decode(&q.UnitFor), "strict": decode(&q.Strict),
		"copies": decode(&q.Copies), "clients": decode(&q.Clients), "locks": decode(&q.Locks), "engine": decode(&q.Engine),
		"timeout": decode(&q.Timeout),
		"sets": func(value *yaml.Node) error {
			q.Sets, err = ParseSets(value.Value)
			if err != nil {
				return fmt.Errorf("line %d: sets: %w", value.Line, err)
			}
			return nil
		},
		"scenarios": func(value *yaml.Node) error {
			var numbers words
			if err := numbers.UnmarshalYAML(value); err != nil {
				return err
			}
			q.Scenarios = strings.Join(numbers, ",")
			return nil
		},
	})
	return q, err
}

// Reference is what another tool found out about a query, in the words of its source.
type Reference struct {
	Name                        string
	Nodes, Instructions         string
	KeptNodes, KeptInstructions string
	Goroutines, Time            string
	Scenario, Length, Verdict   string
}

func (r *Reference) parse(node *yaml.Node) error {
	return each(node, "name, nodes, instructions, keptNodes, keptInstructions, goroutines, time, scenario, length or "+
		"verdict", map[string]func(*yaml.Node) error{
		"name": decode(&r.Name), "nodes": decode(&r.Nodes), "instructions": decode(&r.Instructions),
		"keptNodes":        decode(&r.KeptNodes),
		"keptInstructions": decode(&r.KeptInstructions), "goroutines": decode(&r.Goroutines), "time": decode(&r.Time),
		"scenario": decode(&r.Scenario), "length": decode(&r.Length), "verdict": decode(&r.Verdict),
	})
}

// each calls the function for each key of a mapping.
func each(node *yaml.Node, known string, keys map[string]func(*yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: is no list of settings; write %s", node.Line, known)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		set := keys[key.Value]
		if set == nil {
			return fmt.Errorf("line %d: no setting %q; write %s", key.Line, key.Value, known)
		}
		if err := set(value); err != nil {
			if strings.HasPrefix(err.Error(), "line ") {
				return err
			}
			return fmt.Errorf("line %d: %s: %s", key.Line, key.Value, strings.TrimPrefix(err.Error(), "yaml: "))
		}
	}
	return nil
}

// decode returns a function that decodes a value into the variable.
func decode(variable any) func(*yaml.Node) error {
	return func(value *yaml.Node) error {
		if err := value.Decode(variable); err != nil {
			if strings.HasPrefix(err.Error(), "line ") {
				return err
			}
			return fmt.Errorf("%s is no value of it", strconv.Quote(value.Value))
		}
		return nil
	}
}

// ParseSets returns the way to form atomic sets with the name.
func ParseSets(name string) (empire.Sets, error) {
	switch sets := empire.Sets(name); {
	case name == "groups":
		return empire.DefaultSets, nil
	case sets == empire.EachField || sets == empire.FieldPairs || sets == empire.AllFields:
		return sets, nil
	}
	return "", fmt.Errorf("no way %q to form atomic sets; write groups, each, pairs or all", name)
}

// Requests returns the requests that the query stands for, one for each type and site.
// What it leaves out is as in the request given.
func (q SpecQuery) Requests(r empire.Request) ([]empire.Request, error) {
	if q.Scenarios != "" {
		selected, err := scenarios.Select(q.Scenarios)
		if err != nil {
			return nil, &empire.InputError{What: "scenarios", Why: err.Error()}
		}
		r.Scenarios = selected
	}
	r.Fields, r.Vars, r.UnitFuncs, r.Strict = q.Fields, q.Vars, q.Unit, q.Strict || r.Strict
	for variable, value := range map[*string]string{
		&r.Units: q.Units, &r.UnitFor: q.UnitFor, &r.Locks: q.Locks, &r.Engine: q.Engine} {
		if value != "" {
			*variable = value
		}
	}
	if q.Copies != 0 {
		r.Copies = q.Copies
	}
	if q.Clients != 0 {
		r.Clients = q.Clients
	}
	if q.Timeout != 0 {
		r.Timeout = q.Timeout
	}
	var all []empire.Request
	for _, name := range orNone(q.Type) {
		for _, site := range orNone(q.Site) {
			r.Type, r.Site = name, site
			if err := r.Normalize(); err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// orNone returns the words, or an empty one if there are none.
func orNone(all words) words {
	if len(all) == 0 {
		return words{""}
	}
	return all
}
