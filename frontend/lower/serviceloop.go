package lower

import (
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
)

// ServiceLoop is the kind of the assumption that iterations of a loop are units of work.
const ServiceLoop = "service loop"

// servicePrefix begins the key by which the end of a unit says, until the model is
// complete, that it is that of an iteration of a service loop.
const servicePrefix = "service "

// serviceMark returns the key for a number of unitLoop.service.
func serviceMark(service int) string { return servicePrefix + strconv.Itoa(service) }

// settleServices decides in the complete model which iterations of service loops
// end units: those at whose beginning no lock is held. It lists them as assumptions.
func (l *lowerer) settleServices(p *esl.Program) {
	if len(l.services) == 0 {
		return
	}
	held := notes.MayHold(p)
	for f := range p.Functions {
		body := p.Functions[f].Body
		for i := range body {
			mark, ok := strings.CutPrefix(body[i].Key, servicePrefix)
			if body[i].Op != esl.UnitEnd || !ok {
				continue
			}
			body[i].Key = ""
			if held[f][i] {
				body[i], body[i+1] = esl.Stmt{Op: esl.Skip}, esl.Stmt{Op: esl.Skip}
				continue
			}
			number, _ := strconv.Atoi(mark)
			l.assume(ServiceLoop, l.services[number-1],
				"each iteration of this loop is a unit of work of its own, because it begins with waiting here")
		}
	}
}
