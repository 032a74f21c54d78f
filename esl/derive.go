package esl

import "iter"

// Programs are made of others by changing statements, for the question that is asked: some accesses match nothing, some
// goroutines are not there.

// Rewritten returns the program with what change makes of each of its statements. It shares with p all but the list of
// functions and their bodies. Linear in the number of statements.
func (p *Program) Rewritten(change func(at Place, s Stmt) Stmt) *Program {
	q := *p
	q.Functions = make([]Function, len(p.Functions))
	for i, f := range p.Functions {
		body := make([]Stmt, len(f.Body))
		for k, s := range f.Body {
			body[k] = change(Place{i, k}, s)
		}
		f.Body = body
		q.Functions[i] = f
	}
	return &q
}

// Executed tells of each function whether one of the chosen processes may execute it. Linear in the number of
// statements.
func (p *Program) Executed(chosen func(Process) bool) []bool {
	var entries []int
	for _, q := range p.Processes {
		if chosen(q) {
			entries = append(entries, q.Entry)
		}
	}
	return p.ExecutedFrom(entries...)
}

// ExecutedFrom tells of each function whether what begins in one of the entries may execute it. Linear in the number of
// statements of those that it may.
func (p *Program) ExecutedFrom(entries ...int) []bool {
	executed := make([]bool, len(p.Functions))
	var work []int
	add := func(f int) {
		if !executed[f] {
			executed[f] = true
			work = append(work, f)
		}
	}
	for _, f := range entries {
		add(f)
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range p.Functions[f].Body {
			if s.Op == Call {
				add(s.Arg)
			}
		}
	}
	return executed
}

// StatementsFrom returns the statements that what begins in a function may execute. Linear in their number.
func (p *Program) StatementsFrom(entry int) iter.Seq[Stmt] {
	return func(yield func(Stmt) bool) {
		for f, executed := range p.ExecutedFrom(entry) {
			if !executed {
				continue
			}
			for _, s := range p.Functions[f].Body {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// Callers returns the functions that call each function, once for each call. Linear in the number of statements.
func (p *Program) Callers() [][]int {
	callers := make([][]int, len(p.Functions))
	for f, fn := range p.Functions {
		for _, s := range fn.Body {
			if s.Op == Call {
				callers[s.Arg] = append(callers[s.Arg], f)
			}
		}
	}
	return callers
}

// AddCallers adds to the chosen functions those that may come to call one of them. Linear in the number of calls.
func AddCallers(callers [][]int, chosen []bool) {
	var work []int
	for f, is := range chosen {
		if is {
			work = append(work, f)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, caller := range callers[f] {
			if !chosen[caller] {
				chosen[caller] = true
				work = append(work, caller)
			}
		}
	}
}
