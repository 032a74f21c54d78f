package facttest_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
)

// analyses are what is judged, and the functions that claim it.
var analyses = []facttest.Analysis{
	{Name: "control flow", Facts: flowFacts, Of: []string{
		"ssaflow.NewFlow", "ssaflow.NewFunction", "ssaflow.Flow.StrictlyDominates", "ssaflow.Flow.LiveBefore",
		"ssaflow.IsInCycle", "ssaflow.BlockReaches", "ssaflow.RepeatsWithout", "ssaflow.NaturalLoops", "ssaflow.LoopHeader",
		"ssaflow.LoopBound", "ssaflow.CountLoop", "ssaflow.CountedLoop.Exits",
	}},
	{Name: "points-to sets", Facts: pointsToFacts},
	{Name: "private memory", Facts: freshFacts, Of: []string{
		"fresh.New", "fresh.HoldsPointers", "fresh.Analysis.Is", "fresh.Analysis.IsGiven", "fresh.Analysis.FreshArguments",
		"fresh.Analysis.IsKeptUntil", "fresh.Analysis.IsLent",
		"fresh.Analysis.Returns", "fresh.Analysis.Watch", "fresh.Analysis.IsCellWritten", "ssaflow.FindFresh",
	}},
	{Name: "multiplicity", Facts: multiplicityFacts, Of: []string{
		"multiplicity.New", "multiplicity.Analysis.Once", "multiplicity.Analysis.OnceAt", "multiplicity.Analysis.InLoop",
		"multiplicity.Analysis.Sequential", "multiplicity.Analysis.Unrepeated",
	}},
	{Name: "same values", Facts: aliasFacts, Of: []string{
		"mustalias.New", "mustalias.Values.Function", "mustalias.Values.IsNeverNil", "mustalias.BaseKey",
		"mustalias.AddressNumbers.Number", "mustalias.Matcher.Same", "ssaflow.Precedes", "ssaflow.Flow.Between",
	}},
	{Name: "critical sections", Facts: sectionFacts, Of: []string{
		"lockset.New", "lockset.Locks.NewSections", "lockset.Sections.All", "ssaflow.RootOf",
	}},
	{Name: "ways with the same locks", Facts: differFacts, Of: []string{"lockset.LocksDiffer"}},
	{Name: "own sections", Facts: ownSectionFacts, Of: []string{"lockset.Locks.IsInOwnSection"}},
	{Name: "owners", Facts: ownerFacts, Of: []string{
		"isolate.Isolate", "isolate.Isolation.Owns", "isolate.Isolation.IsWrittenOnce", "isolate.Isolation.Companions",
	}},
	{Name: "frozen fields", Facts: frozenFields, Of: []string{
		"isolate.FindFrozen", "isolate.Frozen.Is", "fresh.Analysis.WrittenOtherwise",
	}},
	{Name: "settled and completed", Facts: settledFacts, Of: []string{
		"ownership.New", "ownership.Owners.SettledRead", "ownership.Owners.IsCompleted", "isolate.Isolation.Watched",
	}},
	{Name: "joins", Facts: joinFacts, Of: []string{
		"order.New", "order.joins.GroupOf", "order.joins.StartedBy",
	}},
	{Name: "errors of contexts", Facts: contextFacts, Of: []string{"order.Order.IsErrorOfContext"},
		Rare: "few programs give up when a context is over"},
	{Name: "once", Facts: runsOnceFacts, Of: []string{"order.RunsOnceFor", "order.Order.OnlyBecomesTrue"}},
	{Name: "order of what runs once", Facts: onceOrder, Of: []string{
		"modref.Facts.OnceCalls", "modref.Facts.NodesOfValue",
	}},
	{Name: "handed over", Facts: handOverFacts, Of: []string{
		"ownership.Owners.CarriersOf", "ownership.carriers.Find", "ownership.Owners.TransferCells", "ownership.TransfersOf",
		"ownership.Taken",
	}},
	{Name: "fields that can be taken", Facts: takenFacts, Of: []string{"ownership.Owners.CanBeTaken"}},
	{Name: "elements", Facts: elementFacts, Of: []string{
		"ownership.Owners.OwnElementsOf", "ownership.Owners.VisitedOnce", "ownership.Owners.StoredOnce",
	}},
	{Name: "new memory", Facts: newFacts, Of: []string{"ownership.IsEvidentlyNew", "fresh.IsKeptOnlyBy"}},
	{Name: "what is touched", Facts: touchFacts, Of: []string{
		"modref.New", "modref.Facts.TouchesSet", "modref.Facts.CallTouches", "modref.Facts.Touching",
		"modref.Facts.OnlyLooks",
		"modref.Facts.IsLook", "modref.Facts.IsLookCall", "ssaflow.Computes", "ssaflow.OnlyLoads", "ssaflow.IsPureCall",
		"isolate.Isolation.LocationsAt", "isolate.Isolation.FieldsAt",
	}},
	{Name: "units", Facts: spanFacts, Of: []string{
		"units.New", "units.Units.SpanOf", "units.Units.ReachedStars", "units.Units.OpensUnit", "units.span.IsAhead",
		"ssaflow.Reach",
	}},
	{Name: "what values may be", Facts: tagFacts, Of: []string{
		"tag.NewChoices", "tag.Choices.Unknown", "tag.Choices.ReturnsWatched", "isolate.Isolation.RegionsAt",
		"modref.Facts.RegionsOf", "modref.Facts.Collect",
	}},
	{Name: "keys that are made once", Facts: keyFacts, Of: []string{"keys.Find", "keys.Keys.Origins"}},
	{Name: "reads that do not matter", Irrelevant: irrelevantReads, Of: []string{
		"relevance.New", "relevance.Reads.RelevanceOf", "ssaflow.Flow.DerivedFrom", "ssaflow.Flow.DerivedWithin",
		"mustalias.Matcher.SameLook", "mustalias.Matcher.LooksInside", "mustalias.Matcher.DecidesInside",
	}},
}

// TestFacts holds all analyses that can be asked from outside to the runs of random programs.
func TestFacts(t *testing.T) { facttest.Judge(t, 48, analyses...) }

// path is the path of a value itself.
func path(v ssa.Value) judge.Path { return judge.Path{Root: v} }
