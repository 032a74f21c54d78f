package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/tag"
)

// A function may try something, and say whether it could:
//
//	func (q *Queue) put(v int) bool {
//		if q.count == q.limit {
//			return false
//		}
//		q.items = append(q.items, v)
//		q.count++
//		return true
//	}
//
// Where it could not it has done nothing but look. So a loop that waits until it can has done
// nothing in its other iterations, as one that looks itself (isPureIteration, planRounds):
//
//	for !q.put(v) {
//		q.notFull.Wait()
//	}
//
// What such a call has read is forgotten if it fails, and the loop begins anew.

// fails tells whether the call has failed in an outcome.
func (l *lowerer) fails(o outcome, try ssa.Value, f relevance.Failure) bool {
	g := o.state.tags.Of(try)
	if try.(*ssa.Call).Call.Signature().Results().Len() > 1 {
		g = l.tags.Part(g, f.Result)
	}
	return g == tag.TagOfDecisive(f.Is) && !o.state.panicking && !o.state.exiting
}

// stepTry is stepLook for a call that may fail.
func (l *lowerer) stepTry(c *clone, s state, try ssa.Value, f relevance.Failure) []outcome {
	all := l.step(c, s, try.(ssa.Instruction))
	for i := range all {
		if l.fails(all[i], try, f) {
			all[i].state = all[i].state.withPromise(promise{read: try})
		}
	}
	for _, p := range c.promises(try) {
		s.look = c.promisedKey(p)
		for _, o := range l.step(c, s, try.(ssa.Instruction)) {
			o.state.look = ""
			if l.fails(o, try, f) {
				o.state = o.state.withPromise(p)
				all = append(all, o)
			}
		}
	}
	return all
}
