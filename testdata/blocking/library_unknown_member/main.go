// Package library_unknown_member: clients say which member of a group ends. Who asks for the total when it has been
// taken waits for ever.
package library_unknown_member

// member is what runs in a group.
type member interface{ end() }

type clock struct{ over chan struct{} }

func (c *clock) run() {
	<-c.over
}

func (c *clock) end() {
	select {
	case c.over <- struct{}{}:
	default:
	}
}

type counter struct {
	over  chan struct{}
	total chan int
}

func (c *counter) run() {
	select {
	case <-c.over:
	case c.total <- 1:
	}
}

func (c *counter) end() {
	select {
	case c.over <- struct{}{}:
	default:
	}
}

// Group has members that run.
type Group struct {
	members []member
	total   chan int
}

// New makes a group.
func New() *Group {
	total := make(chan int)
	a := &clock{over: make(chan struct{})}
	b := &counter{over: make(chan struct{}), total: total}
	go a.run()
	go b.run()
	return &Group{members: []member{a, b}, total: total}
}

// End ends a member.
func (g *Group) End(i int) {
	if 0 <= i && i < len(g.members) {
		g.members[i].end()
	}
}

// Total returns what has been counted.
func (g *Group) Total() int {
	return <-g.total // want blocked
}
