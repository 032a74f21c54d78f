// Package sweep answers many queries about packages that are loaded once: every
// combination of types, atomic sets and allocation sites that is asked for, as the Empire
// report does for Account (section 6) and for its Table 2.
//
// Finished answers are stored (see Store), so that a sweep that was stopped goes on where
// it was, and one that is repeated answers only what depends on code that has changed.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/limit"
)

// Options say how a sweep is carried out.
type Options struct {
	Workers  int                   // queries answered at a time; 0 for one for each processor
	Store    *Store                // of answers; nil keeps none
	Again    bool                  // answer what is in the store again
	Progress func(done, total int) // called after each part of the sweep, by one goroutine at a time; may be nil
}

// Item is a request with what the table says of it.
type Item struct {
	empire.Request
	Name      string     // default: the type
	Reference *Reference // may be nil
}

// Row is the answer to one query.
type Row struct {
	Name         string             `json:"name,omitempty"`
	Reference    *Reference         `json:"-"` // below the last row of its item
	Query        empire.QueryResult `json:"query"`
	Milliseconds float64            `json:"ms"`     // that it took to answer, when it was answered
	Stored       bool               `json:"stored"` // the answer is from an earlier sweep
}

// Table is the outcome of a sweep.
type Table struct {
	ModuleRoot  string   // the path of the module
	Rows        []Row    // in the order of the requests
	Errors      []string // requests that could not be carried out
	Interrupted bool     // there is more to be answered
}

// part is what one worker does at a time: a request about one program.
type part struct {
	item    *Item
	key     string // under which its answers are stored
	deaths  int    // how often a sweep was killed in it
	program *empire.Program
	rows    []Row
	err     error // why there are no rows, or not all
}

// Run answers the requests. They are about packages that the session has loaded. When the
// context is done it ends with what has been answered by then.
func Run(ctx context.Context, session *empire.Session, items []Item, o Options) (*Table, error) {
	t := &Table{}
	t.ModuleRoot, _ = session.ModuleRoot()
	s := &sweeper{Options: o}
	var parts []*part
	for i := range items {
		item := &items[i]
		programs, err := session.Programs(ctx, item.Request)
		var named *empire.InputError
		if errors.As(err, &named) {
			t.Errors = append(t.Errors, fmt.Sprintf("%s: %s", subject(item.Request), err))
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, p := range programs {
			next := &part{item: item, program: p}
			if next.key, err = o.Store.partKey(p); err != nil {
				return nil, err
			}
			next.deaths = o.Store.deaths(next.key)
			parts = append(parts, next)
		}
	}
	s.answer(ctx, parts)
	t.gather(ctx, parts)
	return t, nil
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
func (t *Table) gather(ctx context.Context, parts []*part) {
	t.Interrupted = ctx.Err() != nil
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
		if failure != nil && ctx.Err() == nil && (rows == 0 || !errors.As(failure, &named)) {
			t.Errors = append(t.Errors, fmt.Sprintf("%s: %s", subject(parts[begin].item.Request), failure))
		}
	}
}

// sweeper answers parts.
type sweeper struct {
	Options
	mu    sync.Mutex
	done  int
	alone bool // no other part is answered at the time
}

// answer answers the parts, several at a time. What ran out of memory beside others is
// asked again alone.
func (s *sweeper) answer(ctx context.Context, parts []*part) {
	workers := s.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s.alone = workers == 1
	// What an earlier sweep has died of comes last.
	order := slices.Clone(parts)
	slices.SortStableFunc(order, func(a, b *part) int { return a.deaths - b.deaths })
	next := make(chan *part)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for p := range next {
				s.answerPart(ctx, p)
				s.progress(len(parts))
			}
		})
	}
	for _, p := range order {
		if ctx.Err() != nil {
			break
		}
		next <- p
	}
	close(next)
	running.Wait()
	if s.alone {
		return
	}
	s.alone = true
	for _, p := range parts {
		if slices.ContainsFunc(p.rows, func(r Row) bool { return !r.Stored && ranOutOfMemory(r) }) && ctx.Err() == nil {
			s.answerPart(ctx, p)
		}
	}
}

func (s *sweeper) progress(total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	if s.Progress != nil {
		s.Progress(s.done, total)
	}
}

// ranOutOfMemory tells whether a query might have an answer if it had all the memory.
func ranOutOfMemory(r Row) bool {
	return r.Query.Verdict == empire.VerdictUnknown && limit.IsMemoryReason(r.Query.Reason)
}
