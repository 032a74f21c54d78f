package predict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/explore"
	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// found makes a violation of a run that was found, if none with the same code on its path is known.
func (p *predictor) found(b *block, found *explore.Result) {
	var key strings.Builder
	key.WriteString(b.name)
	for _, id := range found.Path {
		e := p.at(id)
		fmt.Fprintf(&key, "|%d %d", e.Op, e.Place)
		if e.Place == 0 {
			fmt.Fprintf(&key, " %s %s", p.src.Thread(e.Thread), p.src.Text(e))
		}
	}
	if v := p.seen[key.String()]; v != nil {
		v.Count++
		return
	}
	v := &Violation{Count: 1, Block: Block{Thread: p.src.Thread(p.at(b.id(0)).Thread), Name: b.name,
		Begin: p.at(b.id(0)).Number, End: p.at(b.id(len(b.Accesses) - 1)).Number}}
	v.Seen = slices.IsSortedFunc(found.Path, func(x, y order.ID) int { return p.h.Number(x) - p.h.Number(y) })
	v.Steps = p.steps(b, found)
	p.seen[key.String()] = v
	p.report.Violations = append(p.report.Violations, v)
	if p.options.Found != nil {
		p.options.Found(v)
	}
}

func (p *predictor) at(id order.ID) events.Event { return p.log[p.h.Number(id)-p.h.Start()] }

// steps are the events of a run that explain it: the path, the locks of its threads from the block's
// first access on, and those that they hold then.
func (p *predictor) steps(b *block, found *explore.Result) []Step {
	threads := map[int32]bool{}
	held := map[order.ID]bool{}
	for _, id := range found.Path {
		threads[id.Thread] = true
		for l := p.h.HeldAt(id.Thread, id.Index); l != nil; l = l.Next {
			held[l.Acquire] = true
		}
	}
	var all []Step
	begun := false
	for _, id := range found.Run {
		e := p.h.Find(id)
		begun = begun || id == b.id(0)
		path := slices.Contains(found.Path, id)
		sync := e.Kind > order.Update && threads[id.Thread] && p.at(id).Op.Kind() != events.Nothing
		if !path && !held[id] && !(begun && sync && len(all) < maxSteps) {
			continue
		}
		all = append(all, p.step(b, id, path))
	}
	return all
}

// maxSteps bounds what is shown beside the path.
const maxSteps = 24

func (p *predictor) step(b *block, id order.ID, path bool) Step {
	e := p.at(id)
	place := p.src.Place(e.Place)
	_, in := slices.BinarySearch(b.Accesses, id.Index)
	return Step{Number: e.Number, Thread: p.src.Thread(e.Thread), Text: p.src.Text(e), Pos: place.Pos, Code: place.Function,
		Path: path, InBlock: in && id.Thread == b.Thread, place: e.Place}
}
