package lower

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/notes"
)

// Who waits in a loop and then begins anew has decided with what was read only to wait, as in
//
//	for len(q.items) == limit {
//		q.waiting++
//		q.ready.Wait()
//		q.waiting--
//	}
//
// From the head of the loop on the unit does what it would do had it come there for the
// first time: it has none of the values, holds the same locks, and what it has done on the
// way, it has done on every way around. So the model forgets the read there, as other
// reads that decide only what passes: a violation that needs it is a note (WithPassing),
// since what is done outside of the set while waiting - here, to count who waits - was done
// for what was read. (Where nothing is done, the iteration might as well not have been: see
// isPureIteration. Then it is no note either.)
//
// The read of the last iteration, which ends the loop, counts: so each path promises
// whether it will go around. An if in the place of the for, a value that the loop leaves
// behind, as how often it waited, and a write to the set on the way count, too.

// roundKey begins the keys of these reads.
const roundKey = notes.PassingKey + "round"

// roundKey names a read in the model that is forgotten if its iteration only waits.
func (c *clone) roundKey(read ssa.Value) string {
	return fmt.Sprintf("%s%d.%d", roundKey, c.index, c.fn.Number[read])
}
