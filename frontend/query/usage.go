package query

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// Usage is what functions show of fields whose types alone do not say that they are made to be
// shared.
type Usage struct {
	atomic   map[*types.Var]bool // numbers that functions of package sync/atomic work on
	channels map[*types.Var]ChannelLock
}

// ChannelLock tells which operation on a channel takes the lock that it is used as.
type ChannelLock int

// A channel is no lock, or one that is taken by sending to it, or by receiving what is in it.
const (
	NoChannelLock ChannelLock = iota
	TakenBySend
	TakenByReceive
)

// UsageIn looks at the functions of the packages named.
func UsageIn(p *load.Program) *Usage {
	u := &Usage{atomic: map[*types.Var]bool{}}
	channels := map[*types.Var]*channelUse{}
	for _, pkg := range p.Packages {
		for _, fn := range FunctionsOf(pkg) {
			u.look(fn, channels)
		}
	}
	u.channels = map[*types.Var]ChannelLock{}
	for v, use := range channels {
		if lock := use.lock(); lock != NoChannelLock {
			u.channels[v] = lock
		}
	}
	return u
}

// IsGuarded is the function of that name, with what functions show.
func (u *Usage) IsGuarded(named *types.Named) bool {
	structure, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	return IsGuarded(named) || slices.ContainsFunc(slices.Collect(structure.Fields()), func(f *types.Var) bool {
		return u.atomic[f.Origin()] || u.channels[f.Origin()] != NoChannelLock
	})
}

// ChannelLock tells how the channel in a field is used as a lock, if it is.
func (u *Usage) ChannelLock(field *types.Var) ChannelLock {
	if u == nil {
		return NoChannelLock
	}
	return u.channels[field.Origin()]
}

// FunctionsOf returns the functions and methods that a package declares, with the literals in them.
func FunctionsOf(pkg *ssa.Package) []*ssa.Function {
	var all []*ssa.Function
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn != nil {
			all = append(all, fn)
			for _, inner := range fn.AnonFuncs {
				add(inner)
			}
		}
	}
	for _, name := range pkg.Pkg.Scope().Names() {
		switch o := pkg.Pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			add(pkg.Prog.FuncValue(o))
		case *types.TypeName:
			if named, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
				for m := range named.Methods() {
					add(pkg.Prog.FuncValue(m))
				}
			}
		}
	}
	return all
}

// channelUse is what is done with the channel in a field.
type channelUse struct {
	made, escapes   bool
	sends, receives map[*ssa.Function][]ssa.Instruction // by the outermost function; those that wait
	initial         bool                                // sent to by what makes it
	makers          map[*ssa.Function]bool
}

// lock tells how the channel is used as a lock: it has room for one, and who sends to it receives
// from it, or the other way round.
func (c *channelUse) lock() ChannelLock {
	if !c.made || c.escapes {
		return NoChannelLock
	}
	both := false
	for fn := range c.sends {
		both = both || len(c.receives[fn]) > 0 && !c.makers[fn]
	}
	switch {
	case !both:
		return NoChannelLock
	case c.initial:
		return TakenByReceive
	}
	return TakenBySend
}

// look adds what a function does.
func (u *Usage) look(fn *ssa.Function, channels map[*types.Var]*channelUse) {
	outer := knowledge.Outermost(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case ssa.CallInstruction:
				callee := v.Common().StaticCallee()
				if callee != nil && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "sync/atomic" && len(v.Common().Args) > 0 {
					if f, ok := v.Common().Args[0].(*ssa.FieldAddr); ok {
						u.atomic[FieldOf(f).Origin()] = true
					}
				}
			case *ssa.FieldAddr:
				field := FieldOf(v).Origin()
				channel, ok := field.Type().Underlying().(*types.Chan)
				if !ok {
					continue
				}
				if s, ok := channel.Elem().Underlying().(*types.Struct); !ok || s.NumFields() > 0 {
					continue
				}
				use := channels[field]
				if use == nil {
					use = &channelUse{sends: map[*ssa.Function][]ssa.Instruction{}, receives: map[*ssa.Function][]ssa.Instruction{},
						makers: map[*ssa.Function]bool{}}
					channels[field] = use
				}
				use.look(v, outer)
			}
		}
	}
}

// look adds what is done through the address of the field.
func (c *channelUse) look(address *ssa.FieldAddr, outer *ssa.Function) {
	for _, r := range *address.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			made, ok := r.Val.(*ssa.MakeChan)
			if !ok {
				c.escapes = true
				continue
			}
			size, ok := made.Size.(*ssa.Const)
			n, exact := int64(0), false
			if ok && size.Value != nil {
				n, exact = constant.Int64Val(size.Value)
			}
			c.made, c.escapes = true, c.escapes || !exact || n != 1
			c.makers[outer] = true
			c.operations(made, outer)
		case *ssa.UnOp:
			c.operations(r, outer)
		default:
			c.escapes = true
		}
	}
}

// operations adds what is done with the channel.
func (c *channelUse) operations(channel ssa.Value, outer *ssa.Function) {
	for _, r := range *channel.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Store:
		case *ssa.Send:
			c.sends[outer] = append(c.sends[outer], r)
			c.initial = c.initial || c.makers[outer]
		case *ssa.UnOp:
			if r.Op == token.ARROW {
				c.receives[outer] = append(c.receives[outer], r)
			}
		case *ssa.Select:
			for _, s := range r.States {
				if s.Chan == channel && s.Dir == types.SendOnly {
					c.sends[outer] = append(c.sends[outer], r)
				} else if s.Chan == channel {
					c.receives[outer] = append(c.receives[outer], r)
				}
			}
		default:
			c.escapes = true
		}
	}
}

// FieldOf returns the field whose address is taken.
func FieldOf(v *ssa.FieldAddr) *types.Var {
	return v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(v.Field)
}
