package command

import (
	"os"
	"strings"
	"testing"
)

// TestProgress: each line takes the place of the one before, and none is longer than the terminal.
func TestProgress(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out, width: 30}
	p.show("loading")
	p.show("loading")
	p.show("looking for candidates in many programs")
	step := p.counted("query")
	step(1, 2)
	step(2, 2)
	p.show("checking")
	p.note("found in T")
	want := "\r\x1b[Kempire-go: loading ..." + "\r\x1b[Kempire-go: looking for candid" +
		"\r\x1b[Kempire-go: query 1 of 2 ..." + "\r\x1b[K" +
		"\r\x1b[Kempire-go: checking ..." + "\r\x1b[Kempire-go: found in T\nempire-go: checking ..."
	if got := out.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoProgress: where there is no terminal nothing is shown.
func TestNoProgress(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range []*progress{newProgress(file), newProgress(new(strings.Builder)), nil} {
		p.show("loading")
		p.counted("query")(1, 2)
		p.note("found")
	}
	if info, err := file.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("%v: something was written", err)
	}
}
