package ssaflow

import (
	"go/constant"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Edge is an edge of the control flow.
type Edge struct{ From, To *ssa.BasicBlock }

// Innermost returns the smallest loop around the block, nil if there is none.
func Innermost(loops []map[*ssa.BasicBlock]bool, b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	var inner map[*ssa.BasicBlock]bool
	for _, loop := range loops {
		if loop[b] && (inner == nil || len(loop) < len(inner)) {
			inner = loop
		}
	}
	return inner
}

// SameLoop tells whether both are the same natural loop, or none.
func SameLoop(a, b map[*ssa.BasicBlock]bool) bool {
	return (a == nil) == (b == nil) && (a == nil || LoopHeader(a) == LoopHeader(b))
}

// CountedLoop is a loop that counts by ones up to a bound.
type CountedLoop struct {
	Bound    ssa.Value
	From, to *ssa.BasicBlock // the edge that leaves it at the bound
	Latch    *ssa.BasicBlock
	Exact    bool // there is no other way out: it runs as often as the bound says
}

// Exits returns the edges by which control leaves the loop, or passes it by.
func (c *CountedLoop) Exits(loop map[*ssa.BasicBlock]bool) map[Edge]bool {
	all := map[Edge]bool{{c.From, c.to}: true}
	for _, from := range c.to.Preds {
		if !loop[from] && isGuard(from, c) {
			all[Edge{from, c.to}] = true
		}
	}
	return all
}

// CountLoop recognises for i := 0; i < n; i++, for i := 1; i <= n; i++, and ranges
// over integers and slices. Other loops give nil. The iterations are never more
// than the bound.
func CountLoop(loop map[*ssa.BasicBlock]bool) *CountedLoop {
	header := LoopHeader(loop)
	var latch, tested *ssa.BasicBlock
	exits := 0
	for _, b := range header.Parent().Blocks {
		if !loop[b] {
			continue
		}
		for _, to := range b.Succs {
			if to == header {
				if latch != nil {
					return nil
				}
				latch = b
			}
			if !loop[to] {
				exits++
			}
		}
	}
	for _, b := range []*ssa.BasicBlock{header, latch} {
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && loop[b.Succs[0]] && !loop[b.Succs[1]] &&
			counts(branch.Cond, header, b == latch) {
			tested = b
			break
		}
	}
	if tested == nil {
		return nil
	}
	cond := tested.Instrs[len(tested.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp)
	return &CountedLoop{Bound: cond.Y, From: tested, to: tested.Succs[1], Latch: latch, Exact: exits == 1}
}

// counts tells whether the condition, tested at the end of each iteration or before
// it, compares a counter of the iterations with a bound.
func counts(cond ssa.Value, header *ssa.BasicBlock, atEnd bool) bool {
	test, ok := cond.(*ssa.BinOp)
	if !ok || test.Op != token.LSS && test.Op != token.LEQ {
		return false
	}
	first := int64(0) // the value that is compared, in the first iteration
	if test.Op == token.LEQ {
		first = 1
	}
	if atEnd {
		first++ // it is compared for the second iteration
	}
	if !atEnd && countsVariable(test.X, header, first) {
		return true
	}
	counter, isPhi := test.X.(*ssa.Phi)
	if !isPhi {
		sum, isSum := test.X.(*ssa.BinOp)
		if !isSum || sum.Op != token.ADD || !IsInt(sum.Y, 1) {
			return false
		}
		if counter, isPhi = sum.X.(*ssa.Phi); !isPhi {
			return false
		}
		first--
	}
	if counter.Block() != header {
		return false
	}
	for i, e := range counter.Edges {
		if !header.Dominates(header.Preds[i]) {
			k, isConst := e.(*ssa.Const)
			if !isConst || k.Value == nil || k.Value.Kind() != constant.Int || !IsInt(k, first) {
				return false
			}
			continue
		}
		sum, isSum := e.(*ssa.BinOp)
		if !isSum || sum.Op != token.ADD || sum.X != ssa.Value(counter) || !IsInt(sum.Y, 1) {
			return false
		}
	}
	return true
}

// isGuard tells whether the block passes a loop by because its bound is not more
// than zero.
func isGuard(b *ssa.BasicBlock, loop *CountedLoop) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[1] != loop.to {
		return false
	}
	test, ok := branch.Cond.(*ssa.BinOp)
	return ok && test.Op == token.LSS && IsInt(test.X, 0) && SameCount(test.Y, loop.Bound)
}

// CounterOf returns what counts the iterations of a loop, of which the value is the count or,
// as the index of a loop over a slice, the next one: it is another one in each. nil if it is
// no such thing.
func CounterOf(v ssa.Value) *ssa.Phi {
	if next, ok := v.(*ssa.BinOp); ok && StepOf(next) != 0 {
		v = next.X
	}
	counter, ok := v.(*ssa.Phi)
	if !ok {
		return nil
	}
	way := 0
	for i, edge := range counter.Edges {
		if !counter.Block().Dominates(counter.Block().Preds[i]) {
			continue
		}
		next, ok := edge.(*ssa.BinOp)
		if !ok || StepOf(next) == 0 || next.X != ssa.Value(counter) || way != 0 && way != StepOf(next) {
			return nil
		}
		way = StepOf(next)
	}
	return counter
}

// StepOf returns 1 if the value is another one plus something, -1 if it is that less
// something; 0 if it is neither.
func StepOf(v *ssa.BinOp) int {
	by, ok := v.Y.(*ssa.Const)
	switch {
	case !ok || by.Value == nil || by.Value.Kind() != constant.Int:
		return 0
	case v.Op == token.ADD:
		return constant.Sign(by.Value)
	case v.Op == token.SUB:
		return -constant.Sign(by.Value)
	}
	return 0
}

// IsNested tells whether the loop is part of another one.
func IsNested(loops []map[*ssa.BasicBlock]bool, loop map[*ssa.BasicBlock]bool) bool {
	header := LoopHeader(loop)
	return slices.ContainsFunc(loops, func(other map[*ssa.BasicBlock]bool) bool {
		return other[header] && LoopHeader(other) != header
	})
}

// IsNumber tells whether a value differs from iteration to iteration, as it is the counter.
func (c *CountedLoop) IsNumber(v ssa.Value) bool {
	counter := c.From.Instrs[len(c.From.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp).X
	switch counter := counter.(type) {
	case *ssa.BinOp:
		return v == counter || v == counter.X
	case *ssa.UnOp:
		return isLoadOf(v, counter.X)
	}
	return v == counter
}

// IsInCycle tells whether the block can be executed twice in one activation.
func IsInCycle(b *ssa.BasicBlock) bool {
	for _, loop := range NaturalLoops(b.Parent()) {
		if loop[b] {
			return true
		}
	}
	return false
}

// LoopHeader returns the block of a natural loop that dominates the others.
func LoopHeader(loop map[*ssa.BasicBlock]bool) *ssa.BasicBlock {
	var header *ssa.BasicBlock
	for b := range loop {
		if header == nil || b.Dominates(header) {
			header = b
		}
	}
	return header
}

// NaturalLoops returns the loops of fn, one for each header, in order of headers.
func NaturalLoops(fn *ssa.Function) []map[*ssa.BasicBlock]bool {
	var loops []map[*ssa.BasicBlock]bool
	for _, header := range fn.Blocks {
		loop := map[*ssa.BasicBlock]bool{}
		for _, round := range Rounds(header) {
			maps.Copy(loop, round)
		}
		if len(loop) > 0 {
			loops = append(loops, loop)
		}
	}
	return loops
}

// Rounds returns the blocks of the rounds of the natural loop with a header, one set for each block from which it is
// entered again; none if there is no such loop.
func Rounds(header *ssa.BasicBlock) (all []map[*ssa.BasicBlock]bool) {
	for _, latch := range header.Preds {
		if !header.Dominates(latch) {
			continue
		}
		round := map[*ssa.BasicBlock]bool{header: true}
		work := []*ssa.BasicBlock{latch}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !round[b] {
				round[b] = true
				work = append(work, b.Preds...)
			}
		}
		all = append(all, round)
	}
	return all
}
