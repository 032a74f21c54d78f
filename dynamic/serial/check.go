package serial

import (
	"context"
	"io"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// Result is what a check has found.
type Result struct {
	Serializable bool
	Events       int      // that were read; the last one closes the cycle if there is one
	Line         int      // of that one
	Last         std.Line // and what stands there
	Live         int      // transactions that were live at once, at most
	Cut          string   // why more may have followed, or ""; see std.Unended

	marks *marks // for Explain
}

// Check checks a trace up to the first violation. Errors are those of the scanner, and of std.Unended: lines that no
// run can have where they are.
func Check(ctx context.Context, s *std.Scanner) (Result, error) {
	return check(ctx, s, pace{atLeast: 1 << 20, every: 1 << 12, marks: 1 << 12})
}

// pace says when names are forgotten, and where a trace can be read again.
type pace struct {
	atLeast int // names that are remembered, whatever they are of
	every   int // events after which that is looked at
	marks   int // events between two marks
}

func check(ctx context.Context, s *std.Scanner, p pace) (Result, error) {
	c, m := NewChecker(), &marks{every: p.marks}
	remember, next := p.atLeast, p.every
	for n := 1; ; n++ {
		offset := s.Offset()
		e, err := s.Next()
		if err == io.EOF {
			return Result{Serializable: true, Events: n - 1, Live: c.most, Cut: c.unended.Why(s)}, nil
		}
		if err != nil {
			return Result{}, err
		}
		if err := c.unended.Add(e); err != nil {
			return Result{}, err
		}
		ok, err := c.Step(e)
		if err != nil {
			return Result{}, err
		}
		if !ok {
			return Result{Events: n, Line: e.Line, Last: s.LineOf(e), Live: c.most, marks: m}, nil
		}
		if e.Op == std.Begin || n%p.marks == 0 {
			m.step(c, s, e, offset, n)
		}
		if n < next {
			continue
		}
		next = n + p.every
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		if s.Len() > remember {
			c.Forget(s)
			remember = max(p.atLeast, 2*s.Len())
		}
	}
}
