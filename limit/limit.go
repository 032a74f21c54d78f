// Package limit ends a stage whose context is done, from any depth of its calls.
//
// A stage is one exported function. It defers Catch, and polls in each loop that may
// take long, wherever that is:
//
//	func Isolate(ctx context.Context, ...) (r *Isolation, err error) {
//		defer limit.Catch(&err)
//		poll := limit.NewPoll(ctx)
//		...
//		poll.Check()
//
// Check panics with a value of this package alone, which Catch makes the error of the
// context. So the functions of the stage need not hand errors to each other, and their
// results are what the stage is about. What a stage that was ended leaves behind is
// half done: it belongs to the query that was ended, and nothing else may look at it.
package limit

import "context"

// Poll counts the work of a stage (see Work), and looks at its context now and then. Nil is one that
// is never done. It is for one goroutine.
type Poll struct {
	ctx   context.Context
	calls uint32
	owed  Work // since the context was looked at
}

// NewPoll returns a poll of the context.
func NewPoll(ctx context.Context) *Poll { return &Poll{ctx: ctx} }

// every is how many calls of Check look once at the context: each of them is followed
// by work of some microseconds at most.
const every = 64

// Check ends the stage if the context is done: at the first call, or within a few
// dozen after it is.
func (p *Poll) Check() { p.Step(Ask) }

// Step is Check for a step of another kind.
func (p *Poll) Step(w Work) {
	if p == nil {
		return
	}
	p.owed += w
	if p.calls%every == 0 {
		owed := p.owed
		p.owed = 0
		if err := Pay(p.ctx, owed); err != nil {
			panic(ended{err})
		}
	}
	p.calls++
}

// ended is the panic of Check.
type ended struct{ err error }

// Catch, deferred, makes the end of a stage by Check its error. Other panics go on.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case ended:
		*err = r.err
	default:
		panic(r)
	}
}
