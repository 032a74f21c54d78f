// Package sweep answers many queries about packages that are loaded once: every
// combination of types, atomic sets and allocation sites that is asked for, as the Empire
// report does for Account (section 6) and for its Table 2.
//
// Finished answers are stored (see Store), so that a sweep that was stopped goes on where
// it was, and one that is repeated answers only what depends on code that has changed.
package sweep

import (
	"context"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/sweep/queue"
)

// Options say how a sweep is carried out.
type Options struct {
	Workers  int                   // queries answered at a time; 0 for one for each processor
	Store    *Store                // of answers; nil keeps none
	Again    bool                  // answer what is in the store again
	Progress func(done, total int) // called after each part of the sweep, by one goroutine at a time; may be nil
	Queue    queue.Queue           // that hands out what is to be answered; nil for one in memory
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
	Timings     bool     // print what two sweeps differ in: times, and what was answered before
}

// Run answers the requests. They are about packages that the session has loaded. When the
// context is done it ends with what has been answered by then.
func Run(ctx context.Context, session *empire.Session, items []Item, o Options) (*Table, error) {
	plan, err := NewPlan(ctx, session, items, o.Store)
	if err != nil {
		return nil, err
	}
	s := &sweeper{Options: o, parts: plan.parts}
	s.answer(ctx)
	return plan.Table(ctx.Err() != nil), nil
}

// ranOutOfMemory tells whether a query might have an answer if it had all the memory.
func ranOutOfMemory(r Row) bool {
	return r.Query.Verdict == empire.VerdictUnknown && limit.IsMemoryReason(r.Query.Reason)
}
