package std

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxLine bounds a line: a longer one is no line of a trace.
const maxLine = 1 << 16

// Scanner reads events. It allocates only for names that are new.
type Scanner struct {
	Threads, Locks, Variables, Channels Names

	r     io.Reader
	buf   []byte
	begin int // of what is not scanned
	end   int
	err   error // of r
	read  int64 // bytes from r
	line  int
	torn  bool // the last line has no line end
	place []byte
}

// NewScanner reads from r.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: make([]byte, 4*maxLine)}
}

// NewScannerAt reads a part of a file that begins behind a line with a number.
func NewScannerAt(r io.Reader, line int) *Scanner {
	s := NewScanner(r)
	s.line = line
	return s
}

// Offset is how many bytes of the reader come before the line behind the last event.
func (s *Scanner) Offset() int64 { return s.read - int64(s.end-s.begin) }

// Len is the number of threads, locks, variables and channels that have a name.
func (s *Scanner) Len() int {
	return s.Threads.Len() + s.Locks.Len() + s.Variables.Len() + s.Channels.Len()
}

// Error is a line that is no event.
type Error struct {
	Line int
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// Next is the next event, or io.EOF. A line that is none is an *Error that says what to write
// instead; other errors are those of the reader.
func (s *Scanner) Next() (Event, error) {
	for {
		text, err := s.text()
		if err != nil {
			return Event{}, err
		}
		s.line++
		e, why := s.event(text)
		if why == "" {
			return e, nil
		}
		if len(trim(text)) > 0 {
			return Event{}, &Error{s.line, why}
		}
	}
}

// Place is the place of the last event; it changes with the next.
func (s *Scanner) Place() []byte { return s.place }

// LineOf is an event with its names; it must be the last one.
func (s *Scanner) LineOf(e Event) Line {
	l := Line{Thread: s.Threads.Name(e.Thread), Op: e.Op, Place: string(s.place)}
	if names := s.names(e.Op); names != nil {
		l.Operand = names.Name(e.Operand)
	}
	return l
}

// names are the names that the operand of an operation is one of.
func (s *Scanner) names(op Op) *Names {
	switch operands[op] {
	case variable:
		return &s.Variables
	case lock:
		return &s.Locks
	case thread:
		return &s.Threads
	case channel:
		return &s.Channels
	}
	return nil
}

// text is the next line without its end.
func (s *Scanner) text() ([]byte, error) {
	for {
		rest := s.buf[s.begin:s.end]
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			s.begin += n + 1
			return rest[:n], nil
		}
		if s.err != nil {
			if s.err == io.EOF && len(rest) > 0 {
				s.begin, s.torn = s.end, true
				return rest, nil
			}
			return nil, s.err
		}
		if len(rest) > maxLine {
			return nil, &Error{s.line + 1, fmt.Sprintf("longer than %d bytes; write one event, such as T0|w(V1)|42", maxLine)}
		}
		s.begin, s.end = 0, copy(s.buf, rest)
		var n int
		n, s.err = s.r.Read(s.buf[s.end:])
		s.end += n
		s.read += int64(n)
	}
}

// event parses a line; why is empty if it is one.
func (s *Scanner) event(text []byte) (e Event, why string) {
	bar := bytes.IndexByte(text, '|')
	if bar < 0 {
		return e, fmt.Sprintf("%s has no %q; write the thread, the operation and the place, such as T0|w(V1)|42", quote(text),
			"|")
	}
	thread := trim(text[:bar])
	if len(thread) == 0 {
		return e, "no thread; write its name before the first |, such as T0|w(V1)|42"
	}
	op := text[bar+1:]
	s.place = nil
	if bar = bytes.IndexByte(op, '|'); bar >= 0 {
		op, s.place = op[:bar], trim(op[bar+1:])
		if bytes.IndexByte(s.place, '|') >= 0 {
			return e, fmt.Sprintf("%s has more than three parts; write the thread, the operation and the place, such as "+
				"T0|w(V1)|42", quote(text))
		}
	}
	op = trim(op)
	var operand []byte
	word := op
	if open := bytes.IndexByte(op, '('); open >= 0 {
		if op[len(op)-1] != ')' {
			return e, fmt.Sprintf("%s has no closing parenthesis; write %s)", quote(op), op)
		}
		word, operand = trim(op[:open]), trim(op[open+1:len(op)-1])
	}
	e.Op = operation(word)
	if e.Op == 0 {
		return e, fmt.Sprintf("no operation %s; write %s", quote(word), allNames)
	}
	names := s.names(e.Op)
	if names != nil && len(operand) == 0 {
		return e, fmt.Sprintf("%s names nothing; write what it is on in parentheses, such as %s(%s)", e.Op, e.Op,
			example[operands[e.Op]])
	}
	e.Thread, e.Line = s.Threads.Number(thread), s.line
	if names != nil {
		e.Operand = names.Number(operand)
	}
	return e, ""
}

var example = [...]string{variable: "V1", lock: "L1", thread: "T1", channel: "C1"}

// allNames lists the operations.
var allNames = strings.Join(opNames[Read:Postsend], ", ") + " or " + Postsend.String()

// operation is the operation with a name, or 0.
func operation(word []byte) Op {
	switch string(word) { // the frequent ones
	case "r":
		return Read
	case "w":
		return Write
	case "acq":
		return Acquire
	case "rel":
		return Release
	case "begin":
		return Begin
	case "end":
		return End
	}
	for op, name := range opNames {
		if name != "" && name == string(word) {
			return Op(op)
		}
	}
	return 0
}

// trim removes spaces, tabs and carriage returns at both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// quote is the beginning of a text that is not what it should be.
func quote(text []byte) string {
	const most = 40
	if len(text) > most {
		n := most
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		return fmt.Sprintf("%q...", text[:n])
	}
	return fmt.Sprintf("%q", text)
}
