package cpds

import (
	"slices"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/esl"
)

// frame is a unit opened by a function activation and not yet ended by it.
type frame struct {
	esl.UnitName
	with []int
}

// openUnits says for each object which unit of work is open there. Only the
// outermost frame on an object gives its label, and every frame adds the objects
// of its With. It is all that code can observe of the units its callers opened,
// and there are finitely many: functions are cloned by it, so units need no stack.
type openUnits []openUnit

type openUnit struct {
	open  bool
	label string
	with  []int // ascending
}

// after returns what is open after the frame has been opened too.
func (o openUnits) after(f frame) openUnits {
	next := slices.Clone(o)
	u := &next[f.Object]
	if !u.open {
		u.open, u.label = true, f.Label
	}
	with := append(slices.Clone(u.with), f.with...)
	slices.Sort(with)
	u.with = slices.Compact(with)
	return next
}

// afterAll returns what is open after the frames have been opened in order.
func (o openUnits) afterAll(frames []frame) openUnits {
	for _, f := range frames {
		o = o.after(f)
	}
	return o
}

// tags returns the units that an access to a location of the object is an event
// of, in the order of their objects.
func (o openUnits) tags(object int) []esl.UnitName {
	var tags []esl.UnitName
	for i, u := range o {
		if u.open && (i == object || slices.Contains(u.with, object)) {
			tags = append(tags, esl.UnitName{Object: i, Label: u.label})
		}
	}
	return tags
}

// all returns all open units, in the order of their objects.
func (o openUnits) all() []esl.UnitName {
	var tags []esl.UnitName
	for i, u := range o {
		if u.open {
			tags = append(tags, esl.UnitName{Object: i, Label: u.label})
		}
	}
	return tags
}

// key identifies the open units.
func (o openUnits) key() string {
	var b strings.Builder
	for _, u := range o {
		if u.open {
			b.WriteString(strconv.Quote(u.label))
			writeInts(&b, u.with)
		}
		b.WriteByte(';')
	}
	return b.String()
}

// framesKey identifies the frames.
func framesKey(frames []frame) string {
	var b strings.Builder
	for _, f := range frames {
		writeInts(&b, []int{f.Object})
		b.WriteString(strconv.Quote(f.Label))
		writeInts(&b, f.with)
		b.WriteByte(';')
	}
	return b.String()
}

func writeInts(b *strings.Builder, ints []int) {
	for _, i := range ints {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte(',')
	}
}

// unitComponent returns the unit of work of an instance: out or in. It follows
// from the clones that an access tagged with the unit happens inside only; the
// component says so to an engine that has over-approximated a recursive thread
// (Empire report, section 5.3, with a bit for the stack).
func (b *builder) unitComponent(by esl.Instance, unit esl.UnitName) *Component {
	c := newMachine(b.instance(by)+" in "+b.unit(unit), Unit, "out", "in")
	const out, in = 0, 1
	for _, e := range b.events {
		if e.by != by {
			continue
		}
		switch {
		case e.op == esl.UnitBegin && e.unit == unit:
			c.rule(out, e.action, in)
		case e.op == esl.UnitEnd && e.unit == unit:
			c.rule(in, e.action, out)
		case e.op == esl.Access && slices.Contains(e.tags, unit):
			c.rule(in, e.action, in)
		}
	}
	return c.finish()
}
