package predict

import (
	"cmp"
	"fmt"
	"slices"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/preserving"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/scenarios"
)

// Swap is two operations that can come in another order than they did, in which they go wrong: an order violation, or a
// missed signal.
type Swap struct {
	Class scenarios.Class
	What  string // in words: "a send on a channel that is closed"
	First Step   // of what comes first then; of what has not come yet, if IsMissing
	Then  Step
	// IsMissing tells that Then comes while First has not been done.
	IsMissing bool
	Steps     []Step // of the run
	ID        string // of the result
	leads     []Step
	before    Step // of what is missing: where its thread begins to take the locks that it holds then
}

// swapped is the operations of a window on one object that can go wrong in another order, in the order of the run.
type swapped struct {
	sends, closes, receives  []order.ID
	adds, dones, waits       []order.ID
	prewaits, notifies, uses []order.ID
	writes                   []order.ID
}

type swapKey struct {
	kind   events.Kind
	object uint64
}

// sites is a source that knows more of places.
type sites interface{ Site(place uint32) trace.Site }

// site is what is known of the place of an event.
func (p *predictor) site(e events.Event) trace.Site {
	if src, ok := p.src.(sites); ok {
		return src.Site(e.Place)
	}
	return trace.Site{}
}

// swaps looks for operations in a window that can come in the wrong order.
func (p *predictor) swaps() {
	if !p.options.Orders && !p.options.Signals {
		return
	}
	all := map[swapKey]*swapped{}
	var keys []swapKey
	for i, e := range p.log {
		of := func() *swapped {
			k := swapKey{e.Op.Kind(), e.Object}
			if all[k] == nil {
				all[k] = &swapped{}
				keys = append(keys, k)
			}
			return all[k]
		}
		add := func(to *[]order.ID) { *to = append(*to, p.h.Event(p.h.Start()+i).ID) }
		switch e.Op {
		case events.Send, events.Presend:
			add(&of().sends)
		case events.Close:
			add(&of().closes)
		case events.Receive:
			add(&of().receives)
		case events.Add:
			add(&of().adds)
		case events.Done:
			add(&of().dones)
		case events.Wait:
			add(&of().waits)
		case events.Prewait:
			add(&of().prewaits)
		case events.Notify:
			add(&of().notifies)
		case events.Read:
			if p.site(e).Uses {
				add(&of().uses)
			}
		case events.Write, events.Update:
			add(&of().writes)
		}
	}
	for _, k := range keys {
		s := all[k]
		if p.options.Orders {
			p.channelOrders(s)
			p.groupOrders(s)
			p.nilOrders(s)
		}
		if p.options.Signals {
			p.signalOrders(k, s)
		}
	}
}

// last is the last operations of each thread and place, of those that come before a number, or of all for -1.
func (p *predictor) last(all []order.ID, before int) (some []order.ID) {
	type code struct {
		thread int32
		place  uint32
	}
	seen := map[code]bool{}
	for _, id := range slices.Backward(all) {
		c := code{id.Thread, p.at(id).Place}
		if before >= 0 && p.h.Number(id) >= before || seen[c] {
			continue
		}
		seen[c] = true
		some = append(some, id)
	}
	return some
}

// channelOrders looks for a close that can come before a send.
func (p *predictor) channelOrders(s *swapped) {
	for _, c := range s.closes {
		for _, id := range p.last(s.sends, -1) {
			if found, ok := preserving.Swapped(p.h, c, id); ok {
				p.swap("order", "a send on a channel that is closed", found, false)
			}
		}
	}
}

// groupOrders looks for a Wait that can come before the first Add, and a Done that can.
func (p *predictor) groupOrders(s *swapped) {
	if len(s.adds) == 0 {
		return
	}
	isFirst := func(found preserving.Swap) bool { return !slices.ContainsFunc(s.adds, found.Has) }
	first := s.adds[0]
	if p.counted[swapKey{events.Counter, p.at(first).Object}] { // in an earlier window
		return
	}
	for _, w := range p.last(s.waits, -1) {
		if found, ok := preserving.Swapped(p.h, w, first); ok && isFirst(found) {
			p.swap("order", "Add of a wait group after Wait", found, false)
		}
	}
	for _, d := range p.last(s.dones, -1) {
		if found, ok := preserving.Early(p.h, d, first); ok && isFirst(found) {
			p.swap("order", "a wait group counted down below zero", found, true)
		}
	}
}

// nilOrders looks for a use of a variable that can come before its first write, or after it is set to nil.
func (p *predictor) nilOrders(s *swapped) {
	if len(s.writes) == 0 {
		return
	}
	first := s.writes[0]
	for _, use := range p.last(s.uses, -1) {
		e := p.at(use)
		if p.site(e).FromNil && !p.counted[swapKey{events.Variable, e.Object}] && p.h.Find(use).Writer == first {
			if found, ok := preserving.Early(p.h, use, first); ok && !slices.ContainsFunc(s.writes, found.Has) {
				p.swap("order", "nil used before the variable is set", found, true)
			}
		}
		for _, w := range s.writes {
			if p.h.Number(w) < p.h.Number(use) || !p.site(p.at(w)).SetsNil {
				continue
			}
			if found, ok := preserving.Swapped(p.h, w, use); ok && p.isLastWrite(found, s.writes) {
				p.swap("order", "nil used after the variable is set to it", found, false)
			}
		}
	}
}

// isLastWrite tells whether the first operation of a swap is the last of some writes in the run.
func (p *predictor) isLastWrite(found preserving.Swap, writes []order.ID) bool {
	for _, id := range slices.Backward(found.Run) {
		if slices.Contains(writes, id) {
			return id == found.First
		}
	}
	return false
}

// signalOrders looks for a signal that can come before the wait which it has ended, if none comes after it; and for a
// send that can be left out because the receiver has not come yet, if nothing else is sent there.
func (p *predictor) signalOrders(k swapKey, s *swapped) {
	if n := len(s.notifies); n > 0 {
		notify := s.notifies[n-1]
		for _, w := range p.last(s.prewaits, p.h.Number(notify)) {
			if found, ok := preserving.Swapped(p.h, notify, w); ok {
				p.suspect(k, "a signal that comes before the wait", found)
			}
		}
	}
	n, m := len(s.sends), len(s.receives)
	if n == 0 || m == 0 || len(s.closes) > 0 || p.site(p.at(s.sends[n-1])).Kind != trace.TrySend {
		return
	}
	send := s.sends[n-1]
	if i := slices.IndexFunc(s.receives, func(id order.ID) bool { return p.h.Number(id) > p.h.Number(send) }); i >= 0 &&
		p.at(send).Op == events.Presend && i == m-1 {
		if found, ok := preserving.Swapped(p.h, send, s.receives[i]); ok {
			p.suspect(k, "a send that is left out before the receiver waits", found)
		}
	}
}

// suspect is a missed signal, if no other signal follows.
type suspect struct {
	*Swap
	thread uint32 // that waits
	isSend bool   // it counts only if the thread ends: else it may wait for more, as in the observed run
}

// suspect keeps a missed signal until it is known whether another one follows.
func (p *predictor) suspect(k swapKey, what string, found preserving.Swap) {
	p.suspects[k] = append(p.suspects[k], &suspect{p.swapOf("missed-signal", what, found, false),
		p.at(found.Then).Thread, k.kind == events.Channel})
}

// signalled takes in an event: another signal on an object comes to who waits there.
func (p *predictor) signalled(e events.Event) {
	switch e.Op {
	case events.Notify, events.Send, events.Presend, events.Close:
		delete(p.suspects, swapKey{e.Op.Kind(), e.Object})
	case events.End:
		p.over[e.Thread] = true
	case events.Gone:
		for _, kind := range []events.Kind{events.Condition, events.Channel, events.Counter} {
			k := swapKey{kind, e.Object}
			p.settled = append(p.settled, p.suspects[k]...)
			delete(p.suspects, k)
			delete(p.counted, k)
		}
	}
}

// forget keeps what was done before the window.
func (p *predictor) forget(log []events.Event) {
	if !p.options.Orders {
		return
	}
	for _, e := range log {
		if e.Op == events.Add || e.Op == events.Write || e.Op == events.Update {
			p.counted[swapKey{e.Op.Kind(), e.Object}] = true
		}
	}
}

// settleSwaps reports the signals that can be missed, when the trace has come to its end.
func (p *predictor) settleSwaps() {
	all := p.settled
	for _, some := range p.suspects {
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b *suspect) int {
		return cmp.Or(a.First.Number-b.First.Number, a.Then.Number-b.Then.Number)
	})
	for _, s := range all {
		key := fmt.Sprint("missed-signal|", s.First.Event.Place, "|", s.Then.Event.Place)
		if s.isSend && !p.over[s.thread] || p.told[key] {
			continue
		}
		p.told[key] = true
		p.report.Swaps = append(p.report.Swaps, s.Swap)
	}
}

// swap reports a swap if its code is new.
func (p *predictor) swap(class, what string, found preserving.Swap, isMissing bool) {
	if p.isNew(class+what, []order.ID{found.First, found.Then}) {
		p.report.Swaps = append(p.report.Swaps, p.swapOf(class, what, found, isMissing))
	}
}

func (p *predictor) swapOf(name, what string, found preserving.Swap, isMissing bool) *Swap {
	class, _ := scenarios.ClassByName(name)
	out := &Swap{Class: class, What: what, First: p.described(p.at(found.First)), Then: p.described(p.at(found.Then)),
		IsMissing: isMissing}
	out.before = out.First
	for l := p.h.HeldAt(found.First.Thread, found.First.Index-1); l != nil && p.h.Kept(l.Acquire); l = l.Next {
		if l.Acquire.Thread == found.First.Thread {
			out.before = p.described(p.at(l.Acquire))
		}
	}
	out.Steps = p.taken(found.Run, []order.ID{found.First, found.Then})
	if n := len(out.Steps); isMissing {
		out.Steps = slices.Delete(out.Steps, n-2, n-1)
	} else { // it is in the run
		out.Steps = slices.Delete(out.Steps, n-2, n-1)
		out.mark()
	}
	for _, id := range found.Run {
		isOf := id.Thread == found.First.Thread || id.Thread == found.Then.Thread
		if s := p.described(p.at(id)); isOf && swapActions[s.Event.Op] != "" && len(out.leads) < maxLeads {
			out.leads = append(out.leads, s)
		}
	}
	return out
}

// mark marks the first operation in the steps, or puts it in its place if it is an access.
func (s *Swap) mark() {
	first := s.First
	first.Path = true
	i := slices.IndexFunc(s.Steps, func(x Step) bool { return x.Number == first.Number })
	if i >= 0 {
		s.Steps[i].Path = true
		return
	}
	i = slices.IndexFunc(s.Steps, func(x Step) bool { return x.Thread == first.Thread && x.Number > first.Number })
	if i < 0 {
		i = len(s.Steps) - 1
	}
	s.Steps = slices.Insert(s.Steps, i, first)
}

// swapActions are the actions of a result that a program is led along.
var swapActions = map[events.Op]string{events.Lock: "lock", events.RLock: "rlock", events.Close: "close",
	events.Notify: "signal", events.Wait: "wait-group", events.Add: "add", events.Done: "add", events.Send: "send",
	events.Presend: "send", events.Receive: "recv", events.Prewait: "cond-wait", events.Write: "assign"}

// finding is a swap in the form of a finding about blocking: the goroutine is at the operation that goes wrong.
func (s *Swap) finding(h *trace.Header) empire.BlockingFinding {
	f := empire.BlockingFinding{Class: s.Class.Name, Definition: s.Class.Definition,
		Harm: &empire.Harm{Status: empire.HarmPossible}, ID: s.Class.ID(s.What, s.First.Code, s.Then.Code)}
	for _, l := range s.leads {
		f.Interleaving = append(f.Interleaving, empire.Step{Step: len(f.Interleaving) + 1, Goroutine: l.Thread, Instance: 1,
			Function: l.Code, Action: swapActions[l.Event.Op], Lock: lockOf(h, l), Pos: l.Pos, Stack: []string{}})
	}
	f.Waits = []empire.Waiting{{Goroutine: s.Then.Thread, Instance: 1, Function: s.Then.Code, Pos: s.Then.Pos,
		What: s.What}}
	if s.IsMissing { // it is held back
		f.Waits = append(f.Waits, empire.Waiting{Goroutine: s.before.Thread, Instance: 1, Function: s.before.Code,
			Pos: s.before.Pos, What: s.before.Text})
	}
	if s.Then.Event.Op == events.Add {
		f.Confirmation = &empire.Confirmation{Status: empire.NotTried,
			Reason: "a run in which Add comes after Wait goes on as if nothing were wrong"}
	}
	return f
}
