package automata

import "slices"

// deeds numbers what units that have ended did, so that in a gap in which two did the same one is as good as the other.
type deeds struct {
	byHash map[uint64][]deed
	last   uint64 // the latest number
}

// deed is what a unit did.
type deed struct {
	number     uint64
	code, name uint32
	goroutine  uint32 // if it matters which one it was
	acts       []act
}

// act is an event, or what is forgotten before one.
type act struct {
	location Location
	kind     Kind
	token    uint8
	forgets  uint64
}

// maxDeeds is how many are known; then all are forgotten, and what is done again gets another number.
const maxDeeds = 1 << 13

// number returns the number of what a unit did; it is not 0.
func (d *deeds) number(e *Engine, u *Unit) uint64 {
	did := deed{code: e.codeOf(u)}
	if e.Name != nil {
		did.name = e.Name(u)
	}
	if e.Apart != nil || e.awaited[u.Goroutine] > 0 {
		did.goroutine = u.Goroutine
	}
	hash := uint64(did.code) | uint64(did.name)<<32
	for i := range u.log {
		if a := &u.log[i]; a.act {
			hash = (hash ^ uint64(a.location.Object) ^ uint64(a.location.Field)<<32 ^ uint64(a.kind)<<48 ^ uint64(a.token)<<56 ^
				a.forgets) * 0x9e3779b97f4a7c15
			hash ^= hash >> 29
		}
	}
	for i := range d.byHash[hash] {
		if like := &d.byHash[hash][i]; like.is(&did, u) {
			return like.number
		}
	}
	if d.byHash == nil || len(d.byHash) == maxDeeds {
		d.byHash = map[uint64][]deed{}
	}
	for _, a := range u.log {
		if a.act {
			did.acts = append(did.acts, act{a.location, a.kind, a.token, a.forgets})
		}
	}
	d.last++
	did.number = d.last
	d.byHash[hash] = append(d.byHash[hash], did)
	return did.number
}

// is tells whether that is what a unit did, of which all but the acts is given.
func (d *deed) is(of *deed, u *Unit) bool {
	if d.code != of.code || d.name != of.name || d.goroutine != of.goroutine {
		return false
	}
	n := 0
	return !slices.ContainsFunc(u.log, func(a entry) bool {
		if !a.act {
			return false
		}
		n++
		return n > len(d.acts) || d.acts[n-1] != act{a.location, a.kind, a.token, a.forgets}
	}) && n == len(d.acts)
}
