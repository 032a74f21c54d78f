package esl

import (
	"errors"
	"fmt"
	"strings"
)

// Validate tells whether the program is well formed; the other stages require it.
// It checks that
//
//   - names are there and unique among their kind, object names without a dot;
//   - references and jump targets are in range, and fields of a statement that its
//     operation does not use are zero (so that the text form loses nothing);
//   - a process is initial, and initial processes have one copy;
//   - the targets of a select are statements, none of them a jump or a select;
//   - shared operations are on RW locks only, and capacities at most MaxCapacity;
//   - units are balanced: on every path of a function, a UnitEnd closes the
//     innermost unit that this activation opened on its object, the units open at a
//     statement are the same on every path, and none is open at a return. Units on
//     different objects are independent. Code that no path reaches is not checked.
//
// The error is the first defect found, in the order of the slices. It names the
// function, the statement by its index in the body, and the position.
func Validate(p *Program) error {
	if len(p.Objects) == 0 {
		return errors.New("the program has no object; write object w for the checked object")
	}
	for _, check := range []func(*Program) error{checkNames, checkDeclarations, checkProcesses} {
		if err := check(p); err != nil {
			return err
		}
	}
	for i := range p.Functions {
		if err := p.checkFunction(&p.Functions[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkNames checks that names are there, and unique.
func checkNames(p *Program) error {
	seen := map[string]bool{}
	check := func(kind, name string) error {
		if name == "" {
			return fmt.Errorf("%s has no name; write one", article(kind))
		}
		if seen[kind+" "+name] {
			return fmt.Errorf("two %ss are named %q; write different names", kind, name)
		}
		seen[kind+" "+name] = true
		return nil
	}
	var errs []error
	for _, o := range p.Objects {
		errs = append(errs, check("object", o.Name))
		if strings.Contains(o.Name, ".") {
			errs = append(errs, fmt.Errorf("object name %q has a dot; write an identifier", o.Name))
		}
	}
	for _, l := range p.Locks {
		errs = append(errs, check("lock", l.Name))
	}
	for _, f := range p.Flags {
		errs = append(errs, check("flag", f.Name))
	}
	for _, c := range p.Channels {
		errs = append(errs, check("channel", c.Name))
	}
	for _, c := range p.Conditions {
		errs = append(errs, check("condition", c.Name))
	}
	for _, g := range p.Groups {
		errs = append(errs, check("group", g.Name))
	}
	for _, v := range p.Variables {
		errs = append(errs, check("variable", v.Name))
	}
	for _, q := range p.Processes {
		errs = append(errs, check("process", q.Name))
	}
	for _, f := range p.Functions {
		errs = append(errs, check("function", f.Name))
	}
	for i, l := range p.Locations {
		switch {
		case !within(l.Object, p.Objects):
			errs = append(errs, fmt.Errorf("location %d (%q) is of object %d, and there are %d objects", i, l.Name, l.Object,
				len(p.Objects)))
		case l.Name == "":
			errs = append(errs, fmt.Errorf("location %d has no name; write that of the field", i))
		default:
			errs = append(errs, check("location", p.LocationName(i)))
		}
	}
	return first(errs)
}

// first returns the first error that is not nil.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func within[T any](i int, all []T) bool { return i >= 0 && i < len(all) }

// checkDeclarations checks lock kinds, capacities and positions.
func checkDeclarations(p *Program) error {
	for _, l := range p.Locks {
		if l.Kind > RW {
			return fmt.Errorf("lock %q has kind %d; write Mutex or RW", l.Name, l.Kind)
		}
		if err := checkPos(l.Pos); err != nil {
			return fmt.Errorf("lock %q: %w", l.Name, err)
		}
	}
	for _, c := range p.Channels {
		if c.Capacity < 0 || c.Capacity > MaxCapacity {
			return fmt.Errorf("channel %q has capacity %d; write 0 to %d", c.Name, c.Capacity, MaxCapacity)
		}
		if err := checkPos(c.Pos); err != nil {
			return fmt.Errorf("channel %q: %w", c.Name, err)
		}
	}
	return p.checkBlockingDeclarations()
}

func checkPos(pos Pos) error {
	if pos.Line < 0 || pos.Col < 0 || pos.File == "" && pos != (Pos{}) {
		return fmt.Errorf("position %q, %d, %d is none; write a file, a line and a column, or the zero Pos", pos.File,
			pos.Line, pos.Col)
	}
	return nil
}

func checkProcesses(p *Program) error {
	initial := false
	for _, q := range p.Processes {
		initial = initial || q.Initial
		var err error
		switch {
		case !within(q.Entry, p.Functions):
			err = fmt.Errorf("entry is function %d, and there are %d functions", q.Entry, len(p.Functions))
		case q.Copies < 1:
			err = fmt.Errorf("it has %d copies; write at least 1", q.Copies)
		case q.Initial && q.Copies != 1:
			err = fmt.Errorf("it is initial and has %d copies; write 1, or start it", q.Copies)
		default:
			err = errors.Join(p.checkDisjoint(q), checkPos(q.Pos))
		}
		if err != nil {
			return fmt.Errorf("process %q: %w", q.Name, err)
		}
	}
	if !initial {
		return errors.New("no process is initial; write initial after the one that begins")
	}
	return nil
}

// checkFunction checks the statements, and then the balance of units.
func (p *Program) checkFunction(f *Function) error {
	if err := checkPos(f.Pos); err != nil {
		return fmt.Errorf("function %q: %w", f.Name, err)
	}
	for i, s := range f.Body {
		if err := p.checkStatement(f, s); err != nil {
			return f.errorAt(i, err)
		}
	}
	if _, at, err := f.nest(); err != nil {
		return f.errorAt(at, err)
	}
	return nil
}

// errorAt says where in the function the error is.
func (f *Function) errorAt(i int, err error) error {
	if i == len(f.Body) {
		return fmt.Errorf("function %q, end (%v): %w", f.Name, f.Pos, err)
	}
	return fmt.Errorf("function %q, statement %d, %v (%v): %w", f.Name, i, f.Body[i].Op, f.Body[i].Pos, err)
}

// checkStatement checks what a statement refers to, and that it has no more
// fields than its operation uses.
func (p *Program) checkStatement(f *Function, s Stmt) error {
	used := Stmt{Op: s.Op, Pos: s.Pos}
	var err error
	switch s.Op {
	case Skip, Return, Done, Exit:
	case Goto, Choice:
		used.Targets = s.Targets
		err = checkTargets(f, s)
	case Call:
		used.Arg = s.Arg
		err = checkReference("function", s.Arg, p.Functions)
	case Access:
		used.Arg, used.Access, used.Key = s.Arg, s.Access, s.Key
		err = p.checkAccess(s)
	case LockOp, Unlock, RLock, RUnlock:
		used.Arg = s.Arg
		err = checkReference("lock", s.Arg, p.Locks)
		if err == nil && (s.Op == RLock || s.Op == RUnlock) && p.Locks[s.Arg].Kind != RW {
			err = fmt.Errorf("lock %q is a mutex; write lock and unlock, or declare it rw", p.Locks[s.Arg].Name)
		}
	case UnitBegin:
		used.Arg, used.Unit, used.With = s.Arg, s.Unit, s.With
		err = p.checkUnitBegin(s)
	case UnitEnd:
		used.Arg = s.Arg
		err = checkReference("object", s.Arg, p.Objects)
	case Start, Join:
		used.Arg = s.Arg
		err = checkReference("process", s.Arg, p.Processes)
	case Set, Await, AwaitUnset:
		used.Arg = s.Arg
		err = checkReference("flag", s.Arg, p.Flags)
	case Send, Receive, ReceiveClosed, CloseChannel:
		used.Arg = s.Arg
		if s.Op == Send || s.Op == Receive {
			used.Value = s.Value
		}
		err = checkReference("channel", s.Arg, p.Channels)
		if err == nil && (s.Value < 0 || s.Value >= MaxValues) {
			err = fmt.Errorf("there is no value %d; write 0 to %d", s.Value, MaxValues-1)
		}
	case Select, SelectDefault, Intend, Enlist, Awake, Signal, Broadcast, Add, WaitZero, Assign, Test, Swap:
		used, err = p.checkBlocking(f, s)
	case Forget:
		used.Key = s.Key
		if s.Key == "" {
			err = errors.New("forget names no read; write its key")
		}
	default:
		return fmt.Errorf("there is no operation %d", s.Op)
	}
	if err != nil {
		return err
	}
	return checkUnused(s, used)
}

func checkReference[T any](kind string, i int, all []T) error {
	if !within(i, all) {
		return fmt.Errorf("there is no %s %d; there are %d", kind, i, len(all))
	}
	return nil
}

func checkTargets(f *Function, s Stmt) error {
	if s.Op == Goto && len(s.Targets) != 1 {
		return fmt.Errorf("goto has %d targets; write one, or choice", len(s.Targets))
	}
	for _, t := range s.Targets {
		if t < 0 || t > len(f.Body) {
			return fmt.Errorf("target %d is not in the function, which has %d statements", t, len(f.Body))
		}
	}
	return nil
}

func (p *Program) checkDisjoint(q Process) error {
	for i, l := range q.Disjoint {
		switch {
		case q.Copies == 1:
			return errors.New("it has one copy and disjoint locations; write those for several copies")
		case i > 0 && l <= q.Disjoint[i-1]:
			return errors.New("its disjoint locations are not in the order in which they are declared, each once")
		}
		if err := checkReference("location", l, p.Locations); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) checkAccess(s Stmt) error {
	if s.Access > Increment {
		return fmt.Errorf("there is no access kind %d", s.Access)
	}
	if s.Key != "" && !s.Access.Reads() {
		return fmt.Errorf("a %v has key %q; write keys on accesses that read", s.Access, s.Key)
	}
	return checkReference("location", s.Arg, p.Locations)
}

func (p *Program) checkUnitBegin(s Stmt) error {
	if err := checkReference("object", s.Arg, p.Objects); err != nil {
		return err
	}
	for _, o := range s.With {
		if err := checkReference("object", o, p.Objects); err != nil {
			return err
		}
		if o == s.Arg {
			return fmt.Errorf("the unit is on object %q and also with it; write other objects after with", p.Objects[o].Name)
		}
	}
	return nil
}

// checkUnused compares a statement with the part of it that its operation uses.
func checkUnused(s, used Stmt) error {
	extra := ""
	switch {
	case s.Arg != used.Arg:
		extra = "Arg"
	case s.Access != used.Access:
		extra = "Access"
	case len(s.Targets) != len(used.Targets):
		extra = "Targets"
	case s.Unit != used.Unit:
		extra = "Unit"
	case len(s.With) != len(used.With):
		extra = "With"
	case s.Key != used.Key:
		extra = "Key"
	case s.Count != used.Count:
		extra = "Count"
	case s.Value != used.Value:
		extra = "Value"
	default:
		return checkPos(s.Pos)
	}
	return fmt.Errorf("%s is set, and %v has none; write its zero value", extra, s.Op)
}
