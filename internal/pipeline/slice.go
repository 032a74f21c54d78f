package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/limit"
)

// The answer to a query depends on its slice: the functions that the program can reach, by the call graph,
// and all declarations but the bodies of other functions. Any edit may let a function enter the slice, so
// slices are compared when the call graph is there. Clients of a library look for harm with calls of their
// own, which may reach more: there all bodies count where something is violated.
//
// A model depends on less. Where it is the same as one that was found safe, so is the verdict.

// slice is the hashes of what the answers of an analysis depend on; "" where that is not known.
type slice struct{ reached, whole string }

// sliceOf returns the slice. The turn is the caller's.
func (k *kept) sliceOf(a *analysis) slice {
	program := a.entry.Program
	isClient := a.entry.Source() != ""
	if len(program.Stated()) > 0 || !isClient && len(program.Sources(a.entry.Main.Pkg)) == 0 {
		return slice{}
	}
	sums, ok := k.sums(program, k.reachedBy(a.graph.Functions()))
	if !ok {
		return slice{}
	}
	r := a.request
	r.Packages, r.Dir, r.Timings, r.Timeout, r.Memory = nil, "", false, 0, 0
	spinning := ""
	if !a.program.SpinLocks.IsEmpty() { // whether a word is one depends on all code of the modules
		spinning = k.tree.Meaning()
	}
	named := ""
	for _, pkg := range program.Packages {
		named += pkg.Pkg.Path() + "\n"
		if isClient {
			named += fmt.Sprintln(program.Examples(pkg.Pkg))
		}
	}
	rest := fmt.Sprintf("%q", []any{string(marshal(r)), k.tree.Environment, program.ModulePaths(), named, spinning,
		a.entry.Name, a.entry.Source(), fmt.Sprint(a.entry.Type), a.entry.Limits, a.entry.Owned, a.entry.Of,
		a.subject.Name(), a.subject.Fields})
	found := slice{reached: k.store.Key("slice", rest, sums.reached)}
	if found.whole = found.reached; isClient {
		found.whole = k.store.Key("whole", rest, sums.whole)
	}
	return found
}

// reachedBy returns, by file, which declarations the functions are in.
func (k *kept) reachedBy(functions []*ssa.Function) map[*answers.File]map[int]bool {
	reached := map[*answers.File]map[int]bool{}
	for _, fn := range functions {
		fn = knowledge.Outermost(fn)
		if !fn.Pos().IsValid() {
			continue
		}
		at := fn.Prog.Fset.PositionFor(fn.Pos(), false)
		file := k.tree.File(at.Filename)
		if file == nil {
			continue
		}
		if reached[file] == nil {
			reached[file] = map[int]bool{}
		}
		reached[file][file.Decl(at.Line, at.Column)] = true
	}
	return reached
}

// sums returns hashes of the packages of a program, of which bodies count where they are reached; ok is false
// where it is not known what one is made of.
func (k *kept) sums(program *load.Program, reached map[*answers.File]map[int]bool) (found slice, ok bool) {
	part, whole := sha256.New(), sha256.New()
	both := io.MultiWriter(part, whole)
	for _, pkg := range program.Imported() {
		fmt.Fprintf(both, "package %q\n", pkg.Pkg.Path())
		for _, name := range program.Sources(pkg.Pkg) {
			short := program.NameOf(name)
			fmt.Fprintf(both, "%q\n", short)
			if k.tree.IsFixed(name) {
				continue
			}
			file := k.tree.File(name)
			if sum, isOther := k.tree.Other(name); file == nil && isOther {
				fmt.Fprintf(both, "%x\n", sum)
				continue
			}
			if file == nil {
				return slice{}, false
			}
			k.name(short, file)
			whole.Write(file.Sum[:])
			if file.Opaque || file.Links || reached[file][-1] {
				part.Write(file.Sum[:])
				continue
			}
			for i, d := range file.Decls {
				switch {
				case reached[file][i]:
					part.Write(d.Sum[:])
				case d.Head != (answers.Sum{}): // a method of a type, which may have the methods of an interface
					part.Write(d.Head[:])
				}
			}
		}
		for _, name := range program.EmbeddedIn(pkg.Pkg) {
			if k.tree.IsFixed(name) {
				continue
			}
			sum, ok := k.tree.Other(name)
			if !ok {
				return slice{}, false
			}
			fmt.Fprintf(both, "%q %x\n", program.NameOf(name), sum)
		}
	}
	return slice{hex.EncodeToString(part.Sum(nil)), hex.EncodeToString(whole.Sum(nil))}, true
}

// name notes which file positions with a name are in.
func (k *kept) name(short string, file *answers.File) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.names[short] = file
}

// named is the positions of the files of the programs that slices are known of.
func (k *kept) named() answers.Positions {
	return answers.Positions{Of: func(name string) *answers.File {
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.names[name]
	}}
}

// find finds out under which keys the answer to the query is kept.
func (q *asking) find() {
	a := q.analysis
	k := a.runner.kept
	if k == nil || a.graph == nil || q.isLooked {
		return
	}
	q.isLooked = true
	a.turns.Lock()
	defer a.turns.Unlock()
	if a.slice == nil {
		found := k.sliceOf(a)
		a.slice = &found
	}
	site, ok := k.named().Strip(marshal([]any{q.site.String(), q.site.Places, valuesOf(q.site)}))
	if !ok || a.slice.reached == "" {
		return
	}
	q.keys = slice{k.store.Key("query", a.slice.reached, string(site)), k.store.Key("query", a.slice.whole, string(site))}
}

// valuesOf names the values in which the objects of a site are: several may be at one position.
func valuesOf(site query.Site) (all []string) {
	for _, s := range append([]query.Site{site}, site.Others...) {
		name := s.Global + s.Path
		if s.Memory != nil {
			if fn := s.Memory.Parent(); fn != nil {
				name += " " + fn.String()
			}
			name += " " + s.Memory.Name()
		}
		if s.Call != nil {
			b := s.Call.Block()
			name += fmt.Sprintf(" %s %d %d", s.Call.Parent(), b.Index, slices.Index(b.Instrs, ssa.Instruction(s.Call)))
		}
		all = append(all, name)
	}
	return all
}

// keptAnswer is the answer to a query, with the work of each try that it took: they are gone through again, so
// that the other queries have as much as then, and what is told comes in the same order.
type keptAnswer struct {
	Answer   QueryResult
	Tries    []try // the last one has brought the answer
	Searched int   // by which of them there were all verdicts
	Rested   int   // after how many of them it waited until all else had had its turn; 0: it did not
}

// try is a try of a query, and what says then when the next one is.
type try struct {
	Spent      limit.Work
	Detail     detail // of the next model
	IsSearched bool   // all verdicts are there, and only harm may be left
	MayHarm    bool   // see asking.mayHarm
	IsPassed   bool   // more of the same share would change nothing
}

// recall tells whether the answer is kept, and gives it when it is its turn, with a share of the work. Where the budget
// does not allow for what it took, it is not there.
func (q *asking) recall(share limit.Work) bool {
	if !q.isLooked {
		q.find()
		q.kept = q.analysis.runner.kept.answer(q.keys)
	}
	if q.kept == nil {
		return false
	}
	n := len(q.tries)
	once := q.kept.Tries[n]
	if b := q.analysis.runner.budget; b != nil {
		if b.left <= once.Spent {
			q.isSearched = q.isSearched && n > q.kept.Searched // what is begun anew is not
			q.kept, q.detail, q.isResting, q.mayHarm, q.passed = nil, outline, false, false, 0
			return false
		}
		b.left -= once.Spent
	}
	q.tries, q.detail, q.isSearched, q.mayHarm = append(q.tries, once), once.Detail, once.IsSearched, once.MayHarm
	if q.passed = 0; once.IsPassed {
		q.passed = share
	}
	if q.done = n == len(q.kept.Tries)-1; n >= q.kept.Searched {
		q.answer = q.kept.Answer
	}
	q.isResting = len(q.tries) == q.kept.Rested
	if q.done {
		q.analysis.runner.kept.hit()
	}
	return true
}

// answer returns what is kept under one of the keys, nil if nothing is.
func (k *kept) answer(keys slice) *keptAnswer {
	for _, key := range []string{keys.reached, keys.whole} {
		if key == "" {
			continue
		}
		entry, ok := k.get(key)
		if ok {
			entry, ok = k.named().Restore(entry)
		}
		if a := new(keptAnswer); ok && json.Unmarshal(entry, a) == nil && len(a.Tries) > 0 && a.Answer.isDecided() {
			return a
		}
	}
	return nil
}

// isWhole tells whether the answer is known and would be the same again.
func (q *asking) isWhole() bool {
	return q.done && !q.tooLarge && q.defect == "" && q.answer.isDecided()
}

// isDecided tells whether there is a verdict on everything.
func (q *QueryResult) isDecided() bool {
	isOpen := func(a Assumption) bool { return a.Kind == raceUndecided }
	isUnknown := func(s ScenarioResult) bool { return s.Verdict == VerdictUnknown }
	return q.Verdict != VerdictUnknown && !slices.ContainsFunc(q.Assumptions, isOpen) &&
		!slices.ContainsFunc(q.Scenarios, isUnknown)
}

// isHarmless tells whether no harm was looked for, as there is nothing that may do any.
func (q *QueryResult) isHarmless() bool {
	return q.Verdict == VerdictSafe && !q.DataRace && len(q.Race)+len(q.Races) == 0 &&
		!slices.ContainsFunc(q.Scenarios, func(s ScenarioResult) bool {
			return s.Verdict != VerdictSafe || s.Level != "" || s.Harm != nil || len(s.Counterexample) > 0
		})
}

// keep keeps the answer, if it is one now, after a try with a share of the work, some of which it took.
func (q *asking) keep(share, spent limit.Work) {
	q.mayHarm = q.isModelled && q.answer.mayHarm()
	q.tries = append(q.tries, try{spent, q.detail, q.isSearched, q.mayHarm, share <= q.passed})
	if !q.isSearched {
		q.searched = len(q.tries)
	}
	if q.keys.reached == "" || !q.isWhole() {
		return
	}
	k := q.analysis.runner.kept
	key := q.keys.reached
	if q.analysis.request.Harm && !q.answer.isHarmless() {
		key = q.keys.whole
	}
	if stripped, ok := k.named().Strip(marshal(keptAnswer{q.answer, q.tries, q.searched, q.rested})); ok {
		k.put(key, stripped)
	}
}

// modelKey returns the key of the verdict on a model and on what is searched of it: all that they are but
// for names and positions, which a safe answer does not show.
func (k *kept) modelKey(r Request, all ...*esl.Program) string {
	if k == nil {
		return ""
	}
	sum := sha256.New()
	for _, p := range all {
		out := json.NewEncoder(sum)
		out.Encode(withoutNames(p)) // of what has a JSON form; a hash takes everything
		for _, f := range p.Functions {
			fmt.Fprintln(sum, "function")
			for _, s := range f.Body {
				s.Pos = esl.Pos{}
				out.Encode(s)
			}
		}
	}
	return k.store.Key("model", string(marshal(r.Scenarios)), r.Engine, r.Strict, r.Harm, hex.EncodeToString(sum.Sum(nil)))
}

// withoutNames returns a program without its functions, and without names but those of locations.
func withoutNames(p *esl.Program) esl.Program {
	own := *p
	own.Name, own.Functions = "", nil
	own.Objects, own.Locks, own.Flags = slices.Clone(p.Objects), slices.Clone(p.Locks), slices.Clone(p.Flags)
	own.Channels, own.Processes = slices.Clone(p.Channels), slices.Clone(p.Processes)
	for i := range own.Objects {
		own.Objects[i] = esl.Object{}
	}
	for i := range own.Locks {
		own.Locks[i].Name, own.Locks[i].Pos = "", esl.Pos{}
	}
	for i := range own.Flags {
		own.Flags[i].Name = ""
	}
	for i := range own.Channels {
		own.Channels[i].Name, own.Channels[i].Pos = "", esl.Pos{}
	}
	for i := range own.Processes {
		own.Processes[i].Name, own.Processes[i].Pos = "", esl.Pos{}
	}
	return own
}

// safeAnswer is the answer to a model that was found safe, and the work that it took.
type safeAnswer struct {
	Answer QueryResult
	Spent  limit.Work
}

// safeModel returns the answer to a model that was found safe, nil if that is not known.
func (k *kept) safeModel(key string) *safeAnswer {
	if k == nil {
		return nil
	}
	entry, ok := k.get(key)
	safe := new(safeAnswer)
	if !ok || json.Unmarshal(entry, safe) != nil || !safe.Answer.isHarmless() {
		return nil
	}
	return safe
}

// keepSafeModel keeps the answer to a model if it is safe.
func (k *kept) keepSafeModel(key string, q QueryResult, spent limit.Work) {
	if k != nil && q.isHarmless() && q.isDecided() {
		k.put(key, marshal(safeAnswer{q, spent}))
	}
}
