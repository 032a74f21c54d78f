package esl

import "fmt"

// HasBlocking tells whether the program has operations that only questions about blocking need: the pushdown
// model does not have them.
func (p *Program) HasBlocking() bool {
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op.Blocking() || (s.Op == Send || s.Op == Receive) && s.Value != 0 {
				return true
			}
		}
	}
	return false
}

// checkBlockingDeclarations checks the positions and values of what only questions about blocking need.
func (p *Program) checkBlockingDeclarations() error {
	for _, c := range p.Conditions {
		if err := checkPos(c.Pos); err != nil {
			return fmt.Errorf("condition %q: %w", c.Name, err)
		}
	}
	for _, g := range p.Groups {
		if err := checkPos(g.Pos); err != nil {
			return fmt.Errorf("group %q: %w", g.Name, err)
		}
	}
	for _, v := range p.Variables {
		if v.Values < 1 || v.Values > MaxValues {
			return fmt.Errorf("variable %q has %d values; write 1 to %d", v.Name, v.Values, MaxValues)
		}
	}
	return nil
}

// checkBlocking checks a statement that only questions about blocking need, and returns the part of it that
// its operation uses.
func (p *Program) checkBlocking(f *Function, s Stmt) (used Stmt, err error) {
	used = Stmt{Op: s.Op, Pos: s.Pos}
	switch s.Op {
	case Select, SelectDefault:
		used.Targets = s.Targets
		return used, checkSelect(f, s)
	case Intend:
		used.Arg = s.Arg
		err = checkReference("lock", s.Arg, p.Locks)
		if err == nil && p.Locks[s.Arg].Kind != RW {
			err = fmt.Errorf("lock %q is a mutex; leave intend out, or declare it rw", p.Locks[s.Arg].Name)
		}
	case Enlist, Awake, Signal, Broadcast:
		used.Arg = s.Arg
		err = checkReference("condition", s.Arg, p.Conditions)
	case Add:
		used.Arg, used.Count = s.Arg, s.Count
		err = checkReference("group", s.Arg, p.Groups)
	case WaitZero:
		used.Arg = s.Arg
		err = checkReference("group", s.Arg, p.Groups)
	case Assign, Test, Swap:
		used.Arg = s.Arg
		if s.Op != Assign {
			used.Count = s.Count
		}
		if s.Op != Test {
			used.Value = s.Value
		}
		err = p.checkValues(s.Arg, used.Count, used.Value)
	}
	return used, err
}

func (p *Program) checkValues(variable int, values ...int) error {
	if err := checkReference("variable", variable, p.Variables); err != nil {
		return err
	}
	for _, n := range values {
		if v := p.Variables[variable]; n < 0 || n >= v.Values {
			return fmt.Errorf("variable %q has no value %d; write 0 to %d", v.Name, n, v.Values-1)
		}
	}
	return nil
}

// checkSelect checks the targets of a select.
func checkSelect(f *Function, s Stmt) error {
	if err := checkTargets(f, s); err != nil {
		return err
	}
	if s.Op == SelectDefault && len(s.Targets) == 0 {
		return fmt.Errorf("it has no target; write that of the default last")
	}
	for _, t := range s.Targets {
		if t == len(f.Body) {
			return fmt.Errorf("a target is the end of the function; write return there")
		}
		switch f.Body[t].Op {
		case Goto, Choice, Select, SelectDefault:
			return fmt.Errorf("a target is a %v; write what is to be executed", f.Body[t].Op)
		}
	}
	return nil
}
