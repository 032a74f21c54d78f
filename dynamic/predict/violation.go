package predict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/explore"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/patterns"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
)

// found makes a violation of a run that was found, if none with the same code on its path is known.
func (p *predictor) found(b *block, found *explore.Result) {
	var key strings.Builder
	key.WriteString(b.name)
	for _, id := range found.Path {
		key.WriteString("|" + p.code(id))
	}
	if v := p.seen[key.String()]; v != nil {
		v.Count++
		return
	}
	v := &Violation{Count: 1, Block: p.block(b.name, b.site, &b.Block), Seen: p.observed(found.Path),
		Steps: p.steps(&b.Block, found.Path, found.Run)}
	p.seen[key.String()] = v
	p.report.Violations = append(p.report.Violations, v)
	if p.options.Found != nil {
		p.options.Found(v)
	}
}

// block says where a block is.
func (p *predictor) block(name string, site uint32, b *segment.Block) Block {
	first := p.at(order.ID{Thread: b.Thread, Index: b.Accesses[0]})
	last := p.at(order.ID{Thread: b.Thread, Index: b.Accesses[len(b.Accesses)-1]})
	return Block{p.src.Thread(first.Thread), name, first.Number, last.Number, site}
}

// observed tells whether events were observed in their order.
func (p *predictor) observed(events []order.ID) bool {
	return slices.IsSortedFunc(events, func(x, y order.ID) int { return p.h.Number(x) - p.h.Number(y) })
}

// matched makes a violation of a pattern that was found.
func (p *predictor) matched(m *patterns.Match) {
	v := &Pattern{Scenario: m.Scenario, Pattern: m.Pattern, Seen: p.observed(m.Events),
		Steps: p.steps(m.Units[0].Block, m.Events, m.Run)}
	for i, u := range m.Units {
		v.Units[i] = p.block(u.Name, u.Site, u.Block)
		child := p.at(order.ID{Thread: u.Thread, Index: u.Accesses[0]}).Thread
		if e, ok := p.started[child]; ok {
			v.Starts = append(v.Starts, Start{p.described(e), p.src.Thread(child)})
		}
	}
	p.report.Patterns = append(p.report.Patterns, v)
}

// code names the code of an event.
func (p *predictor) code(id order.ID) string {
	e := p.at(id)
	if e.Place != 0 {
		return fmt.Sprint(e.Op, e.Place)
	}
	return p.src.Text(e)
}

func (p *predictor) at(id order.ID) events.Event { return p.log[p.h.Number(id)-p.h.Start()] }

// steps are the events of a run that explain it: the path, the locks of its threads from the block's
// first access on, and those that they hold then.
func (p *predictor) steps(b *segment.Block, path, run []order.ID) []Step {
	threads := map[int32]bool{}
	held := map[order.ID]bool{}
	for _, id := range path {
		threads[id.Thread] = true
		for l := p.h.HeldAt(id.Thread, id.Index); l != nil; l = l.Next {
			held[l.Acquire] = true
		}
	}
	var all []Step
	begun := false
	for _, id := range run {
		e := p.h.Find(id)
		begun = begun || id == (order.ID{Thread: b.Thread, Index: b.Accesses[0]})
		on := slices.Contains(path, id)
		sync := e.Kind > order.Update && threads[id.Thread] && p.at(id).Op.Kind() != events.Nothing
		if !on && !held[id] && !(begun && sync && len(all) < maxSteps) {
			continue
		}
		all = append(all, p.step(b, id, on))
	}
	return all
}

// maxSteps bounds what is shown beside the path.
const maxSteps = 24

func (p *predictor) step(b *segment.Block, id order.ID, path bool) Step {
	s := p.described(p.at(id))
	_, in := slices.BinarySearch(b.Accesses, id.Index)
	s.Path, s.InBlock = path, in && id.Thread == b.Thread
	return s
}

// described is an event as a reader sees it.
func (p *predictor) described(e events.Event) Step {
	place := p.src.Place(e.Place)
	return Step{Number: e.Number, Thread: p.src.Thread(e.Thread), Text: p.src.Text(e), Pos: place.Pos,
		Code: place.Function, Event: e}
}
