package order

import "fmt"

// channel orders a receive after its send, and a send after the receive that makes room for it.
func (h *History) channel(t *thread, e *Event, op Op) error {
	switch op {
	case OpSend, OpPresend:
		return h.send(t, e, op)
	case OpReceive:
		return h.receive(t, e)
	case OpClose:
		h.sync('c', e.Object).closed = true
	}
	return nil
}

func (h *History) send(t *thread, e *Event, op Op) error {
	o := h.sync('c', e.Object)
	if o.closed {
		return fmt.Errorf("the channel is closed already")
	}
	o.messages, o.before = append(o.messages, e.ID), append(o.before, t.clock)
	o.sent++
	t.on, t.number, t.sent = o, o.sent, signal{e.ID, nil}
	if op == OpPresend {
		t.sent.before = nothing // goes on with a Postsend
	}
	return nil
}

func (h *History) receive(t *thread, e *Event) error {
	o := h.sync('c', e.Object)
	if len(o.messages) == 0 {
		if !o.closed {
			return fmt.Errorf("there is no message that it could receive")
		}
		return nil // what a closed channel gives
	}
	t.learn(e.Thread, o.messages[0], o.before[0])
	o.messages, o.before = trimmed(o.messages, 1), trimmed(o.before, 1)
	o.received++
	o.freed = append(o.freed, signal{e.ID, t.clock})
	o.by[1].add(e.ID, t.clock) // receives: with its send
	if most := 2 * (o.room + len(h.threads) + 64); len(o.freed) > most {
		o.first += len(o.freed) - most/2
		o.freed = trimmed(o.freed, len(o.freed)-most/2)
	}
	return nil
}

// move lets a thread that has sent go on: either the channel is known to have room for the message, or a receive has
// made room. How much room there is nobody says; what was seen to be there is.
func (h *History) move(slot int32, t *thread) {
	o := t.on
	if o == nil || t.sent.before != nil {
		return
	}
	t.on = nil
	o.room = max(o.room, t.number-o.received)
	if by := t.number - o.room; by > 0 && o.received > 0 {
		freed := o.receive(by)
		t.learn(slot, freed.ID, freed.before)
	}
}

// receive is the receive with a number, or, if it is long ago, the first later one that is known.
func (o *object) receive(number int) signal { return o.freed[max(0, number-1-o.first)] }

// postsend comes after the receive of what the thread has sent.
func (h *History) postsend(t *thread, e *Event) error {
	o := h.sync('c', e.Object)
	if t.on != o || t.sent.before == nil {
		return fmt.Errorf("nothing was being sent on the channel")
	}
	if t.number > o.received {
		return fmt.Errorf("what was sent has not been received yet")
	}
	t.on, t.sent = nil, signal{}
	by := o.receive(t.number)
	t.learn(e.Thread, by.ID, by.before)
	return nil
}
