package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// readers are the commands that read a trace in the STD format, by the word that testdata/badtrace has for them.
var readers = []struct {
	word string
	args []string
}{
	{"check", []string{"check"}},
	{"cooperable", []string{"cooperable"}},
	{"cooperable", []string{"cooperable", "--infer"}},
	{"predict", []string{"predict"}},
	{"predict", []string{"predict", "--blocks", "sections"}},
	{"predict", []string{"predict", "--class", "deadlock,data-race"}},
	{"import", []string{"import", "--output", os.DevNull}},
}

// TestTraceBad reads the traces of testdata/badtrace, which no run can have, or of which an end is missing, with each
// command. What each has to say stands in the file, "check: 2 line 3: ...": the exit status, and the line of standard
// error behind the file's name; "all" is the commands that are not named. Files that are called a near miss are read.
func TestTraceBad(t *testing.T) {
	files, err := filepath.Glob("testdata/badtrace/*.txtar")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil || len(archive.Files) != 2 {
				t.Fatal(err)
			}
			want := map[string]string{}
			for line := range strings.Lines(string(archive.Files[0].Data)) {
				command, what, _ := strings.Cut(strings.TrimSpace(line), ": ")
				want[command] = what
			}
			text := archive.Files[1].Data
			if _, torn := want["torn"]; torn { // an archive cannot have a file without a line end
				text = bytes.TrimSuffix(text, []byte("\n"))
			}
			name := filepath.Join(t.TempDir(), "bad.std")
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, r := range readers {
				what, ok := want[r.word]
				if !ok {
					what = want["all"]
				}
				status, line, _ := strings.Cut(what, " ")
				if line != "" {
					line = "empire-go: " + name + ": " + line + "\n"
				}
				var stdout, stderr strings.Builder
				got := Run(append(append([]string{"trace"}, r.args...), name), &stdout, &stderr)
				if strconv.Itoa(got) != status || stderr.String() != line {
					t.Errorf("trace %s: exit status %d, not %s; standard error\n%snot\n%s", strings.Join(r.args, " "), got, status,
						stderr.String(), line)
				}
			}
		})
	}
}

// TestTraceBadRecorded cuts a recorded trace without a violation, and changes a byte of it, at each seventh byte, or at
// each one with EMPIRE_LONG: no command that reads one says that it is all there, or safe.
func TestTraceBadRecorded(t *testing.T) {
	whole, err := os.ReadFile(recordedTrace(t, false))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "bad.trace")
	commands := [][]string{{"check"}, {"cooperable"}, {"predict"}, {"print"}, {"export", "--output", os.DevNull}}
	try := func(what string, n int, data []byte) {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range commands {
			var stdout, stderr strings.Builder
			got := Run(append(append([]string{"trace"}, c...), name), &stdout, &stderr)
			if got == statusSafe || stderr.Len() == 0 || !strings.HasPrefix(stderr.String(), "empire-go: ") {
				t.Errorf("trace %s, %s %d of %d: exit status %d; standard error %q", c[0], what, n, len(whole), got,
					stderr.String())
			}
		}
	}
	step := 7
	if os.Getenv("EMPIRE_LONG") != "" {
		step = 1
	}
	for n := 0; n < len(whole); n += step {
		try("cut at byte", n, whole[:n])
		changed := bytes.Clone(whole)
		changed[n] ^= 0x40
		try("changed at byte", n, changed)
	}
}
