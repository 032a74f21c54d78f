package ownership

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// carriers is what a star goes through, as far as that is evident.
type carriers struct {
	star     int
	of       map[pointsto.Cell]pointsto.Cell // a channel or pool: one that stands for all that are not told apart from it
	Excluded map[pointsto.Cell]bool          // those that are put into in other ways, by what stands for them
	Tokens   map[pointsto.Cell]int           // the numbers of those that are used
}

// CarriersOf returns what star k goes through.
func (l *Owners) CarriersOf(k int) *carriers {
	if known := l.carriers[k]; known != nil {
		return known
	}
	found := &carriers{star: k, of: map[pointsto.Cell]pointsto.Cell{}, Excluded: map[pointsto.Cell]bool{},
		Tokens: map[pointsto.Cell]int{}}
	l.carriers[k] = found
	f := &rightsFinder{graph: l.Graph, functions: l.values.Function, takes: map[*ssa.Function]bool{}}
	var puts []Transfer
	for _, n := range l.Stars.Near() {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				for _, t := range TransfersOf(n, instr) {
					found.union(l.TransferCells(t))
					if t.Put && slices.ContainsFunc(l.Graph.PointsTo(n, t.Value).Objects(), func(o *pointsto.Object) bool {
						return l.Stars.Stars[k].Objects[o]
					}) {
						puts = append(puts, t)
					}
				}
			}
		}
	}
	isReflected := channel.Reflected(l.Graph)
	for cell := range found.of {
		if isReflected(cell.Object) {
			found.Excluded[found.Find(cell)] = true
		}
	}
	news := l.madeByPools(k, found)
	for _, made := range news {
		puts = append(puts, made.Transfer)
	}
	f.add(puts)
	for _, t := range puts {
		if t.through == nil {
			continue
		}
		cells := l.TransferCells(t)
		if len(cells) > 0 && !f.isEvident(t, 0) {
			found.Excluded[found.Find(cells[0])] = true
		}
	}
	for _, made := range news {
		if !f.isEvident(made.Transfer, 0) {
			found.Excluded[made.pool] = true
		}
	}
	return found
}

// madeByPool is a place where a function by which a pool makes what it has none of
// returns a star: it is put into the pool there.
type madeByPool struct {
	Transfer
	pool pointsto.Cell // what stands for it
}

// madeByPools returns those places.
func (l *Owners) madeByPools(k int, c *carriers) (all []madeByPool) {
	for _, n := range l.Graph.Nodes() {
		if !slices.ContainsFunc(l.Graph.Callers(n), IsPoolGet) {
			continue
		}
		for _, b := range n.Func.Blocks {
			at, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || len(at.Results) != 1 || !slices.ContainsFunc(
				l.Graph.PointsTo(n, at.Results[0]).Objects(), func(o *pointsto.Object) bool {
					return l.Stars.Stars[k].Objects[o]
				}) {
				continue
			}
			for _, pool := range c.PoolsOf(l.Graph, n.Func) {
				all = append(all, madeByPool{Transfer{node: n, Instr: at, Value: at.Results[0], Put: true}, pool})
			}
		}
	}
	return all
}

// Find returns what stands for a channel or pool.
func (c *carriers) Find(cell pointsto.Cell) pointsto.Cell {
	for {
		up, ok := c.of[cell]
		if !ok || up == cell {
			return cell
		}
		cell = up
	}
}

// union notes that an operation may be on each of the channels, or pools.
func (c *carriers) union(cells []pointsto.Cell) {
	for _, cell := range cells {
		a, b := c.Find(cells[0]), c.Find(cell)
		c.of[a] = a
		c.of[b] = a
	}
}

// TransferCells returns the channels or pools that a transfer may be through.
func (l *Owners) TransferCells(t Transfer) []pointsto.Cell {
	return l.Graph.PointsTo(t.node, t.through).Cells()
}

// IsPoolGet tells whether the edge is from within sync.Pool.Get.
func IsPoolGet(e pointsto.Edge) bool {
	return knowledge.Of(e.Caller.Func).Container == knowledge.PoolGet
}

// PoolsOf returns what stands for the pools that the function makes something for.
func (c *carriers) PoolsOf(graph *pointsto.Result, made *ssa.Function) (all []pointsto.Cell) {
	for cell := range c.of {
		for _, o := range graph.Contents(pointsto.Cell{
			Object: cell.Object, Path: pointsto.JoinPath(cell.Path, "New")}).Objects() {
			closure, isClosure := o.Site.(*ssa.MakeClosure)
			if pool := c.Find(cell); (o.Site == made || isClosure && closure.Fn == made) && !slices.Contains(all, pool) {
				all = append(all, pool)
			}
		}
	}
	return all
}
