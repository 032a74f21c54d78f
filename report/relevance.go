package report

import (
	"slices"
)

// relevance.go chooses what of a counterexample is told step by step. A goroutine
// has a column if it has an event of the pattern, or does something between the
// events that the others depend on. The other goroutines are told in a sentence:
// whom they start, and which locks they hold.

// chooseSteps numbers the steps that are told and marks the lanes with a column.
func (st *story) chooseSteps() {
	first, last := st.eventRange()
	for i := range st.lanes {
		l := &st.lanes[i]
		l.column = len(st.actors) == 0 || st.actorOf(i) >= 0 || st.intervenes(i, first, last)
		l.relevant = l.column
	}
	st.markStarters()
	number := 0
	for lane := range st.lanes {
		st.foldUnits(lane)
	}
	for i := range st.steps {
		s := &st.steps[i]
		if s.shown = st.isTold(i); s.shown {
			number++
			s.number = number
		}
	}
	st.orderLanes()
}

// eventRange returns the indices of the first and the last step that is an event.
func (st *story) eventRange() (first, last int) {
	first, last = len(st.steps), -1
	for i, s := range st.steps {
		if s.Event > 0 {
			first, last = min(first, i), i
		}
	}
	return first, last
}

// intervenes tells whether a goroutine without an event does something between the
// first and the last event that the run needs, other than starting a goroutine: it
// accesses a field of the pattern, lets go of a lock that it had before, gives a
// signal or takes one (which lets a sender go on), or waits before it does one of these or starts a goroutine.
// So does one that lets go of a lock that another one has taken.
func (st *story) intervenes(lane, first, last int) bool {
	for i, s := range st.steps[:last+1] {
		if s.lane == lane && s.Action == "unlock" && !slices.Contains(st.heldAt(lane, i), heldLock{s.Lock, s.Object}) {
			return true
		}
	}
	needed := false
	for i := last; i > first; i-- {
		s := st.steps[i]
		if s.lane != lane {
			continue
		}
		switch s.Action {
		case "read", "write", "rmw":
			if slices.Contains(st.scenario.Locations, s.Location) {
				return true
			}
		case "send", "close", "set", "done":
			return true
		case "recv":
			if !s.Closed || needed {
				return true
			}
		case "unlock", "runlock":
			if slices.Contains(st.heldAt(lane, first), heldLock{s.Lock, s.Object}) {
				return true
			}
		case "start":
			needed = true
		case "lock", "rlock", "wait", "await":
			if needed {
				return true
			}
		}
	}
	return false
}

// markStarters makes the goroutines that start a relevant one relevant.
func (st *story) markStarters() {
	for changed := true; changed; {
		changed = false
		for i := range st.lanes {
			by := st.starter(i)
			if st.lanes[i].relevant && by >= 0 && !st.lanes[by].relevant {
				st.lanes[by].relevant, changed = true, true
			}
		}
	}
}

// starter returns the lane that starts a lane, or -1.
func (st *story) starter(lane int) int {
	if at := st.lanes[lane].startedAt; at >= 0 {
		return st.steps[at].lane
	}
	return -1
}

// foldUnits folds the units that a goroutine has been through without an event of
// anybody in between: they are told in one row.
func (st *story) foldUnits(lane int) {
	begin, depth := -1, 0
	for i := range st.steps {
		s := &st.steps[i]
		switch {
		case s.Event > 0:
			begin = -1
		case s.lane != lane:
		case s.Action == "unit-begin":
			if depth == 0 {
				begin = i
			}
			depth++
		case s.Action == "unit-end" && depth > 0:
			if depth--; depth == 0 && begin >= 0 {
				st.fold(lane, begin, i)
			}
		}
	}
}

// fold folds the steps of a lane from one to another, unless others depend on
// what happens in there: a goroutine is started, a signal given or taken, a lock
// kept.
func (st *story) fold(lane, begin, end int) {
	if !slices.Equal(st.heldAt(lane, begin), st.heldAt(lane, end+1)) {
		return
	}
	for i := begin; i <= end; i++ {
		s := st.steps[i]
		if s.lane == lane && (st.isRelevantStart(i) || slices.Contains([]string{"close", "set"}, s.Action) ||
			st.signals(s, begin, end)) {
			return
		}
	}
	for i := begin; i <= end; i++ {
		if st.steps[i].lane == lane {
			st.steps[i].folded = true
		}
	}
}

// signals tells whether a step that sends or receives matters to others: not if all
// that happens on the channel between two steps is that the goroutine sends as often
// as it receives, as with a channel that stands for a lock.
func (st *story) signals(s storyStep, begin, end int) bool {
	if s.Channel == "" {
		return false
	}
	balance := 0
	for _, t := range st.steps[begin : end+1] {
		switch {
		case t.Channel != s.Channel:
		case t.lane != s.lane || t.Closed:
			return true
		case t.Action == "send":
			balance++
		case t.Action == "recv":
			balance--
		}
	}
	return balance != 0
}

// isTold tells whether a step has a row.
func (st *story) isTold(i int) bool {
	switch s := st.steps[i]; {
	case !st.lanes[s.lane].column:
		return false
	case s.folded:
		return s.Action == "unit-begin"
	case s.Action == "start":
		return st.isRelevantStart(i)
	}
	return true
}

// isRelevantStart tells whether a step starts a goroutine that matters.
func (st *story) isRelevantStart(step int) bool {
	return slices.ContainsFunc(st.lanes, func(l lane) bool { return l.relevant && l.startedAt == step })
}

// orderLanes lists the lanes with a column as they are drawn: u, then u', then
// the others.
func (st *story) orderLanes() {
	for _, a := range st.actors {
		st.columns = append(st.columns, a.lane)
	}
	for i, l := range st.lanes {
		if l.column && !slices.Contains(st.columns, i) {
			st.columns = append(st.columns, i)
		}
	}
}

// background says what the goroutines without a column contribute, in a sentence
// each: "main starts g1 at main.go:18 and g2 at main.go:23".
func (st *story) background() []string {
	first, _ := st.eventRange()
	var sentences []string
	for i, l := range st.lanes {
		if l.column {
			continue
		}
		if starts := st.startsInWords(i); l.relevant && len(starts) > 0 {
			sentences = append(sentences, l.name+" starts "+and(starts))
		}
		for _, lock := range st.heldAt(i, first) {
			sentences = append(sentences, l.name+" holds "+lock.name+" all the while")
		}
		if signals := st.signalsInWords(i); len(signals) > 0 {
			sentences = append(sentences, l.name+" "+and(signals))
		}
	}
	return sentences
}

// signalsInWords lists what a goroutine does on the channels that those with a column
// use: "sends on jobs" and "closes jobs".
func (st *story) signalsInWords(by int) []string {
	verbs := map[string]string{"send": "sends on ", "recv": "receives from ", "close": "closes "}
	var signals []string
	for _, s := range st.steps {
		if s.lane != by || s.Channel == "" || s.Closed || !st.usedInColumn(s.Channel) {
			continue
		}
		if signal := verbs[s.Action] + s.Channel; !slices.Contains(signals, signal) {
			signals = append(signals, signal)
		}
	}
	return signals
}

// usedInColumn tells whether a goroutine with a column does something on the channel.
func (st *story) usedInColumn(channel string) bool {
	return slices.ContainsFunc(st.steps, func(s storyStep) bool { return s.Channel == channel && st.lanes[s.lane].column })
}

// startsInWords lists whom a goroutine starts and where: "g1 and g2 at main.go:18".
func (st *story) startsInWords(by int) []string {
	var starts, same []string
	place := ""
	for i, s := range st.steps {
		for _, l := range st.lanes {
			if s.lane != by || !l.relevant || l.startedAt != i {
				continue
			}
			at := ""
			if p := st.place(s.Pos); p != "" {
				at = " at" + unbroken + p
			}
			if at != place && len(same) > 0 {
				starts, same = append(starts, and(same)+place), nil
			}
			same, place = append(same, l.name), at
		}
	}
	if len(same) > 0 {
		starts = append(starts, and(same)+place)
	}
	return starts
}
