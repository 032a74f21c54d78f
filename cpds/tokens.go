package cpds

import (
	"fmt"
	"strconv"
	"strings"
)

// token is a word, a string in quotes, an arrow, a bracket, or the end of a line.
type token struct {
	kind   tokenKind
	text   string // of an arrow: the action, "" if silent
	quoted bool
	col    int // from 1
}

type tokenKind uint8

const (
	endOfLine tokenKind = iota
	nameToken
	arrowToken
	punctuation
)

// is tells whether the token is this word, not in quotes.
func (t token) is(word string) bool { return t.kind == nameToken && !t.quoted && t.text == word }

// String returns the token for an error message.
func (t token) String() string {
	switch t.kind {
	case endOfLine:
		return "the end of the line"
	case arrowToken:
		return strconv.Quote("-" + t.text + "->")
	}
	return strconv.Quote(t.text)
}

// tokenize splits a line. Words end at white space, brackets, quotes and comments.
func tokenize(text string) ([]token, *syntaxError) {
	var tokens []token
	for i := 0; i < len(text); {
		rest := text[i:]
		t := token{col: i + 1}
		var n int
		var err *syntaxError
		switch {
		case text[i] == ' ' || text[i] == '\t':
			i++
			continue
		case strings.HasPrefix(rest, "//"):
			return tokens, nil
		case text[i] == '[' || text[i] == ']':
			t.kind, t.text, n = punctuation, rest[:1], 1
		case text[i] == '-':
			t.kind = arrowToken
			t.text, t.quoted, n, err = arrow(rest)
		case text[i] == '"' || text[i] == '`':
			t.kind, t.quoted = nameToken, true
			t.text, n, err = quotedName(rest)
		default:
			t.kind, n = nameToken, wordLength(rest)
			t.text = rest[:n]
			if !plain(t.text) {
				err = &syntaxError{1, fmt.Sprintf("%q has odd characters; write it in quotes", t.text)}
			}
		}
		if err != nil {
			return nil, &syntaxError{i + err.col, err.what}
		}
		tokens = append(tokens, t)
		i += n
	}
	return tokens, nil
}

// wordLength returns where a word ends.
func wordLength(s string) int {
	for i := range len(s) {
		if strings.IndexByte(" \t[]\"`", s[i]) >= 0 || strings.HasPrefix(s[i:], "//") {
			return i
		}
	}
	return len(s)
}

// quotedName reads a Go string.
func quotedName(s string) (name string, length int, err *syntaxError) {
	quoted, e := strconv.QuotedPrefix(s)
	if e != nil {
		return "", 0, &syntaxError{1, "the string has no end, or a bad escape; write it as in Go"}
	}
	name, _ = strconv.Unquote(quoted)
	if name == "" {
		return "", 0, &syntaxError{1, "the name is empty; write one"}
	}
	return name, len(quoted), nil
}

// arrow reads "-->", "-action->" or `-"action"->`.
func arrow(s string) (action string, quoted bool, length int, err *syntaxError) {
	bad := &syntaxError{1, "a name cannot begin with - and an arrow ends with ->; write -->, -action-> or the name in " +
		"quotes"}
	if strings.HasPrefix(s, "-\"") || strings.HasPrefix(s, "-`") {
		name, n, err := quotedName(s[1:])
		if err != nil {
			return "", false, 0, &syntaxError{2, err.what}
		}
		if !strings.HasPrefix(s[1+n:], "->") {
			return "", false, 0, bad
		}
		return name, true, 1 + n + 2, nil
	}
	end := strings.Index(s[1:], "->")
	if end < 0 {
		return "", false, 0, bad
	}
	action = s[1 : 1+end]
	if action != "" && (!plain(action) || action[0] == '-') {
		return "", false, 0, bad
	}
	return action, false, 1 + end + 2, nil
}

// line is the tokens of a line, and how far they have been read.
type line struct {
	tokens []token
	next   int
	end    int // the column after the line
}

func (l *line) peek() token {
	if l.next < len(l.tokens) {
		return l.tokens[l.next]
	}
	return token{col: l.end}
}

func (l *line) take() token {
	t := l.peek()
	l.next++
	return t
}

// name reads a name.
func (l *line) name(to *string, what string) *syntaxError {
	t := l.take()
	if t.kind != nameToken {
		return l.failAt(t, "%s stands where %s is wanted; write that", t, what)
	}
	*to = t.text
	return nil
}

// finish passes an error on, or checks that the line ends here.
func (l *line) finish(err *syntaxError) *syntaxError {
	if err == nil && l.next < len(l.tokens) {
		return l.failAt(l.peek(), "%s is one word too many; write a new line for a new fact", l.peek())
	}
	return err
}

func (l *line) failAt(t token, format string, args ...any) *syntaxError {
	return &syntaxError{t.col, fmt.Sprintf(format, args...)}
}
