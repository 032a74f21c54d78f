package harm

import "testing"

// TestProgramEnds: an order of calls that returns is not said to have no program.
func TestProgramEnds(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "the program goes on",
		"ends: panic: a nil pointer":   "the program ends: panics: a nil pointer",
		"ends: deadlock of goroutines": "the program ends: deadlock of goroutines",
	} {
		paths := []string{programEnds}
		if got := (describer{}).inWords(map[string]string{programEnds: text}, paths); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
