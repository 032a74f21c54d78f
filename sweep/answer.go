package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	empire "github.com/empire-go/empire-go"
)

// maxDeaths is how often a sweep may have been killed in the same place before the next
// one leaves it out.
const maxDeaths = 3

// answerPart answers the queries of a part, as far as the store does not.
func (s *sweeper) answerPart(ctx context.Context, p *part) {
	p.rows, p.err = nil, nil
	key := p.key
	if s.storedPart(p) {
		return
	}
	if n := s.Store.begin(key); n > maxDeaths && !s.Again {
		p.err = fmt.Errorf("%s: sweeps were killed here %d times; check it by itself, or sweep with --again",
			p.program.Name(), n-1)
		return
	}
	defer s.Store.end(key)
	queries, err := p.program.Queries(ctx)
	if err != nil {
		p.err = err
		return
	}
	s.Store.keepPlan(key, queries)
	for _, q := range queries {
		name := planned{q.Type, q.Fields, q.Site}
		if !s.Again {
			if a, ok := s.Store.answer(key, name, p.item.Request); ok {
				p.add(a)
				continue
			}
		}
		result, took, err := q.Answer(ctx)
		a := stored{Row: Row{Query: result, Milliseconds: milliseconds(took)}, Timeout: p.item.Request.Timeout,
			Memory: p.item.Request.Memory}
		var internal *empire.InternalError
		switch {
		case errors.Is(err, empire.ErrNotMade):
			a.NotMade = true
		case errors.As(err, &internal):
			a.Query = empire.QueryResult{
				Entry: p.program.Name(), Type: q.Type, Fields: q.Fields, Site: q.Site,
				Verdict: empire.VerdictUnknown, Reason: internal.Error(),
				Assumptions: []empire.Assumption{}, Scenarios: []empire.ScenarioResult{},
			}
		case err != nil:
			p.err = err
			return
		}
		p.add(a)
		if internal == nil && (s.alone || !ranOutOfMemory(a.Row)) {
			s.Store.keep(key, name, a)
		}
	}
}

// storedPart answers a part from the store alone, if all its answers are there.
func (s *sweeper) storedPart(p *part) bool {
	plan, ok := s.Store.plan(p.key)
	if !ok || s.Again {
		return false
	}
	for _, q := range plan {
		a, ok := s.Store.answer(p.key, q, p.item.Request)
		if !ok {
			p.rows = nil
			return false
		}
		p.add(a)
	}
	return true
}

// add adds the row of an answer, if there is an object to ask about.
func (p *part) add(a stored) {
	if !a.NotMade {
		p.rows = append(p.rows, a.Row)
	}
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}
