// Package segments is a program on its way to ESL: each function is a control-flow graph of
// straight pieces of statements. What has no effect on the model is pruned, and the pieces are
// laid out as one list of statements (Empire report, section 5.1, step 3).
package segments

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Segment is a straight piece of a function.
type Segment struct {
	Stmts []esl.Stmt // calls and starts with the numbers of this program's functions and processes
	End   End
	Next  []int // where control may continue after a Jump
}

// End says how a segment ends.
type End uint8

const (
	Jump   End = iota // to one of its successors
	Return            // from the function
	Stuck             // there is no way on
)

// Program is functions, the first segment of each being its entry.
type Program struct {
	Functions [][]*Segment
	Entries   []int // by process, the initial one first: the function that it begins with
}

// Prune removes calls and starts of what has no effect, and what follows a call
// that never returns.
func (p *Program) Prune() {
	effect, returns, signals := p.effects()
	for _, f := range p.Functions {
		for _, seg := range f {
			var stmts []esl.Stmt
		statements:
			for _, st := range seg.Stmts {
				switch st.Op {
				case esl.Call:
					if effect[st.Arg] || signals[st.Arg] {
						stmts = append(stmts, st)
					}
					if !returns[st.Arg] {
						seg.End, seg.Next = Stuck, nil
						break statements
					}
					continue
				case esl.Start, esl.Join:
					if !effect[p.Entries[st.Arg]] {
						continue
					}
				}
				stmts = append(stmts, st)
			}
			seg.Stmts = stmts
		}
	}
}

// effects tells of each function whether running it can have an effect on the model,
// whether it can return, and whether it can say that its goroutine is done. Units without
// accesses have no effect. In a goroutine that has one, it is to be said that it is done; for
// others, nobody waits.
func (p *Program) effects() (effect, returns, signals []bool) {
	effect, returns, signals = make([]bool, len(p.Functions)), make([]bool, len(p.Functions)),
		make([]bool, len(p.Functions))
	for changed := true; changed; {
		changed = false
		for i := len(p.Functions) - 1; i >= 0; i-- { // callees have later numbers
			f := p.Functions[i]
			if !effect[i] && p.hasEffect(f, effect) {
				effect[i], changed = true, true
			}
			if !returns[i] && canReturn(f, returns) {
				returns[i], changed = true, true
			}
			if !signals[i] && canSignal(f, signals) {
				signals[i], changed = true, true
			}
		}
	}
	return effect, returns, signals
}

// canSignal tells whether a statement of the function says that the goroutine is done, by itself
// or by what it calls.
func canSignal(f []*Segment, signals []bool) bool {
	for _, seg := range f {
		if slices.ContainsFunc(seg.Stmts, func(st esl.Stmt) bool {
			return st.Op == esl.Done || st.Op == esl.Call && signals[st.Arg]
		}) {
			return true
		}
	}
	return false
}

// hasEffect tells whether a statement of the function has an effect by itself or by
// what it calls or starts.
func (p *Program) hasEffect(f []*Segment, effect []bool) bool {
	for _, seg := range f {
		for _, st := range seg.Stmts {
			switch st.Op {
			case esl.Call:
				if effect[st.Arg] {
					return true
				}
			case esl.Start, esl.Join:
				if effect[p.Entries[st.Arg]] {
					return true
				}
			case esl.Access, esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock, esl.Set, esl.Await, esl.AwaitUnset,
				esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
				return true
			}
		}
	}
	return false
}

// canReturn tells whether some path through the function reaches a return.
func canReturn(f []*Segment, returns []bool) bool {
	if len(f) == 0 {
		return true
	}
	seen := map[int]bool{0: true}
	work := []int{0}
next:
	for len(work) > 0 {
		seg := f[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, st := range seg.Stmts {
			if st.Op == esl.Call && !returns[st.Arg] {
				continue next
			}
		}
		if seg.End == Return {
			return true
		}
		for _, n := range seg.Next {
			if !seen[n] {
				seen[n] = true
				work = append(work, n)
			}
		}
	}
	return false
}

// Live is what is reachable from a function.
type Live struct {
	Functions map[int]bool
	Processes map[int]bool
}

// Reachable follows calls and starts from a function.
func (p *Program) Reachable(entry int) Live {
	live := Live{map[int]bool{entry: true}, map[int]bool{0: true}}
	work := []int{entry}
	add := func(f int) {
		if !live.Functions[f] {
			live.Functions[f] = true
			work = append(work, f)
		}
	}
	for len(work) > 0 {
		f := p.Functions[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, seg := range f {
			for _, st := range seg.Stmts {
				switch st.Op {
				case esl.Call:
					add(st.Arg)
				case esl.Start, esl.Join:
					live.Processes[st.Arg] = true
					add(p.Entries[st.Arg])
				}
			}
		}
	}
	return live
}

// Linearise lays the reachable segments out as one list of statements. A segment
// without statements and with one successor is passed over. The maps give functions and processes
// their numbers in the model.
func Linearise(f []*Segment, functions, processes map[int]int) []esl.Stmt {
	target := func(i int) int {
		for hops := 0; hops < len(f); hops++ {
			seg := f[i]
			if len(seg.Stmts) > 0 || seg.End != Jump || len(seg.Next) != 1 {
				break
			}
			i = seg.Next[0]
		}
		return i
	}
	var body []esl.Stmt
	at := map[int]int{}
	type patch struct{ stmt, segment int }
	var patches []patch
	work := []int{target(0)}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for {
			if _, done := at[i]; done {
				body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{at[i]}})
				break
			}
			at[i] = len(body)
			seg := f[i]
			for _, st := range seg.Stmts {
				switch st.Op {
				case esl.Call:
					st.Arg = functions[st.Arg]
				case esl.Start, esl.Join:
					st.Arg = processes[st.Arg]
				}
				body = append(body, st)
			}
			if seg.End == Return {
				body = append(body, esl.Stmt{Op: esl.Return})
				break
			}
			next := distinctTargets(seg.Next, target)
			if len(next) == 1 {
				i = next[0]
				continue
			}
			patches = append(patches, patch{len(body), i})
			body = append(body, esl.Stmt{Op: esl.Choice})
			for k := len(next) - 1; k >= 0; k-- {
				if _, done := at[next[k]]; !done {
					work = append(work, next[k])
				}
			}
			break
		}
		for len(work) > 0 {
			if _, done := at[work[len(work)-1]]; !done {
				break
			}
			work = work[:len(work)-1]
		}
	}
	for _, p := range patches {
		for _, n := range distinctTargets(f[p.segment].Next, target) {
			body[p.stmt].Targets = append(body[p.stmt].Targets, at[n])
		}
	}
	return body
}

// distinctTargets returns the segments that control goes to, each once, in order.
func distinctTargets(next []int, target func(int) int) []int {
	var all []int
	for _, n := range next {
		if t := target(n); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}
