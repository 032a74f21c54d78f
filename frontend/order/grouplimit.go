package order

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// isSerial tells whether the goroutines of the group run one at a time: SetLimit(1) is
// called on it before each of them is started, and no other limit is set.
func (u *groupUses) isSerial(graph *pointsto.Result) bool {
	var limits []pointsto.Edge
	for _, e := range graph.CallsTo(knowledge.GroupLimits) {
		if slices.Contains(graph.PointsTo(e.Caller, reduce.Receiver(e.Site.Common())).Cells(), u.cell) {
			limits = append(limits, e)
		}
	}
	if len(limits) != 1 || len(u.gos) == 0 || len(
		graph.PointsTo(limits[0].Caller, reduce.Receiver(limits[0].Site.Common())).Cells()) != 1 {
		return false
	}
	limit, ok := limits[0].Site.(*ssa.Call)
	if !ok || !ssaflow.IsInt(limit.Call.Args[len(limit.Call.Args)-1], 1) {
		return false
	}
	return !slices.ContainsFunc(u.gos, func(s StartSite) bool {
		return s.Node != limits[0].Caller || !ssaflow.Precedes(limit, s.Site)
	})
}
