package serial

import (
	"math/rand/v2"
	"strconv"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// mix is what a long serializable trace is like. Transactions get a number when they begin and are
// allowed only what keeps the order of these numbers, which is not the order of
// their begins: so there are edges between live transactions, in both directions.
type mix struct {
	name                      string
	threads, locks, variables int
	length                    int // of a transaction, on average
	writes                    int // of 100 accesses
	outside                   int // of 100 transactions: that many are unary ones instead
	locked                    int // of 100 transactions: with one lock for all they do
	local                     int // of 100 accesses: to a variable of the thread's own
	disorder                  int // of 100,000 accesses: against the order of the numbers
}

var mixes = []mix{
	{name: "locked", locks: 64, variables: 4096, length: 8, writes: 40, outside: 10, locked: 100, local: 50},
	{name: "mixed", locks: 32, variables: 10_000, length: 10, writes: 30, outside: 30, locked: 40, local: 60},
	{name: "shared", locks: 16, variables: 2000, length: 20, writes: 20, outside: 20, locked: 10, local: 10},
	{name: "long", locks: 16, variables: 50_000, length: 500, writes: 10, outside: 50, locked: 0, local: 20},
}

// generator makes a trace from a mix.
type generator struct {
	mix
	r       *rand.Rand
	emit    func(thread int, op std.Op, operand string)
	number  int
	last    []int // by thread: the number of its transaction
	left    []int // by thread: events that its transaction still has; -1 outside one
	lock    []int // by thread: the lock it holds, or -1
	holder  []int // by lock
	release []int // by lock: the number of its last release
	write   []int // by variable: the number of its last write
	read    []int // and the largest one of a read since
}

func (m mix) generator(seed uint64, emit func(int, std.Op, string)) *generator {
	g := &generator{mix: m, r: rand.New(rand.NewPCG(seed, 11)), emit: emit,
		last: make([]int, m.threads), left: make([]int, m.threads), lock: make([]int, m.threads),
		holder: make([]int, m.locks), release: make([]int, m.locks),
		write: make([]int, m.variables), read: make([]int, m.variables)}
	for t := range m.threads {
		g.left[t], g.lock[t] = -1, -1
		if t > 0 {
			emit(0, std.Fork, threadName(t))
		}
	}
	for l := range g.holder {
		g.holder[l] = -1
	}
	return g
}

func threadName(t int) string { return "T" + strconv.Itoa(t) }

// step lets one thread go on.
func (g *generator) step() {
	t := g.r.IntN(g.threads)
	switch {
	case g.left[t] < 0 && g.r.IntN(100) < g.outside:
		g.access(t, true)
	case g.left[t] < 0:
		g.begin(t)
	case g.left[t] == 0:
		g.end(t)
	default:
		g.left[t]--
		g.access(t, false)
	}
}

// numberBits are for making numbers different that are in no order otherwise.
const numberBits = 30

// after is a new number that is larger than another one, and no larger than it must be.
func (g *generator) after(n int) int {
	g.number++
	return n>>numberBits<<numberBits + g.number
}

func (g *generator) begin(t int) {
	g.last[t] = g.after(max(g.last[t], (g.number+g.r.IntN(2*g.threads))<<numberBits))
	g.left[t] = 1 + g.r.IntN(2*g.length)
	g.emit(t, std.Begin, "")
	if g.r.IntN(100) < g.locked {
		if l := g.r.IntN(g.locks); g.holder[l] < 0 && g.release[l] <= g.last[t] {
			g.holder[l], g.lock[t] = t, l
			g.emit(t, std.Acquire, "L"+strconv.Itoa(l))
		}
	}
}

func (g *generator) end(t int) {
	if l := g.lock[t]; l >= 0 {
		g.emit(t, std.Release, "L"+strconv.Itoa(l))
		g.release[l], g.holder[l], g.lock[t] = g.last[t], -1, -1
	}
	g.emit(t, std.End, "")
	g.left[t] = -1
}

// access a variable if the order allows it; a unary transaction can always be put last.
func (g *generator) access(t int, unary bool) {
	x := g.r.IntN(g.variables)
	if g.r.IntN(100) < g.local {
		x = x/g.threads*g.threads + t
		if x >= g.variables {
			return
		}
	}
	write := g.r.IntN(100) < g.writes
	need := g.write[x]
	if write {
		need = max(need, g.read[x])
	}
	if unary {
		g.last[t] = g.after(max(g.last[t], need))
	}
	if need > g.last[t] && g.r.IntN(100_000) >= g.disorder {
		return
	}
	if write {
		g.write[x], g.read[x] = max(need, g.last[t]), max(need, g.last[t])
		g.emit(t, std.Write, "V"+strconv.Itoa(x))
	} else {
		g.read[x] = max(g.read[x], g.last[t])
		g.emit(t, std.Read, "V"+strconv.Itoa(x))
	}
}

// text is a trace of at least n events.
func (m mix) text(seed uint64, n int) []byte {
	var out []byte
	count := 0
	g := m.generator(seed, func(t int, op std.Op, operand string) {
		out = std.Line{Thread: threadName(t), Op: op, Operand: operand, Place: strconv.Itoa(count % 997)}.AppendTo(out)
		count++
	})
	for count < n {
		g.step()
	}
	return out
}
