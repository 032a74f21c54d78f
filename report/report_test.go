package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// formats are what each case of testdata is rendered to: the name of the expected
// file, whether only the cases that have it are compared, and the renderer.
var formats = []struct {
	file   string
	some   bool
	render func(*bytes.Buffer, *empire.Result) error
}{
	{"want.txt", false, func(b *bytes.Buffer, r *empire.Result) error { return Text(b, r, TextOptions{}) }},
	{"want-80.txt", false, func(b *bytes.Buffer, r *empire.Result) error { return Text(b, r, TextOptions{Width: 80}) }},
	{"want-run.txt", true, func(b *bytes.Buffer, r *empire.Result) error { return RunText(b, r, TextOptions{}) }},
	{"want.sarif", true, func(b *bytes.Buffer, r *empire.Result) error { return SARIF(b, r, false) }},
	{"want.html", true, bodyOfPage},
	{"want.dot", false, func(b *bytes.Buffer, r *empire.Result) error { return DOT(b, r) }},
}

// bodyOfPage renders a page without its style and script, which are the same in each.
func bodyOfPage(b *bytes.Buffer, r *empire.Result) error {
	var full bytes.Buffer
	err := HTML(&full, r)
	text := regexp.MustCompile(`content="default-src[^"]*"`).ReplaceAllLiteralString(full.String(), `content="..."`)
	for _, same := range []string{pageStyle, pageScript} {
		text = strings.ReplaceAll(text, same, "...")
	}
	b.WriteString(text)
	return err
}

// TestGolden renders testdata/*.txtar. A case holds result.json, the source files
// that the result is about, and what is expected of each format.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { golden(t, path) })
	}
}

func golden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, kept := readCase(t, archive)
	for _, f := range formats {
		var got, again bytes.Buffer
		if err := f.render(&got, r); err != nil {
			t.Fatalf("%s: %v", f.file, err)
		}
		if err := f.render(&again, r); err != nil || !bytes.Equal(got.Bytes(), again.Bytes()) {
			t.Errorf("%s: rendered twice, two results (%v)", f.file, err)
		}
		want := find(archive, f.file)
		if want == "" && f.some {
			continue
		}
		if !*update && got.String() != want {
			t.Errorf("%s (-want +got; -update accepts):\n%s", f.file, cmp.Diff(want, got.String()))
		}
		kept = append(kept, txtar.File{Name: f.file, Data: got.Bytes()})
	}
	checkColor(t, r)
	if *update {
		archive.Files = kept
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkColor checks that colour adds nothing but colour.
func checkColor(t *testing.T, r *empire.Result) {
	t.Helper()
	var colored, bare bytes.Buffer
	if Text(&colored, r, TextOptions{Color: true}) != nil || Text(&bare, r, TextOptions{}) != nil {
		t.Fatal("not rendered")
	}
	stripped := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(colored.String(), "")
	if strings.ReplaceAll(stripped, " \n", "\n") == colored.String() {
		t.Error("no colour")
	}
	trailing := regexp.MustCompile(" +\n")
	if diff := cmp.Diff(bare.String(), trailing.ReplaceAllString(stripped, "\n")); diff != "" {
		t.Errorf("coloured (-bare +coloured): %s", diff)
	}
}

// readCase returns the result of a case, with its source files in a directory, and
// the files of the case that are no expected output.
func readCase(t *testing.T, archive *txtar.Archive) (*empire.Result, []txtar.File) {
	t.Helper()
	dir := t.TempDir()
	var kept []txtar.File
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "want") {
			continue
		}
		kept = append(kept, f)
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Read(strings.NewReader(find(archive, "result.json")))
	if err != nil {
		t.Fatal(err)
	}
	r.ModuleRootDir = dir
	return r, kept
}

func find(archive *txtar.Archive, name string) string {
	for _, f := range archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}
