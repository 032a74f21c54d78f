package judge

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Put is an instruction that hands a value over: into a channel or a pool.
type Put struct {
	Event
	Value ssa.Value
}

// HandedOver claims that what is put into channels or pools is not put in again before somebody has
// taken it out.
type HandedOver struct {
	Puts  []Put
	Takes []Event // of these and of other channels and pools
	Is    func(execute.Object) bool
	Name  string // of what is put in, in words
}

func (f HandedOver) String() string {
	var puts []string
	for _, put := range f.Puts {
		puts = append(puts, put.String())
	}
	return fmt.Sprintf("who puts %s in, at %s, has it for itself", f.Name, strings.Join(puts, ", "))
}

func (f HandedOver) watch(r *run, c *claim) {
	inside := map[execute.Object]execute.Activation{}
	for _, put := range f.Puts {
		r.onBefore(put.At, put.In, func(a execute.Activation) {
			v, _ := a.Value(put.Value)
			o, ok := v.Object()
			if !ok || !f.Is(o) {
				return
			}
			why := ""
			if by, ok := inside[o]; ok {
				why = fmt.Sprintf("%v puts in %v, as %v has done before", a, o, by)
			}
			inside[o] = a
			c.holds(why)
		})
	}
	for _, take := range f.Takes {
		r.onAfter(take.At, take.In, func(a execute.Activation) {
			v, _ := a.Value(take.At.(ssa.Value))
			if o, ok := v.Object(); ok {
				delete(inside, o)
			}
			for i := 0; ; i++ {
				part, ok := v.Field(i)
				if !ok {
					return
				}
				if o, ok := part.Object(); ok {
					delete(inside, o)
				}
			}
		})
	}
}

// HeldAlone claims that no memory but one field, of whichever object, holds the address of what the
// field holds, and that it does not hold again what it has held before.
type HeldAlone struct {
	Field func(execute.Place) bool
	Name  string
}

func (f HeldAlone) String() string {
	return "nothing else holds what " + f.Name + " holds, nor is it put back"
}

func (f HeldAlone) watch(r *run, c *claim) {
	held, elsewhere := map[execute.Object]execute.Place{}, map[execute.Object]execute.Place{}
	r.stores = append(r.stores, func(a execute.Activation, store *ssa.Store) {
		v, _ := a.Value(store.Val)
		address, _ := a.Value(store.Addr)
		to, isPlace := address.Place()
		o, ok := v.Object()
		if !ok || !isPlace || c.isOver() {
			return
		}
		known, isHeld := held[o]
		if !f.Field(to) {
			elsewhere[o] = to
			if isHeld {
				c.holds(fmt.Sprintf("%v is put into %v, too, in %v", o, to, a))
			}
			return
		}
		now, _ := to.Value().Object()
		why := ""
		if other, ok := elsewhere[o]; ok {
			why = fmt.Sprintf("%v is in %v, too, in %v", o, other, a)
		} else if isHeld && (known != to || now != o) {
			why = fmt.Sprintf("%v is put into %v, and was in %v, in %v", o, to, known, a)
		}
		held[o] = to
		c.holds(why)
	})
}
