package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTraceCooperableCut cuts a recorded trace without a violation at each byte: never is the rest "cooperable".
func TestTraceCooperableCut(t *testing.T) {
	whole, err := os.ReadFile(recordedTrace(t, false))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "cut.trace")
	for n := range len(whole) + 1 {
		if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr strings.Builder
		want := statusFailed
		got := Run([]string{"trace", "cooperable", "--format", "json", name}, &stdout, &stderr)
		if n == len(whole) { // its accesses race
			want = statusUnknown
		}
		if got != want || want == statusFailed && strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%d of %d bytes: exit status %d, not %d; standard error %q", n, len(whole), got, want, stderr.String())
		}
	}
}

// TestTraceCutSTD cuts an STD file without a violation at each byte. Only where a line ends, and no thread is within a
// block, a critical section, a wait or a send, the rest may be called safe: nobody could tell that more has followed.
func TestTraceCutSTD(t *testing.T) {
	const text = "T0|fork(T1)|whole\nT0|w(V)|whole\nT0|begin\nT0|begin\nT0|end\nT0|acq(L)\nT0|end\nT0|prewait(L)\n" +
		"T0|notify(L)\nT0|postwait(L)\nT0|rel(L)|whole\nT1|racq(R)\nT1|r(W)\nT1|rrel(R)|whole\nT1|snd(B)|whole\n" +
		"T0|rcv(B)|whole\nT1|presnd(C)\nT0|rcv(C)\nT1|postsnd(C)|whole\nT1|acq(L)\nT1|acq(L)\nT1|rel(L)\n" +
		"T1|rel(L)|whole\nT0|join(T1)|whole\n"
	locks := regexp.MustCompile(`(?m)^.*(racq|rrel|r\(W|wait|notify|snd|rcv).*\n`).ReplaceAllString(text, "")
	for _, test := range []struct{ command, text string }{
		{"cooperable", text}, {"predict", strings.Replace(text, "T1|acq(L)\nT1|acq(L)\nT1|rel(L)\n", "T1|acq(L)\n", 1)},
		{"check", locks},
	} {
		name := filepath.Join(t.TempDir(), "cut.std")
		for n := range len(test.text) + 1 {
			part := test.text[:n]
			if err := os.WriteFile(name, []byte(part), 0o600); err != nil {
				t.Fatal(err)
			}
			want := statusFailed
			if strings.HasSuffix(part, "|whole\n") {
				want = statusSafe
			}
			var stdout, stderr strings.Builder
			got := Run([]string{"trace", test.command, "--format", "json", name}, &stdout, &stderr)
			if got != want || want == statusFailed && strings.Count(stderr.String(), "\n") != 1 ||
				want == statusFailed && strings.Contains(stdout.String(), `"safe"`) {
				t.Errorf("%s: %q: exit status %d, not %d; standard error %q", test.command, part, got, want, stderr.String())
			}
		}
	}
}
