package pool

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestExtract: sources that were made up stay below the directory, and within the bounds.
func TestExtract(t *testing.T) {
	made := func(heads ...tar.Header) []byte {
		var b bytes.Buffer
		zipped := gzip.NewWriter(&b)
		w := tar.NewWriter(zipped)
		for _, h := range heads {
			body := []byte("module m\n")
			if h.Typeflag == 0 {
				h.Typeflag = tar.TypeReg
			}
			if h.Size == 0 && h.Typeflag == tar.TypeReg {
				h.Size = int64(len(body))
			}
			if h.Format == tar.FormatUnknown {
				h.Format = tar.FormatPAX
			}
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if h.Typeflag == tar.TypeReg && h.Size == int64(len(body)) {
				w.Write(body)
			}
		}
		w.Flush()
		zipped.Close()
		return b.Bytes()
	}
	mod := tar.Header{Name: "go.mod"}
	for name, text := range map[string][]byte{
		"above":       made(mod, tar.Header{Name: "../x.go"}),
		"absolute":    made(mod, tar.Header{Name: "/tmp/x.go"}),
		"within":      made(mod, tar.Header{Name: "a/../../x.go"}),
		"link":        made(mod, tar.Header{Name: "a", Typeflag: tar.TypeSymlink, Linkname: "/etc"}),
		"hard link":   made(mod, tar.Header{Name: "a", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}),
		"device":      made(mod, tar.Header{Name: "a", Typeflag: tar.TypeChar}),
		"twice":       made(mod, mod),
		"file as dir": made(mod, tar.Header{Name: "a"}, tar.Header{Name: "a/b"}),
		"large":       made(mod, tar.Header{Name: "a", Size: maxFile + 1}),
		"no module":   made(tar.Header{Name: "a.go"}),
		"nonsense":    []byte("nonsense"),
	} {
		if err := extract(text, t.TempDir()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	dir := t.TempDir()
	whole := made(mod, tar.Header{Name: "a/b/c.go"})
	if err := extract(append(whole, 0)[:len(whole)], dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", "b", "c.go")); err != nil {
		t.Error(err)
	}
}

// TestTask: tasks that name what lies outside are refused.
func TestTask(t *testing.T) {
	good := func() *task {
		return &task{Sub: "cmd", Load: empire.Request{Packages: []string{"./...", ".", "example.com/p"}, Tags: "a,b.c"}}
	}
	if err := good().check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*task){
		"above":     func(t *task) { t.Load.Packages = []string{"../..."} },
		"absolute":  func(t *task) { t.Load.Packages = []string{"/etc"} },
		"a file":    func(t *task) { t.Load.Packages = []string{"file=/etc/passwd"} },
		"a flag":    func(t *task) { t.Load.Packages = []string{"-toolexec=x"} },
		"empty":     func(t *task) { t.Load.Packages = []string{""} },
		"tags":      func(t *task) { t.Load.Tags = "a -toolexec=x" },
		"directory": func(t *task) { t.Sub = "a/../../b" },
		"key":       func(t *task) { t.Asked = []asked{{Key: "../x"}} },
		"sources":   func(t *task) { t.Sources = "../x" },
	} {
		bad := good()
		change(bad)
		if bad.check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestReplaced: sources that lead to another directory are not sent.
func TestReplaced(t *testing.T) {
	for text, want := range map[string]bool{
		"module m\nreplace a => ../a\n": false, "module m\nreplace a => /a\n": false, "module m\nreplace a => ./a\n": false,
		"module m\nreplace a => b v1.2.3\n": true, "module m\n": true,
	} {
		if err := checkModule([]byte(text)); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzTask: what anyone may have sent is read, or is an error.
func FuzzTask(f *testing.F) {
	whole, err := pack(task{Load: empire.Request{Packages: []string{"."}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte("nonsense"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var own task
		if unpack(text, &own) == nil && own.check() == nil {
			for _, a := range own.Asked {
				own.request(a)
			}
		}
		extract(text, t.TempDir())
	})
}
