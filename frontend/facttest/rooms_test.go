package facttest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// judgedRooms are the packages each of whose exported functions claims facts that are judged, or is excused.
var judgedRooms = []string{"ssaflow", "fresh", "multiplicity", "modref", "mustalias", "lockset", "units", "order",
	"ownership", "relevance", "tag", "segments", "keys"}

// excused are the exported functions whose answers are not held to runs, by the reason why.
var excused = map[string][]string{
	"It says what an instruction, a value or a type is, as its text shows; what runs do is not claimed.": {
		"fresh.MayPublish", "ssaflow.AddressIn", "ssaflow.ContainerOf", "ssaflow.BindingsOf",
		"ssaflow.Arguments", "ssaflow.ArgumentsIn", "ssaflow.IsSamePointer", "ssaflow.IsBuiltin", "ssaflow.IsAtomicLoad",
		"ssaflow.Function.IsUsedFrom", "ssaflow.Values.All", "ssaflow.Values.Has", "ssaflow.IsChecked",
		"ssaflow.Inputs", "ssaflow.Rounds", "modref.MayPanic",
		"modref.IsMisuseOfIterator", "modref.LoopOwner",
		"ssaflow.IsCompareAndSwap", "ssaflow.AtomicEffect", "ssaflow.Phis", "ssaflow.FirstAfterPhis",
		"ssaflow.CallsRecover", "ssaflow.IsInt", "ssaflow.LengthOf",
		"ssaflow.StepOf", "ssaflow.IsMapOrSlice", "ssaflow.IsNumber", "ssaflow.OnlyUse", "ssaflow.TokenPos", "ssaflow.IsNil",
		"ssaflow.IsTrue", "ssaflow.IsFalse", "ssaflow.IsIteration", "ssaflow.IsReceive", "ssaflow.IsUsed", "ssaflow.Indices",
		"ssaflow.AsValue", "ssaflow.BlockOf", "ssaflow.Unwrapped", "ssaflow.BaseOf", "ssaflow.IsPointerLike",
		"ssaflow.MadeBy", "ssaflow.WayIfNil", "ssaflow.Equality", "ssaflow.Unnegated", "ssaflow.IsSliceLength",
		"ssaflow.MayYield", "ssaflow.FollowsAtOnce", "ssaflow.IsRangeIndex", "ssaflow.IsStoredBack",
		"ssaflow.IsUnusedArray", "ssaflow.DecidesBranch", "ssaflow.IsError", "ssaflow.IsBool", "ssaflow.IsSameField",
		"ssaflow.NewDispatch", "ssaflow.Dispatch.MethodsOf",
		"ssaflow.IsArgumentList", "ssaflow.ReturnsLoaded", "ssaflow.IsFieldOfLocal", "ssaflow.CounterOf",
		"ssaflow.CountedLoop.IsNumber", "modref.IsCalled", "modref.FieldPath", "modref.CutLast", "modref.FieldName",
		"modref.IsRead", "modref.IsWrite", "modref.IsPlain", "modref.IsLoopBody", "modref.IsWrapper", "modref.IsFirstUse",
		"modref.IsIndivisible", "modref.Facts.IsOfModule", "modref.Facts.PrintsItself", "modref.Facts.RunsTests",
		"modref.Resets", "modref.WithoutResets", "lockset.KindOf", "lockset.IsCond", "lockset.OperatesOnLocks",
		"units.Units.CopiesReceiver", "order.VariableOf", "order.VariableName", "order.Order.IsField",
		"ownership.IsPoolGet", "ownership.LeadsNowhere", "relevance.NeverReturns", "relevance.ConstantResult",
		"relevance.DecisiveResults", "fresh.Analysis.Writers",
	},
	"It is what a judged one is computed from, and has no other user that claims more.": {
		"ssaflow.Flow.IsLook", "ssaflow.Function.InLoop", "ssaflow.Innermost", "ssaflow.SameLoop", "ssaflow.IsNested",
		"ssaflow.OnceAround", "ssaflow.SameCount", "ssaflow.Remember", "ssaflow.IsCaptured", "ssaflow.IsOwnVariable",
		"ssaflow.OnlyStore", "ssaflow.OwnVariableOf", "ssaflow.IsStoredAgain", "ssaflow.OnlyLoaded",
		"fresh.Analysis.ReturnsField", "fresh.Analysis.Grows", "fresh.StaysInPlace", "fresh.Analysis.IsWritten",
		"fresh.Analysis.Beside", "fresh.Analysis.WrittenPaths", "mustalias.LocalCellsOf",
		"mustalias.Function.IsSettled", "mustalias.IsSettledAt", "ssaflow.MayFollow",
		"mustalias.FieldAsked", "mustalias.Ask",
		"mustalias.Matcher.SameQuestion", "modref.Facts.MayWriteSet",
		"mustalias.IsFollowedBefore", "mustalias.IsCapturedBefore",
		"mustalias.Values.IsAssignedOnce", "lockset.Locks.OwnSection", "lockset.Sections.Begins", "lockset.Sections.Around",
		"relevance.Function.CanForget", "ssaflow.IsAssignedOnce", "multiplicity.Analysis.GoroutinesOf",
		"multiplicity.Goroutines.With", "multiplicity.Analysis.Begins", "multiplicity.Goroutines.AreSeveral",
	},
	"It asks the points-to sets or the call graph, whose facts are judged, and adds nothing of its own.": {
		"tag.Choices.Passed", "tag.Choices.Held", "tag.Choices.IsOther",
		"modref.Facts.CalledIn", "modref.Facts.CallersOf", "modref.Follow", "modref.Facts.Reached", "modref.Facts.LeadsTo",
		"modref.Facts.LeadsOnlyToOwned", "modref.Facts.IsFromOthers", "modref.Facts.IsOthersOwn",
		"modref.Facts.LeadsToCompanion",
		"modref.Facts.AreCompanionsOfConds", "modref.Facts.MemoryRead", "modref.Facts.Storing", "modref.Facts.MayStore",
		"modref.Overwritten", "modref.Facts.UsesOf", "modref.Facts.StoresTo", "modref.Facts.LockCalls",
		"modref.Facts.WithoutNeverMade", "modref.Facts.AccessesStar", "modref.ObjectBit", "modref.ContentsBit",
		"ownership.Owners.LeadsOn", "ownership.carriers.PoolsOf", "modref.Facts.LocationsAt", "modref.Facts.PartsOf",
		"modref.Facts.MayBeApart",
	},
	"It says what the model has of the program: how a call is lowered, not what a run does.": {
		"modref.callbacks.IsSerialised", "modref.Facts.CallbacksAt", "modref.Facts.CallbacksOf", "modref.Facts.Bodiless",
		"modref.Facts.MayCallBack", "modref.Facts.MayDoNothing",
		"modref.Facts.Passes", "modref.Facts.ExitSets", "modref.exitSets.Shared", "modref.Facts.LeadsToKept",
		"modref.Facts.KeptIn", "modref.Facts.IsAwaited", "modref.Facts.IsHandedNothing", "modref.Facts.MayExit",
		"modref.Facts.Recovers", "modref.Facts.MayRecover", "order.Order.EveryDoIsKept", "relevance.Function.NoteRules",
	},
	"It says what counts as a unit of work, a note or an increment: that is a definition, which no run refutes.": {
		"modref.Facts.MayBeUnit", "modref.IsNamed", "modref.UnitDirective", "modref.UnitPolicy.AllowsBy",
		"modref.UnitPolicy.Allows", "modref.UnitPolicy.Names", "modref.UnitPolicy.NamesBy", "units.Units.AccessLoops",
		"units.Units.ServiceLoops", "units.Frame.Concerns", "units.Frame.Begin", "units.Frame.Finish",
		"relevance.IncrementsIn", "relevance.IsOutput", "relevance.Reads.Removals",
	},
	"The interpreter runs neither loggers nor enough condition variables; the cases of the rules are its tests.": {
		"lockset.Locks.LoggerOf", "lockset.Locks.CondLockIn", "lockset.Locks.AllHaveTheirOwn",
	},
	"A tag is the name of what a value is on one path of the model, and says nothing without the path.": {
		"tag.Choices.CompanionIn", "tag.Choices.ReturnedCompanions", "tag.Choices.CompanionsOf", "tag.Choices.IsWholeStar",
		"tag.Choices.MethodsOf", "tag.Choices.FailsAssertion", "tag.Choices.ContentsOf", "tag.Choices.CellsOf",
		"tag.Choices.IsAround", "tag.Choices.Within", "tag.Choices.UnknownInput", "tag.Choices.ElementOf",
		"tag.Choices.ReturnedFunctions",
		"tag.Choices.MatchesFunction", "tag.IsOfMembers", "tag.Choices.MembersIn", "tag.Choices.ElementsOf", "tag.OwnerTag",
		"tag.Choices.IsOfOwner", "tag.Choices.OwnerAt", "tag.Choices.Others", "tag.Choices.OthersIn", "tag.Choices.HasOwner",
		"tag.NewTable", "tag.Table.Closure", "tag.Table.Compose", "tag.Table.Parts", "tag.Table.Part", "tag.Table.Stars",
		"tag.Tag.IsDefinite", "tag.Table.String", "tag.NumberTag", "tag.NilnessTag", "tag.TagOfDecisive", "tag.Table.With",
		"tag.Table.Number", "tag.Known.AppendKey", "tag.Known.Map", "tag.Known.Of", "tag.Known.Only", "tag.Known.With",
		"tag.Bits", "tag.Combine", "tag.Choices.Closure",
		"tag.Tag.HasParts", "tag.TruthTag", "tag.Choices.IsPlain", "tag.Choices.ErrorOf", "tag.Table.Zero",
		"tag.Holders.IsFrozen", "tag.Holders.FrozenValue", "tag.Valuations", "tag.Holders.Growing", "tag.Holders.IsGrown",
		"tag.Holders.Grown", "tag.Holders.Ungrown", "tag.NewHolders", "tag.Holders.Drop", "tag.Holders.Begin",
		"tag.Holders.Flags", "tag.Holders.TagsOf", "tag.Holders.Fills", "tag.Holders.HolderOf", "tag.Holders.Held",
		"tag.Holders.FlagAt", "tag.Holders.Returnable",
	},
	"It sorts keys that were found into classes, or names them; what is claimed is that origins make a key once.": {
		"keys.FindBy", "keys.FindIndices", "keys.Keys.AnyElement", "keys.Keys.At", "keys.Keys.Element",
		"keys.Keys.ElementClass", "keys.Keys.EntryKey", "keys.Keys.FieldOf", "keys.Keys.HandedOn",
		"keys.Keys.IndexClasses", "keys.Keys.IsLockSlice", "keys.Keys.IsOfIndices", "keys.Keys.IsOwn",
		"keys.Keys.Led", "keys.Keys.LockSlicesAt", "keys.Keys.TouchesEntries",
		"keys.Access", "keys.Header", "keys.IsMap", "keys.Keys.All", "keys.Keys.Carries", "keys.Keys.ClassOf",
		"keys.Keys.Constants", "keys.Keys.Isolated", "keys.Keys.Keys", "keys.Keys.Name", "keys.Keys.OriginAt",
		"keys.Keys.Renamed", "keys.Keys.TellsApart", "keys.Text",
	},
	"Segments are the model itself; that it does what the program does is TestOracleRandom's to find out.": {
		"segments.Program.Prune", "segments.Program.Reachable", "segments.Linearise", "segments.Program.Inline",
		"segments.Loop", "segments.Program.MergeLoops",
	},
}

// TestEveryFactIsJudged requires that the table of analyses and that of excuses have each exported
// function of the rooms once, and no other.
func TestEveryFactIsJudged(t *testing.T) {
	known := map[string]string{}
	note := func(name, by string) {
		if other, ok := known[name]; ok && !(strings.HasPrefix(by, "judged") && strings.HasPrefix(other, "judged")) {
			t.Errorf("%s is %s and %s", name, other, by)
		}
		known[name] = by
	}
	for _, a := range analyses {
		for _, name := range a.Of {
			note(name, "judged as "+a.Name)
		}
	}
	for why, names := range excused {
		for _, name := range names {
			note(name, "excused: "+why)
		}
	}
	exported := map[string]bool{}
	for _, room := range judgedRooms {
		for _, name := range exportedOf(t, room) {
			exported[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(exported)) {
		if known[name] == "" {
			t.Errorf("%s is neither judged nor excused", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		room, _, _ := strings.Cut(name, ".")
		if slices.Contains(judgedRooms, room) && !exported[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

// exportedOf returns the exported functions of a room, as "room.Type.Method".
func exportedOf(t *testing.T, room string) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", room, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(room, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := room + "."
			if fn.Recv != nil {
				recv := fn.Recv.List[0].Type
				if p, isPointer := recv.(*ast.StarExpr); isPointer {
					recv = p.X
				}
				if id, isName := recv.(*ast.Ident); isName {
					name += id.Name + "."
				}
			}
			all = append(all, name+fn.Name.Name)
		}
	}
	return all
}
