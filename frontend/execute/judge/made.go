package judge

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// MadeOnce claims that no value which one of the instructions makes is made by any of them again:
// for the same object, if they are within one.
type MadeOnce struct {
	At   Making
	Also []Making // others that make no value that this one makes
}

// Making is an instruction that makes a value.
type Making struct {
	At     ssa.Instruction
	Value  ssa.Value
	Before bool      // the value is there before the instruction
	Within ssa.Value // a pointer to, or into, the object; nil if there is none
}

func (f MadeOnce) String() string {
	return fmt.Sprintf("%s is made once at %s", f.At.Value.Name(), where(f.At.At))
}

func (f MadeOnce) watch(r *run, c *claim) {
	type made struct{ value, within execute.Value }
	var all []made
	for _, m := range append([]Making{f.At}, f.Also...) {
		ask := r.onAfter
		if m.Before {
			ask = r.onBefore
		}
		ask(m.At, nil, func(a execute.Activation) {
			v, ok := a.Value(m.Value)
			now := made{value: v}
			if m.Within != nil {
				within, has := a.Value(m.Within)
				now.within, ok = within, ok && has
			}
			if !ok {
				return
			}
			for _, was := range all {
				if was.value.Equal(now.value) && (m.Within == nil || was.within.Equal(now.within)) {
					c.holds(fmt.Sprintf("%v was made before, in %v", v, a))
					return
				}
			}
			all = append(all, now)
			c.holds("")
		})
	}
}
