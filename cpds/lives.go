package cpds

import "github.com/empire-go/empire-go/esl"

// addLives adds the bookkeeping of started and finished copies: a component for
// each instance, which knows whether it is idle, running or done. Copies are
// started in their order; a Start passes without effect where the only copy runs
// already; a Join waits until each copy is idle or done. An instance of which
// nobody asks any of that needs no component.
func (b *builder) addLives() {
	for _, in := range b.threads {
		if c := b.life(in); c != nil {
			b.add(c)
		}
	}
}

// life returns the component of an instance, or nil if only its thread takes part
// in its start.
func (b *builder) life(in esl.Instance) *Component {
	idle, running, done := 0, 1, 2
	states := []string{"idle", "running", "done"}
	if b.model.Program.Processes[in.Process].Initial {
		idle, running, done = 2, 0, 1
		states = []string{"running", "done", "idle"}
	}
	c := newMachine(b.instance(in)+" life", Lock, states...)
	asked := false
	for _, e := range b.events {
		switch {
		case e.op == esl.Start && e.started() == in:
			c.rule(idle, e.action, running)
			continue
		case e.op == esl.Start && e.arg == in.Process && (e.target == in.Copy+1 || e.target == 0):
			c.rule(running, e.action, running)
			c.rule(done, e.action, done)
		case e.op == esl.Join && e.arg == in.Process:
			c.rule(idle, e.action, idle)
			c.rule(done, e.action, done)
		case e.op == esl.Done && e.by == in:
			c.rule(running, e.action, done)
			c.rule(done, e.action, done)
		default:
			continue
		}
		asked = true
	}
	if !asked {
		return nil
	}
	return c.finish()
}
