package std

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func scan(text string) (lines []Line, err error) {
	s := NewScanner(strings.NewReader(text))
	for {
		e, err := s.Next()
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, s.LineOf(e))
	}
}

func TestScan(t *testing.T) {
	const text = "T0|fork(T1)|1\n\nT1|begin|2\nT1|begin(3)\nT1|r(x.y[3])|f.go:3:4\r\n" +
		" T1 | w( V (1)) | \nT1|acq(L)|5\nT1|rel(L)|6\nT1|end|7\n \nT0|join(T1)|8"
	const want = "T0|fork(T1)|1\nT1|begin|2\nT1|begin\nT1|r(x.y[3])|f.go:3:4\n" +
		"T1|w(V (1))\nT1|acq(L)|5\nT1|rel(L)|6\nT1|end|7\nT0|join(T1)|8\n"
	lines, err := scan(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for _, l := range lines {
		got = l.AppendTo(got)
	}
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestNumbers: threads that are forked and threads that run share their numbers; variables and
// locks of one name do not.
func TestNumbers(t *testing.T) {
	s := NewScanner(strings.NewReader("A|fork(B)\nB|w(A)\nA|acq(A)\n"))
	for _, want := range []Event{{Fork, 0, 1, 1}, {Write, 1, 0, 2}, {Acquire, 0, 0, 3}} {
		if got, err := s.Next(); err != nil || got != want {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"T0|r(V)|1\nhello\n": `line 2: "hello" has no "|"; ` +
			`write the thread, the operation and the place, such as T0|w(V1)|42`,
		"T0|read(V)|1": `line 1: no operation "read"; write r, w, acq, rel, fork, join, begin, end, yield, ` +
			`racq, rrel, prewait, postwait, notify, snd, rcv, cls, presnd or postsnd`,
		"T0||1":       `line 1: no operation ""; write`,
		"|r(V)|1":     "line 1: no thread; write its name before the first |",
		"T0|r|1":      "line 1: r names nothing; write what it is on in parentheses, such as r(V1)",
		"T0|fork()":   "such as fork(T1)",
		"T0|r(V|1":    `line 1: "r(V" has no closing parenthesis; write r(V)`,
		"T0|r(V)|1|2": "line 1: \"T0|r(V)|1|2\" has more than three parts",
		"T0|r(V)\n" + strings.Repeat("x", 3*maxLine): "line 2: longer than 65536 bytes",
	} {
		_, err := scan(text)
		var bad *Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &bad) {
			t.Errorf("%.20q: %v; want %s", text, err, want)
		}
	}
}

// TestChunks: how the bytes come does not matter.
func TestChunks(t *testing.T) {
	text := strings.Repeat("T0|r(V1)|1\nT1|w(V22)|2\n", 40_000)
	s := NewScanner(iotest.HalfReader(strings.NewReader(text)))
	n := 0
	for ; ; n++ {
		if _, err := s.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n != 80_000 {
		t.Errorf("%d events", n)
	}
	s = NewScanner(iotest.TimeoutReader(strings.NewReader(text)))
	for n = 0; n < 80_000; n++ {
		if _, err := s.Next(); err != nil {
			if err != iotest.ErrTimeout {
				t.Error(err)
			}
			return
		}
	}
	t.Error("the error of the reader is lost")
}

func TestForget(t *testing.T) {
	var n Names
	a, b := n.Number([]byte("a")), n.Number([]byte("b"))
	n.Forget(func(i uint32) bool { return i == a })
	if c := n.Number([]byte("c")); c != a || n.Name(c) != "c" || n.Number([]byte("b")) != b || n.Len() != 2 {
		t.Error("numbers of forgotten names are not used again as they should be")
	}
}

// FuzzRoundTrip: what is read is printed so that it reads the same.
func FuzzRoundTrip(f *testing.F) {
	f.Add("T0|w(V1)|42\nT1|begin\nT1|end|x\n")
	f.Add(" a |r( (b) )\r\n|")
	f.Fuzz(func(t *testing.T, text string) {
		lines, _ := scan(text)
		var printed []byte
		for _, l := range lines {
			printed = l.AppendTo(printed)
		}
		again, err := scan(string(printed))
		if err != nil {
			t.Fatalf("%q: %v", printed, err)
		}
		var twice []byte
		for _, l := range again {
			twice = l.AppendTo(twice)
		}
		if !bytes.Equal(printed, twice) {
			t.Errorf("%q becomes %q", printed, twice)
		}
	})
}

// TestNames: the shortcut for plain names makes no difference.
func TestNames(t *testing.T) {
	var n Names
	numbers, names := map[string]uint32{}, map[uint32]string{}
	words := []string{"V1", "V01", "V1", "W1", "V", "V12x", "V1048575", "V1048576", "V99999999", "V999999999", "x", "V0",
		"V00", "V2"}
	for round := range 4 {
		for _, w := range words {
			got := n.Number([]byte(w))
			if want, ok := numbers[w]; ok && got != want || n.Name(got) != w || !ok && names[got] != "" {
				t.Fatalf("round %d: %s has number %d, which is %s", round, w, got, n.Name(got))
			}
			numbers[w], names[got] = got, w
		}
		n.Forget(func(i uint32) bool { return i%2 == uint32(round%2) })
		for w, i := range numbers {
			if i%2 == uint32(round%2) {
				delete(numbers, w)
				delete(names, i)
			}
		}
	}
}
