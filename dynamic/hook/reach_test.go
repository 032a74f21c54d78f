package hook

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// standing is a conductor that lets everybody go on.
type standing struct{}

func (standing) begin(*Goroutine)                                                  {}
func (standing) fork(*Goroutine, Child)                                            {}
func (standing) timer(Child)                                                       {}
func (standing) end(*Goroutine)                                                    {}
func (standing) point(*Goroutine, trace.Op, uint32, uint32)                        {}
func (standing) pin()                                                              {}
func (standing) choose(*Goroutine, uint32)                                         {}
func (standing) perform(*Goroutine, trace.Op, uint32, uint32, func() bool, func()) {}
func (standing) pause(*Goroutine)                                                  {}
func (standing) frame(*Goroutine, trace.Op, uint32)                                {}
func (standing) await(*Goroutine, uint32, *sync.Cond)                              {}
func (standing) signal(*sync.Cond, bool)                                           {}

type shop struct {
	prices map[string]int
	byName map[string]*item
	byAge  []any
	latest atomic.Pointer[item]
	others sync.Map
}

type item struct {
	parts [2][]int
	next  *item
}

// TestReach asks which shops own memory, through which of their fields.
func TestReach(t *testing.T) {
	steering = standing{}
	defer func() { steering = nil }()
	const class = 7
	fields := []string{"prices", "byName", "byAge", "latest", "others"}
	for i, name := range fields {
		Field[shop](class, uint16(i), name)
	}
	g := &Goroutine{off: true} // nothing is written
	a, b := &shop{}, &shop{}
	for _, s := range []*shop{a, b} {
		objects.add(g, unsafe.Pointer(s), class, objectKey(uintptr(unsafe.Pointer(s)), class), true)
	}
	shared, listed, latest, other, taken := map[string]int{}, &item{}, &item{parts: [2][]int{{1}, {2, 3}}}, &item{},
		&item{}
	a.prices, b.prices = shared, shared
	a.byName, b.byAge = map[string]*item{"tea": listed}, []any{1, listed}
	latest.next = other
	a.latest.Store(latest)
	b.others.Store("x", other)
	b.byName = map[string]*item{"x": taken}
	delete(b.byName, "x")
	for _, test := range []struct {
		what string
		p    unsafe.Pointer
		want []string
	}{
		{"a map of both", *(*unsafe.Pointer)(unsafe.Pointer(&shared)), []string{"a prices", "b prices"}},
		{"an item of two fields", unsafe.Pointer(&listed.next), []string{"a byName", "b byAge"}},
		{"an element of a slice in an array", unsafe.Pointer(&latest.parts[1][1]), []string{"a latest"}},
		{"an item behind another one, and in a sync.Map", unsafe.Pointer(other), []string{"a latest", "b others"}},
		{"an item that was taken out", unsafe.Pointer(taken), nil},
		{"the field itself", unsafe.Pointer(&a.byAge), []string{"a byAge"}},
	} {
		var got []string
		for i, name := range fields {
			for _, o := range g.reach(trace.Read, single(test.p), Ref(uint64(reachedClass|i)<<24), nil) {
				who := "a "
				if o.pointer() == unsafe.Pointer(b) {
					who = "b "
				}
				got = append(got, who+name)
			}
		}
		if slices.Sort(got); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, got, test.want)
		}
	}
	runtime.KeepAlive([]any{a, b})
}

// TestWalkIsBounded follows a list that is a ring, and one that is long.
func TestWalkIsBounded(t *testing.T) {
	ring := &item{}
	ring.next = ring
	var long *item
	for range 2 * maxSteps {
		long = &item{next: long}
	}
	for _, test := range []struct {
		from *item
		most int
	}{{ring, 3}, {long, maxSteps}} {
		n := 0
		walk(reflect.TypeFor[*item](), unsafe.Pointer(&test.from), func(reflect.Type, unsafe.Pointer, uintptr) bool {
			n++
			return false
		})
		if n > test.most {
			t.Errorf("%d steps, want at most %d", n, test.most)
		}
	}
}
