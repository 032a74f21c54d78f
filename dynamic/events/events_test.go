package events

import (
	"io"
	"strings"
	"testing"
)

func read(t *testing.T, text string) (all []Event, err error) {
	t.Helper()
	s, err := STD(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text + "\n")), nil })
	if err != nil {
		return nil, err
	}
	for {
		e, err := s.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
}

// TestJoins: a receive waits for the end of a thread if what it receives is the last that the thread does.
func TestJoins(t *testing.T) {
	for text, want := range map[string]bool{
		"A|fork(B)\nB|snd(C)\nA|rcv(C)":                                      true,
		"A|fork(B)\nB|snd(C)\nB|w(V)\nA|rcv(C)":                              false,
		"A|fork(B)\nB|begin\nB|snd(C)\nB|end\nA|rcv(C)":                      true,
		"A|fork(B)\nB|presnd(C)\nA|rcv(C)\nB|postsnd(C)":                     true,
		"A|fork(B)\nB|presnd(C)\nA|rcv(C)\nB|postsnd(C)\nB|r(V)":             false,
		"A|fork(B)\nB|cls(C)\nA|rcv(C)":                                      true,
		"A|fork(B)\nB|cls(C)\nB|r(V)\nA|rcv(C)":                              false,
		"A|fork(B)\nB|snd(C)\nB|snd(C)\nA|w(V)\nA|rcv(C)":                    false, // the first of two
		"A|fork(B)\nA|fork(D)\nD|snd(C)\nD|w(V)\nB|snd(C)\nA|r(V)\nA|rcv(C)": false, // that of D
	} {
		all, err := read(t, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if e.Op == Receive && e.Joins != want {
				t.Errorf("%q: %v, not %v", text, e.Joins, want)
			}
		}
	}
}

// TestTable holds the table of conflicts to what it is for.
func TestTable(t *testing.T) {
	for op := Read; op < opEnd; op++ {
		r := Table[op]
		if r.Name == "" || (r.Kind == Nothing) != (r.Mode == None) && r.Kind != Thread {
			t.Errorf("%d: %+v", op, r)
		}
	}
	on := func(op Op, thread uint32) Event { return Event{Op: op, Thread: thread, Object: 7} }
	for _, test := range []struct {
		a, b Op
		want bool
	}{
		{Read, Read, false}, {Read, Write, true}, {Write, Write, true}, {Update, Update, true},
		{RLock, RLock, false}, {RLock, RUnlock, false}, {RLock, Lock, true}, {Unlock, RLock, true},
		{TryFailed, RLock, true}, {TryFailed, TryFailed, false}, {Lock, Unlock, true},
		{Notify, Notify, false}, {Notify, Prewait, true}, {Notify, Postwait, true}, {Prewait, Prewait, false},
		{Add, Add, false}, {Add, Wait, true}, {Wait, Wait, false},
		{Send, Send, true}, {Receive, Receive, true}, {Send, Receive, true}, {Look, Look, false}, {Look, Close, true},
		{OnceDone, OnceDone, false}, {OnceEnd, OnceDone, true}, {Read, Lock, false}, {Yield, Write, false},
	} {
		if got := Conflict(on(test.a, 1), on(test.b, 2)); got != test.want || got != Conflict(on(test.b, 2), on(test.a, 1)) {
			t.Errorf("%s and %s: %v, not %v", test.a, test.b, got, test.want)
		}
	}
	if !Conflict(Event{Op: Join, Thread: 1, Object: 2}, Event{Op: Read, Thread: 2}) {
		t.Error("a join does not conflict with its thread")
	}
}
