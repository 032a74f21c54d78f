package units

import (
	"math/bits"
	"slices"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// site is what a number of a site means here.
type site struct {
	function string
	kind     watch.Kind // of a frame
	of       string     // the type of the set
	static   bool       // a package variable: everybody can reach it
	set      int
	field    uint16
	known    bool   // the static half knows of an access here
	counts   bool   // an increment
	token    uint8  // of a read that may be forgotten
	forgets  uint64 // the tokens of reads whose values do not matter here
}

// maxTokens is how many reads of a set can be forgotten; others go by the letter.
const maxTokens = 63

func (t *Tracker) site(n uint32) *site {
	if int(n) >= len(t.sites) {
		return &t.sites[0]
	}
	return &t.sites[n]
}

// resolveSites looks up the sites of a trace in the plan.
func resolveSites(h *trace.Header, plan *watch.Plan) []site {
	all := make([]site, max(len(h.Sites), 1))
	facts := newFacts(plan)
	for i, from := range h.Sites {
		s := &all[i]
		s.function, s.kind, s.set = from.Function, watch.Kind(from.Kind), from.Set
		if from.Set < 0 || from.Set >= len(plan.Sets) {
			continue
		}
		set := plan.Sets[from.Set]
		s.static, s.of = set.Type == "", set.Type
		field := slices.Index(set.Fields, from.Field)
		if field < 0 {
			continue
		}
		s.field = uint16(field)
		facts.apply(s, from, set, field, plan.Policy.Strict)
	}
	return all
}

// key names what is known of accesses to a field at a position.
type key struct {
	set        int
	field, pos string
}

// facts is what the plan says of positions, to be looked up.
type facts struct {
	plan     *watch.Plan
	accesses map[key]*watch.Access
	tokens   map[key]uint8   // of reads
	passing  []*watch.Access // by token, from 1, of all sets
}

func newFacts(plan *watch.Plan) *facts {
	f := &facts{plan: plan, accesses: map[key]*watch.Access{}, tokens: map[key]uint8{}}
	used := map[int]uint8{}
	for i := range plan.Accesses {
		a := &plan.Accesses[i]
		k := key{a.Set, a.Field, a.Pos}
		f.accesses[k] = a
		if a.Passing && used[a.Set] < maxTokens {
			used[a.Set]++
			f.tokens[k] = used[a.Set]
			f.passing = append(f.passing, a)
		}
	}
	return f
}

// apply adds what is known of the accesses at a site.
func (f *facts) apply(s *site, from trace.Site, set watch.Set, field int, strict bool) {
	if strict {
		return
	}
	k := key{from.Set, from.Field, from.Pos}
	fact := f.accesses[k]
	if fact == nil && s.static {
		k.pos = set.Vars[field]
		fact = f.accesses[k]
	}
	if fact == nil {
		return
	}
	s.known, s.counts = true, fact.Counts
	s.token = f.tokens[k]
	for _, read := range f.passing {
		if _, alive := slices.BinarySearch(read.Until, fact.Pos); read.Set == from.Set && !alive {
			s.forgets |= 1 << f.tokens[key{read.Set, read.Field, read.Pos}]
		}
	}
}

// Reduction returns the table of sites by which a program leaves out accesses that match nothing; nil if what
// is asked for are patterns that are no whole scenarios.
func Reduction(h *trace.Header, plan *watch.Plan) []byte {
	if len(plan.Policy.Patterns) > 0 {
		return nil
	}
	notes := map[key]bool{}
	for _, a := range plan.Accesses {
		if a.Note {
			notes[key{a.Set, a.Field, a.Pos}] = true
		}
	}
	frames := map[watch.Kind]uint8{watch.Method: trace.SiteMethod, watch.Constructor: trace.SiteConstructor,
		watch.Direct: trace.SiteDirect}
	functions := map[string]uint32{}
	mixed := map[int]bool{}
	resolved := resolveSites(h, plan)
	for i := range h.Sites {
		if resolved[i].counts {
			mixed[h.Sites[i].Set] = true
		}
	}
	whole := *h
	whole.Reduced = true
	orders := append(whole.Orders(), 0)
	passing := readsOf(resolved)
	var table []byte
	for i, s := range resolved {
		from := trace.Site{Set: -1}
		if i < len(h.Sites) {
			from = h.Sites[i]
		}
		of := trace.ReducedSite{Set: uint16(from.Set + 1), Field: uint8(s.field), Flags: frames[s.kind],
			Order: orders[i], Token: s.token, Forgets: s.forgets}
		if s.token != 0 {
			of.Like = passing[from.Set].like(s.token)
		}
		if functions[s.function] == 0 {
			functions[s.function] = uint32(len(functions) + 1)
		}
		of.Function = functions[s.function]
		switch {
		case notes[key{from.Set, from.Field, from.Pos}] || s.field >= trace.MaxPlain:
		case s.counts:
			of.Flags |= trace.SiteCounts
		default:
			of.Flags |= trace.SitePlain
		}
		if s.known {
			of.Flags |= trace.SiteKnown
		}
		if mixed[from.Set] {
			of.Flags |= trace.SiteMixed
		}
		if s.static {
			of.Flags |= trace.SiteStatic
		}
		table = trace.AppendReducedSite(table, of)
	}
	return table
}

// reads is those reads of a set that may be forgotten, by token.
type reads struct {
	tokens uint64
	fields [maxTokens + 1]uint16
	with   [maxTokens + 1]uint64 // the tokens that are forgotten wherever it is
}

// readsOf returns the reads of each set that may be forgotten.
func readsOf(sites []site) map[int]*reads {
	sets := map[int]*reads{}
	for i := range sites {
		s := &sites[i]
		r := sets[s.set]
		if r == nil {
			r = &reads{}
			for token := range r.with {
				r.with[token] = ^uint64(0)
			}
			sets[s.set] = r
		}
		if s.token != 0 {
			r.tokens |= 1 << s.token
			r.fields[s.token] = s.field
		}
		for left := s.forgets; left != 0; left &= left - 1 {
			r.with[bits.TrailingZeros64(left)] &= s.forgets
		}
	}
	return sets
}

// like returns the tokens of the reads that stand for a later one with a token, if nobody comes in between: they are of
// the same field, and whatever forgets one of them forgets that one, too. So as long as the later one may be part of a
// match, the earlier one may.
func (r *reads) like(token uint8) (tokens uint64) {
	for other, field := range r.fields {
		if r.tokens>>other&1 != 0 && field == r.fields[token] && r.with[other]>>token&1 != 0 {
			tokens |= 1 << other
		}
	}
	return tokens
}
