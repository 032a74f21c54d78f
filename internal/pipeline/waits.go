package pipeline

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/waits"
)

// Waits finds out what the programs of a request may wait for while they hold locks, whatever the request is
// about: with the clients of what it is about, and of all else. The packages are those that were loaded. Its errors
// are those of Run.
func (s *Session) Waits(ctx context.Context, r Request) (*waits.Order, error) {
	r, all, err := s.toCheck(ctx, r)
	if err != nil {
		return nil, err
	}
	r.Type, r.Fields, r.Vars, r.Site, r.UnitFuncs = "", nil, nil, "", nil
	if _, others, err := s.toCheck(ctx, r); err == nil { // clients of all types
		all = append(slices.Clip(all), others...)
	}
	stages := &runner{}
	limited, release := stages.within(ctx, r, stages.stageWork(r))
	defer release()
	order := waits.New()
	for _, part := range partsOf(all) {
		base, err := solve(limited, r, stages, part...)
		if err != nil {
			return nil, err
		}
		_, err = run(limited, stages, "waits", func(ctx context.Context) (*waits.Order, error) {
			graph, err := base.Refine(ctx, pointsto.Sensitivity{CallSite: knowledge.IsWrapperOfCallback})
			if err != nil {
				return nil, err
			}
			return order, order.Add(ctx, graph, originIn(s.program))
		})
		if err != nil {
			return nil, err
		}
	}
	return order, nil
}

// originIn tells whose the functions of a program are.
func originIn(program *load.Program) func(*ssa.Function) waits.Origin {
	return func(fn *ssa.Function) waits.Origin {
		fn = knowledge.Outermost(fn)
		if origin := fn.Origin(); origin != nil {
			fn = origin
		}
		var of *types.Package
		if fn.Pkg != nil {
			of = fn.Pkg.Pkg
		} else if object := fn.Object(); object != nil { // of a wrapper
			of = object.Pkg()
		}
		switch {
		case program.IsGenerated(fn.Pos()) || knowledge.IsStub(fn):
			return waits.Foreign
		case of == nil || program.InModule(of.Path()):
			return waits.Own
		}
		if first, _, _ := strings.Cut(of.Path(), "/"); !strings.Contains(first, ".") {
			return waits.Standard // no other module has such a path
		}
		return waits.Own
	}
}
