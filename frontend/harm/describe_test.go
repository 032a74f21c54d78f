package harm

import "testing"

// TestInWords: what orders of two calls come to is said as one would.
func TestInWords(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{programEnds, "", "the program goes on"},
		{programEnds, "ends: panic: a nil pointer", "the program ends: panics: a nil pointer"},
		{programEnds, "ends: deadlock of goroutines", "the program ends: deadlock of goroutines"},
		{"result 1#1", "7", "Get returns 7"},
		{"result 2, line 1 of its output", `"a"`, `line 1 of Put's output is "a"`},
		{"result 2, line 1 of its output", "", "line 1 of Put's output is not there"},
		{"items[0]", "", "items[0] is not there"},
	} {
		d := describer{names: [2]string{"Get", "Put"}, shown: [2][]string{{""}, {""}}}
		if got := d.inWords(map[string]string{c.path: c.text}, []string{c.path}); got != c.want {
			t.Errorf("%s, %q: %q, not %q", c.path, c.text, got, c.want)
		}
	}
}
