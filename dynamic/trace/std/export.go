package std

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Export writes a recorded trace in the STD format. An imported one gets its names back. Of
// others, goroutine 3 is G3, the lock that is object 5 is L5, and the field count of object 7
// is o7.count. Frames of units become transactions, whatever object they are on: the outermost of
// a goroutine counts, and a function that splits begins the next one.
//
// STD has locks, forks and joins only. What else orders goroutines is exported as a write
// of one and a read of the other of a variable that stands for it: a message of a channel, a
// Done, a sync.Once, and of a RWMutex that some read-lock the right to do so. Condition
// variables, and the room that a receive makes in a channel, are left out: an exported trace
// may order less than the run did. A yield stays one.
func Export(r *trace.Reader, w io.Writer) error {
	if r.Header().Reduced {
		return trace.ErrReduced
	}
	ex := &exporter{header: r.Header(), out: bufio.NewWriter(w), names: map[uint32]string{},
		objects: map[uint32]*exported{}, units: map[uint32][]bool{}}
	ex.readLocks = slices.ContainsFunc(ex.header.Sites, func(s trace.Site) bool {
		return s.Kind == "rlock" || s.Kind == "runlock"
	})
	for {
		e, err := r.Read()
		if err == io.EOF {
			return ex.out.Flush()
		}
		if err != nil {
			return err
		}
		if ex.header.Imported {
			err = ex.original(e)
		} else {
			err = ex.event(e)
		}
		if err != nil {
			return err
		}
	}
}

type exporter struct {
	header    *trace.Header
	out       *bufio.Writer
	text      []byte
	readLocks bool
	names     map[uint32]string    // of threads
	objects   map[uint32]*exported // channels and counters
	units     map[uint32][]bool    // open frames of a goroutine: whether they are on any object
}

// exported is a channel or a counter.
type exported struct{ signals, waits, base int }

func (ex *exporter) line(e trace.Event, op Op, operand string) error {
	ex.text = Line{ex.thread(e.Goroutine), op, operand, Place(ex.header.Site(e.Site).Pos)}.AppendTo(ex.text[:0])
	_, err := ex.out.Write(ex.text)
	return err
}

func (ex *exporter) thread(g uint32) string {
	name, ok := ex.names[g]
	if !ok {
		name = fmt.Sprintf("G%d", g)
		ex.names[g] = name
	}
	return name
}

// Place is a position without what STD cannot have in one.
func Place(pos string) string { return strings.NewReplacer("|", "/", "\n", " ").Replace(pos) }

// original is an event of an imported trace, as it was.
func (ex *exporter) original(e trace.Event) error {
	field := ex.header.Site(e.Site).Field
	switch e.Op {
	case trace.Start:
		ex.names[e.Goroutine] = field
	case trace.Read:
		return ex.line(e, Read, field)
	case trace.Write:
		return ex.line(e, Write, field)
	case trace.UnitBegin:
		return ex.line(e, Begin, "")
	case trace.UnitEnd:
		return ex.line(e, End, "")
	case trace.Go:
		return ex.line(e, Fork, field)
	case trace.Wait:
		return ex.line(e, Join, field)
	case trace.Yield:
		return ex.line(e, Yield, "")
	}
	if op := slices.Index(onObjects[:], e.Op); op > 0 {
		return ex.line(e, Op(op), field)
	}
	return nil
}

// event is an event of a recorded run.
func (ex *exporter) event(e trace.Event) error {
	if e.Op <= trace.AtomicWrite {
		return ex.access(e)
	}
	if e.Op <= trace.UnitEnd {
		return ex.frame(e)
	}
	lock := fmt.Sprintf("L%d", e.Object)
	switch e.Op {
	case trace.Lock:
		if err := ex.line(e, Acquire, lock); err != nil || !ex.readLocks {
			return err
		}
		return ex.line(e, Write, lock+".readers")
	case trace.Unlock:
		if ex.readLocks {
			if err := ex.line(e, Write, lock+".readers"); err != nil {
				return err
			}
		}
		return ex.line(e, Release, lock)
	case trace.RLock, trace.RUnlock:
		return ex.line(e, Read, lock+".readers")
	case trace.Go:
		return ex.line(e, Fork, ex.thread(uint32(e.Arg)))
	case trace.End:
		delete(ex.units, e.Goroutine)
		delete(ex.names, e.Goroutine)
	case trace.Yield:
		return ex.line(e, Yield, "")
	case trace.OnceEnd:
		return ex.line(e, Write, fmt.Sprintf("once%d", e.Object))
	case trace.OnceDone:
		return ex.line(e, Read, fmt.Sprintf("once%d", e.Object))
	case trace.ObjectGone:
		delete(ex.objects, e.Object)
	}
	return ex.signal(e)
}

func (ex *exporter) access(e trace.Event) error {
	site := ex.header.Site(e.Site)
	name := fmt.Sprintf("o%d.%s", e.Object, site.Field)
	if site.Set < 0 { // the object is the location, and the field only how it is named there
		name = fmt.Sprintf("o%d", e.Object)
	}
	switch e.Op {
	case trace.Read, trace.AtomicRead:
		return ex.line(e, Read, name)
	case trace.RMW:
		if err := ex.line(e, Read, name); err != nil {
			return err
		}
	}
	return ex.line(e, Write, name)
}

func (ex *exporter) frame(e trace.Event) error {
	open := ex.units[e.Goroutine]
	switch e.Op {
	case trace.UnitBegin:
		ex.units[e.Goroutine] = append(open, e.Object == 0)
		return ex.line(e, Begin, "")
	case trace.UnitEnd:
		if len(open) == 0 {
			return nil
		}
		ex.units[e.Goroutine] = open[:len(open)-1]
		return ex.line(e, End, "")
	case trace.UnitSplit:
		if len(open) != 1 || !open[0] {
			return nil
		}
		if err := ex.line(e, End, ""); err != nil {
			return err
		}
		return ex.line(e, Begin, "")
	}
	return nil
}

// signal is an operation that waits for others of the same object, or lets them go on.
func (ex *exporter) signal(e trace.Event) error {
	switch e.Op {
	case trace.Send, trace.Recv, trace.Close, trace.Add, trace.Done, trace.Wait:
	default:
		return nil
	}
	o := ex.objects[e.Object]
	if o == nil {
		o = &exported{}
		ex.objects[e.Object] = o
	}
	name := func(i int) string { return fmt.Sprintf("s%d.%d", e.Object, i) }
	switch e.Op {
	case trace.Add:
		if o.waits > 0 { // it is used again
			o.base, o.waits = o.signals, 0
		}
	case trace.Send, trace.Done, trace.Close:
		o.signals++
		return ex.line(e, Write, name(o.signals))
	case trace.Recv: // of the next message, or of the close behind them
		o.waits = min(o.waits+1, o.signals)
		if o.waits > 0 {
			return ex.line(e, Read, name(o.waits))
		}
	case trace.Wait:
		o.waits++
		for i := o.base; i < o.signals; i++ {
			if err := ex.line(e, Read, name(i+1)); err != nil {
				return err
			}
		}
	}
	return nil
}
