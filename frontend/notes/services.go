package notes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/esl"
)

// servicePrefix begins the key by which the end of a unit says, until the model is
// complete, that it is that of an iteration of a service loop.
const servicePrefix = "service "

// ServiceMark returns the key for a service loop, by its number.
func ServiceMark(service int) string { return servicePrefix + strconv.Itoa(service) }

// SettleServices decides in the complete model which iterations of service loops
// end units: those at whose beginning no lock is held. It returns the numbers of their loops,
// one for each such end.
func SettleServices(p *esl.Program) (ending []int) {
	var held []*holding // of each lock, exclusively and shared; nil until it is asked for
	isHeld := func(f, i int) bool {
		if held == nil && len(p.Locks) > 0 {
			w := newFlow(p)
			for lock := range p.Locks {
				held = append(held, hold(w, Exclusively(lock)), hold(w, Shared(lock)))
			}
		}
		return slices.ContainsFunc(held, func(h *holding) bool { return h.may(f, i) })
	}
	for f := range p.Functions {
		body := p.Functions[f].Body
		for i := range body {
			mark, ok := strings.CutPrefix(body[i].Key, servicePrefix)
			if body[i].Op != esl.UnitEnd || !ok {
				continue
			}
			body[i].Key = ""
			if isHeld(f, i) {
				body[i], body[i+1] = esl.Stmt{Op: esl.Skip}, esl.Stmt{Op: esl.Skip}
				continue
			}
			number, _ := strconv.Atoi(mark)
			ending = append(ending, number)
		}
	}
	return ending
}
