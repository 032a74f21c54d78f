package sweep

import (
	"context"
	"errors"
	"fmt"
	"sync"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
)

// Plan is all that a sweep asks: parts, each a request about one program.
type Plan struct {
	moduleRoot string
	errors     []string
	parts      []*part
}

// part is what one worker does at a time: a request about one program.
type part struct {
	item    *Item
	key     string // under which its answers are stored
	deaths  int    // how often a sweep was killed in it
	program *empire.Program

	mu   sync.Mutex // of the answer
	done bool
	rows []Row
	err  error // why there are no rows, or not all
}

// NewPlan finds out what the requests ask. They are about packages that the session has loaded. What is named and is
// not there is an error of the table.
func NewPlan(ctx context.Context, session *empire.Session, items []Item, store *Store) (*Plan, error) {
	plan := &Plan{}
	plan.moduleRoot, _ = session.ModuleRoot()
	for i := range items {
		item := &items[i]
		programs, err := session.Programs(ctx, item.Request)
		var named *empire.InputError
		if errors.As(err, &named) {
			plan.errors = append(plan.errors, fmt.Sprintf("%s: %s", subject(item.Request), err))
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, p := range programs {
			next := &part{item: item, program: p}
			if next.key, err = store.partKey(p); err != nil {
				return nil, err
			}
			next.deaths = store.deaths(next.key)
			plan.parts = append(plan.parts, next)
		}
	}
	return plan, nil
}

// Asked is a part of a plan, for who answers it elsewhere.
type Asked struct {
	Key     string // a hash of all that the answer depends on, but the limits
	Program string // its name
	Request empire.Request
}

// Asked returns the parts, in their order.
func (p *Plan) Asked() ([]Asked, error) {
	var all []Asked
	for _, part := range p.parts {
		key, err := keyOf(part.program)
		if err != nil {
			return nil, err
		}
		all = append(all, Asked{key, part.program.Name(), part.item.Request})
	}
	return all, nil
}

// keyOf returns the key of a request about a program, which is the same on all machines with this program and the
// same code.
func keyOf(p *empire.Program) (string, error) {
	code, err := p.Fingerprint()
	if err != nil {
		return "", err
	}
	return answers.ToolKey("sweep of a pool", code)
}

// Answer is what was found out about a part.
type Answer struct {
	Rows    []Row  `json:"rows"`
	Error   string `json:"error,omitempty"`   // why there are no rows, or not all
	IsNamed bool   `json:"isNamed,omitempty"` // the error is that something named is not there
}

// IsDecided tells whether no larger limit would lead to another answer.
func (a Answer) IsDecided() bool {
	for _, r := range a.Rows {
		if r.Query.Verdict == empire.VerdictUnknown {
			return false
		}
		for _, s := range r.Query.Scenarios {
			if s.Verdict == empire.VerdictUnknown {
				return false
			}
		}
	}
	return a.Error == "" || a.IsNamed
}

// Set is the answer to the part with the number, from elsewhere.
func (p *Plan) Set(part int, a Answer) {
	own := p.parts[part]
	own.rows, own.err, own.done = a.Rows, nil, true
	switch {
	case a.IsNamed:
		own.err = namedError{a.Error}
	case a.Error != "":
		own.err = errors.New(a.Error)
	}
}

// namedError is an InputError that was written down.
type namedError struct{ text string }

func (e namedError) Error() string { return e.text }

func (e namedError) As(target any) bool {
	named, ok := target.(**empire.InputError)
	if ok {
		*named = &empire.InputError{Why: e.text}
	}
	return ok
}

// Ask answers a request about the program with the name, one of those that the session has. The key is what tells
// that the code is the same as where it was planned: the error is a *DiffersError if it is not.
func Ask(ctx context.Context, session *empire.Session, a Asked) (Answer, error) {
	programs, err := session.Programs(ctx, a.Request)
	if err != nil {
		return Answer{}, err
	}
	for _, p := range programs {
		if p.Name() != a.Program {
			continue
		}
		if key, err := keyOf(p); err != nil || key != a.Key {
			return Answer{}, &DiffersError{a.Program}
		}
		s := &sweeper{alone: true}
		own := &part{item: &Item{Request: a.Request}, program: p}
		s.answerPart(ctx, own)
		answer := Answer{Rows: own.rows}
		if ctx.Err() != nil {
			return answer, ctx.Err()
		}
		if own.err != nil {
			var named *empire.InputError
			answer.Error, answer.IsNamed = own.err.Error(), errors.As(own.err, &named)
		}
		return answer, nil
	}
	return Answer{}, &DiffersError{a.Program}
}

// DiffersError is that a program here is another one than where the sweep was planned.
type DiffersError struct{ Program string }

func (e *DiffersError) Error() string {
	return fmt.Sprintf("%s: the sources here, the Go version or this command differ from those of the sweep", e.Program)
}

// ModuleRoot returns the path of the module that the plan is about.
func (p *Plan) ModuleRoot() string { return p.moduleRoot }

// Record is a plan as it is written down, for who has the answers and not the sources.
type Record struct {
	Module string
	Errors []string
	Items  []RecordedItem
	Parts  []RecordedPart
}

// RecordedItem is what a table says of a request.
type RecordedItem struct {
	Name         string
	Reference    *Reference
	Type         string
	Fields, Vars []string
}

// RecordedPart is a part: which of the items it is about, and the key of its answer.
type RecordedPart struct {
	Item int
	Key  string
}

// Record returns what is written down of the plan.
func (p *Plan) Record() (Record, error) {
	r := Record{Module: p.moduleRoot, Errors: p.errors}
	var last *Item
	for _, part := range p.parts {
		if part.item != last {
			last = part.item
			r.Items = append(r.Items, RecordedItem{last.Name, last.Reference, last.Type, last.Fields, last.Vars})
		}
		key, err := keyOf(part.program)
		if err != nil {
			return r, err
		}
		r.Parts = append(r.Parts, RecordedPart{len(r.Items) - 1, key})
	}
	return r, nil
}

// Plan returns the plan again. Nothing can be asked of it, but it can be told the answers.
func (r Record) Plan() (*Plan, error) {
	p := &Plan{moduleRoot: r.Module, errors: r.Errors}
	var items []*Item
	for _, i := range r.Items {
		items = append(items, &Item{Request: empire.Request{Type: i.Type, Fields: i.Fields, Vars: i.Vars}, Name: i.Name,
			Reference: i.Reference})
	}
	for _, own := range r.Parts {
		if own.Item < 0 || own.Item >= len(items) {
			return nil, errors.New("a part is about nothing")
		}
		p.parts = append(p.parts, &part{item: items[own.Item]})
	}
	return p, nil
}

// Table returns what has been answered.
func (p *Plan) Table(interrupted bool) *Table {
	t := &Table{ModuleRoot: p.moduleRoot, Errors: p.errors, Interrupted: interrupted}
	t.gather(p.parts)
	return t
}

// subject names what a request is about.
func subject(r empire.Request) string {
	switch {
	case len(r.Vars) > 0:
		return fmt.Sprint("variables ", r.Vars)
	case len(r.Fields) > 0:
		return fmt.Sprint(r.Type, " ", r.Fields)
	}
	return r.Type
}

// gather collects the rows. A request is an error if none of its programs knows what it
// names.
func (t *Table) gather(parts []*part) {
	for begin, end := 0, 0; begin < len(parts); begin = end {
		for end = begin; end < len(parts) && parts[end].item == parts[begin].item; end++ {
		}
		var failure error
		rows := 0
		for _, p := range parts[begin:end] {
			for _, r := range p.rows {
				r.Name = p.item.Name
				t.Rows = append(t.Rows, r)
				rows++
			}
			if p.err != nil && failure == nil {
				failure = p.err
			}
		}
		if rows > 0 {
			t.Rows[len(t.Rows)-1].Reference = parts[begin].item.Reference
		}
		var named *empire.InputError
		if failure != nil && !t.Interrupted && (rows == 0 || !errors.As(failure, &named)) {
			t.Errors = append(t.Errors, fmt.Sprintf("%s: %s", subject(parts[begin].item.Request), failure))
		}
	}
}
