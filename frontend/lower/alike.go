package lower

import (
	"github.com/empire-go/empire-go/esl"
)

// maxAlike is how many goroutines that begin in the same way are told apart by the statement that starts them.
const maxAlike = 4

// joinAlike makes one process of those that begin in the same way, the same function with the same arguments, if they
// are more than maxAlike. Where a function with go statements is followed in many contexts, they would be thousands, of
// which each costs as much as any other.
//
// The one process has copies enough for two of them and a third, and its start may also pass without effect, so that
// each of them may be any of those that are started: it is as if a loop started them. A process that somebody waits
// for stays what it is, because waiting for more goroutines than there are to wait for hides interleavings.
func (l *lowerer) joinAlike() {
	type way struct {
		entry    *clone
		inModule bool // what starts it, which the simplification asks for
	}
	alike := map[way][]*process{}
	for _, p := range l.processList {
		if len(p.groups) == 0 {
			w := way{p.entry, p.pos.InModule()}
			alike[w] = append(alike[w], p)
		}
	}
	joined := make([]int, len(l.processList)+1)
	for i := range joined {
		joined[i] = i
	}
	for _, all := range alike {
		if len(all) <= maxAlike {
			continue
		}
		first := all[0]
		for _, p := range all {
			joined[p.index] = first.index
			first.copies = max(first.copies, p.copies)
		}
		first.copies = max(first.copies, l.Copies) + 1
		first.alike = true
	}
	for _, c := range l.order {
		for _, seg := range c.segments {
			for i, st := range seg.Stmts {
				if st.Op == esl.Start {
					seg.Stmts[i].Arg = joined[st.Arg]
				}
			}
		}
	}
}
