package predict

import (
	"errors"
	"io"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/units"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Units are the units of work of a recorded trace: the accesses of each to the atomic set that it is a unit on. The
// trace is read beside the events, a little ahead of them, since which code is a unit is known later than it begins.
func Units(in io.Reader) (Blocks, error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	if r.Header().Reduced {
		return nil, trace.ErrReduced
	}
	if len(r.Header().Plan) == 0 {
		return nil, errors.New("the trace does not say which code is a unit of work; write --blocks sections")
	}
	plan, err := watch.Decode(r.Header().Plan)
	if err != nil {
		return nil, err
	}
	u := &unitBlocks{reader: r, owners: map[uint64][]owned{}, all: map[*automata.Unit]*unit{}, live: map[*unit]bool{}}
	u.tracker = units.New(r.Header(), plan, u)
	return u, nil
}

// unitBlocks follows the units of a run.
type unitBlocks struct {
	reader  *trace.Reader
	tracker *units.Tracker
	done    bool
	read    uint64
	owners  map[uint64][]owned // of accesses, by number
	all     map[*automata.Unit]*unit
	live    map[*unit]bool // with accesses already, and not ended
	ended   []*block
}

type unit struct {
	block
	told, added int // accesses
	over        bool
	passing     map[uint8][]int // by token: reads that may be forgotten, by their place among the accesses
}

// owned is an access of a unit, with the token of a read that may be forgotten and those of the reads that it forgets:
// their values do not matter any more, as those of a condition that is looked at again after a wait.
type owned struct {
	*unit
	token   uint8
	forgets uint64
}

// add adds the access.
func (o owned) add(id order.ID) {
	o.unit.add(id)
	at := len(o.Accesses) - 1
	for token, reads := range o.passing {
		if o.forgets&(1<<token) == 0 {
			continue
		}
		for len(o.Until) < at {
			o.Until = append(o.Until, 0)
		}
		for _, read := range reads {
			o.Until[read] = at
		}
		delete(o.passing, token)
	}
	if o.token != 0 {
		if o.passing == nil {
			o.passing = map[uint8][]int{}
		}
		o.passing[o.token] = append(o.passing[o.token], at)
	}
}

// ahead is how many records the tracker has read more than it has looked at, at most.
const ahead = 1 << 13

func (u *unitBlocks) Begin(goroutine uint32, data any) *automata.Unit {
	a := &automata.Unit{Goroutine: goroutine, Data: data}
	site := data.(*units.Unit).Frame.Site
	u.all[a] = &unit{block: block{name: u.reader.Header().Site(site).Function, site: site}}
	return a
}

func (u *unitBlocks) Access(a *automata.Unit, access automata.Access) {
	of := u.all[a]
	of.told++
	u.owners[access.Index] = append(u.owners[access.Index], owned{of, access.Token, access.Forgets})
}

func (u *unitBlocks) Fork(*automata.Unit, uint32) {}
func (u *unitBlocks) Join(*automata.Unit, uint32) {}

func (u *unitBlocks) End(a *automata.Unit) {
	of := u.all[a]
	delete(u.all, a)
	of.over = true
	u.finish(of)
}

// finish ends a unit whose accesses have all come.
func (u *unitBlocks) finish(of *unit) {
	if of.over && of.told == of.added {
		delete(u.live, of)
		u.ended = append(u.ended, &of.block)
	}
}

// pull reads on until the tracker has looked at a record.
func (u *unitBlocks) pull(number uint64) {
	for !u.done && u.read < number+ahead {
		e, err := u.reader.Read()
		if err != nil {
			u.tracker.Close()
			u.done = true
			return
		}
		u.read++
		u.tracker.Add(e)
	}
}

func (u *unitBlocks) event(e events.Event, id order.ID, _ *order.Held) []*block {
	u.pull(uint64(e.Number))
	if owners, ok := u.owners[uint64(e.Number)]; ok && id.Index > 0 {
		delete(u.owners, uint64(e.Number))
		for _, of := range owners {
			of.add(id)
			of.added++
			u.live[of.unit] = true
			u.finish(of.unit)
		}
	}
	ended := u.ended
	u.ended = nil
	return ended
}

func (u *unitBlocks) open(show func(*block)) {
	for of := range u.live {
		show(&of.block)
	}
}

func (u *unitBlocks) rest() (all []*block) {
	all, u.ended = u.ended, nil
	return all
}
