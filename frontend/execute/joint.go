package execute

// A call that waits until another one has done something, by a wait group or a channel that is closed, is
// meant to meet it: what comes of that is what the author had in mind, as where one of several calls computes
// and the others take its result.

// joins notes that a goroutine has waited for what another one has done, nil where it is not known.
func (g *goroutine) joins(by *goroutine) {
	if g.m.joined != nil && by != nil {
		g.m.joined(g, by)
	}
}

// joined notes whether one of the two calls has waited for the other one.
func (c *carrier) joined(g, by *goroutine) {
	first, second := c.outcomes[0], c.outcomes[1]
	if first != nil && second != nil && (g == first.g && by == second.g || g == second.g && by == first.g) {
		c.shown.Joint = true
	}
}
