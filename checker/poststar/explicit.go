package poststar

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Explicit is a pushdown system without actions, whose controls and symbols are numbers.
type Explicit struct {
	Controls, Symbols int
	Initial           [2]uint32 // control and the only symbol of the stack
	Rules             []ExplicitRule
	Targets           [][2]uint32 // configurations that are asked about
}

// ExplicitRule rewrites the head <From, Top>.
type ExplicitRule struct {
	From, Top, To uint32
	Upper, Lower  uint32 // pushed: none, Upper, or Upper on top of Lower; see Push
	Push          uint8  // how many symbols, 0 to 2
}

// String returns the rule as it stands in a file.
func (r *ExplicitRule) String() string {
	text := fmt.Sprintf("r %d %d %d", r.From, r.Top, r.To)
	if r.Push > 0 {
		text += fmt.Sprintf(" %d", r.Upper)
	}
	if r.Push > 1 {
		text += fmt.Sprintf(" %d", r.Lower)
	}
	return text
}

// ParseExplicit reads a system in text form. Each line has a letter and decimal numbers:
//
//	c CONTROLS SYMBOLS RULES    first
//	i CONTROL SYMBOL            the initial configuration
//	r FROM TOP TO               pop
//	r FROM TOP TO UPPER         replace
//	r FROM TOP TO UPPER LOWER   push
//	t CONTROL SYMBOL ANSWER     a configuration that is asked about; the answer is ignored
//
// Its errors have a line number.
func ParseExplicit(from io.Reader) (*Explicit, error) {
	p := &explicitParser{in: bufio.NewReaderSize(from, 1<<16), system: &Explicit{}}
	for p.line = 1; ; p.line++ {
		more, err := p.readLine()
		if err == nil && p.letter != 0 {
			err = p.take()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
		if !more {
			break
		}
	}
	switch {
	case !p.hasSize:
		return nil, errors.New("line 1: there is no size; begin with c CONTROLS SYMBOLS RULES")
	case !p.hasInitial:
		return nil, fmt.Errorf("line %d: there is no initial configuration; write i CONTROL SYMBOL", p.line)
	}
	return p.system, nil
}

// explicitParser is the state of ParseExplicit.
type explicitParser struct {
	in      *bufio.Reader
	line    int
	letter  byte // of the line; 0 if it is empty
	numbers [5]uint32
	count   int

	system              *Explicit
	hasSize, hasInitial bool
}

// readLine reads the letter and the numbers of a line; more is false at the end.
func (p *explicitParser) readLine() (more bool, err error) {
	p.letter, p.count = 0, 0
	number, inNumber := uint64(0), false
	for {
		b, err := p.in.ReadByte()
		if err != nil && err != io.EOF {
			return false, err
		}
		isDigit := err == nil && b >= '0' && b <= '9'
		if isDigit {
			if number = 10*number + uint64(b-'0'); number >= 1<<31 {
				return false, errors.New("a number is too large; write one below 2147483648")
			}
			inNumber = true
			continue
		}
		if inNumber {
			if p.letter == 0 || p.count == len(p.numbers) {
				return false, errors.New("no letter, or too many numbers; write r FROM TOP TO with up to two more")
			}
			p.numbers[p.count], p.count = uint32(number), p.count+1
			number, inNumber = 0, false
		}
		switch {
		case err == io.EOF:
			return false, nil
		case b == '\n':
			return true, nil
		case b == ' ' || b == '\t' || b == '\r':
		case p.letter == 0:
			p.letter = b
		case p.letter == 't': // its answer may be a question mark
		default:
			return false, fmt.Errorf("%q is no number", b)
		}
	}
}

// take takes a line into the system.
func (p *explicitParser) take() error {
	s, n := p.system, p.numbers
	if p.letter != 'c' && !p.hasSize {
		return errors.New("the size comes first; begin with c CONTROLS SYMBOLS RULES")
	}
	switch {
	case p.letter == 't' && p.count >= 2 && p.hasSize:
		s.Targets = append(s.Targets, [2]uint32{n[0], n[1]})
		return p.check(n[0], 0, n[1])
	case p.letter == 'c' && p.count == 3 && !p.hasSize:
		if n[0] == 0 || n[1] == 0 {
			return errors.New("there has to be a control and a symbol")
		}
		s.Controls, s.Symbols, p.hasSize = int(n[0]), int(n[1]), true
		s.Rules = make([]ExplicitRule, 0, min(n[2], 1<<24))
	case p.letter == 'i' && p.count == 2 && !p.hasInitial:
		s.Initial, p.hasInitial = [2]uint32{n[0], n[1]}, true
		return p.check(n[0], 0, n[1])
	case p.letter == 'r' && p.count >= 3:
		r := ExplicitRule{From: n[0], Top: n[1], To: n[2], Push: uint8(p.count - 3)}
		if r.Push > 0 {
			r.Upper = n[3]
		}
		if r.Push > 1 {
			r.Lower = n[4]
		}
		s.Rules = append(s.Rules, r)
		return p.check(max(r.From, r.To), r.Top, max(r.Upper, r.Lower))
	default:
		return fmt.Errorf("%q with %d numbers is no line; write c CONTROLS SYMBOLS RULES, i CONTROL SYMBOL, or r FROM TOP "+
			"TO and what is pushed, the upper symbol first", p.letter, p.count)
	}
	return nil
}

func (p *explicitParser) check(control, top, symbol uint32) error {
	if int(control) >= p.system.Controls || int(max(top, symbol)) >= p.system.Symbols {
		return fmt.Errorf("a control or symbol is too large; the size allows controls up to %d and symbols up to %d",
			p.system.Controls-1, p.system.Symbols-1)
	}
	return nil
}
