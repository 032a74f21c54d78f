package command

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestSizes(t *testing.T) {
	for text, want := range map[string]string{
		"4GiB": "4GiB", "1.5GiB": "1536MiB", "512MiB": "512MiB", "2000000": "2000000B", "2G": "2GiB", "3000KB": "3000000B",
		"": "", "0": "", "-1GiB": "", "GiB": "", "NaN": "", "1e30": "", "4 GiB": "4GiB", "4Gi": "", "12": "", "1000KB": "",
	} {
		var s sizeValue
		got := ""
		if s.Set(text) == nil {
			got = s.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestEveryErrorIsOneLine gives each command arguments that it cannot carry out.
func TestEveryErrorIsOneLine(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, args := range []string{
		"chekc", "frobnicate", "check --nosuch", "check -x", "check --type", "check --copies 0", "check --copies x",
		"check --strict=maybe",
		"check --format xml", "check --html=", "check --html .", "check --timeout 0", "check --memory 4Gi",
		"check --scenario 13",
		"explain 13", "explain 1 2", "explain pattern", "explain pattern 15", "version x", "help nosuch", "help check nosuch",
		"completion nosuch", "completion bash x", "esl check", "esl check a b", "esl check " + missing,
		"cpds check " + missing, "cpds check --engine x " + missing,
		"esl check --scenario 0 " + missing, "check --dot=", "check --nosuch=1 --other",
		"check --html - --dot -", "check --format json --html -", "run --trace - .", "man", "man a b", "render",
		"explain stale_update", "baseline --reason x --expires 1", "check --scenario stale", "check --baseline nowhere",
		"check --fail-on", "check --fail-on none", "check --fail-on=",
	} {
		var stdout, stderr strings.Builder
		status := Run(strings.Fields(args), &stdout, &stderr)
		text := stderr.String()
		if status != statusFailed || stdout.Len() > 0 || !strings.HasPrefix(text, "empire-go: ") ||
			strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") || strings.Count(text, ": ") < 2 {
			t.Errorf("empire-go %s: exit status %d, standard output %q, standard error %q", args, status, stdout.String(), text)
		}
	}
}
