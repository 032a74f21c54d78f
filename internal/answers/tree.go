package answers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
)

// Tree is all that loading packages depends on: the sources of the main modules, and of modules that
// directories replace, with their go.mod and go.sum, which name the content of all others; and the go
// command's environment, with the version of the standard library.
type Tree struct {
	Dir         string // where packages are looked up
	Environment string // of the go command: a hash
	GoRoot      string
	ModuleCache string

	roots   []string // directories of modules
	singles []string // files beside them
	files   map[string]*File
	others  map[string]Sum // files by their text: those that are no Go, and what may be embedded
}

// ErrNotKept is why answers about packages are not kept: it is not known what they depend on.
var ErrNotKept = errors.New("what they depend on is not known")

// ReadTree reads what packages depend on that are looked up in a directory. The error is ErrNotKept, or says
// what cannot be read.
func ReadTree(dir string, patterns []string) (*Tree, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	t := &Tree{Dir: dir}
	env, err := t.environment()
	if err != nil {
		return nil, err
	}
	if err := t.findRoots(env); err != nil {
		return nil, err
	}
	for _, p := range patterns {
		if !t.knows(p) {
			return nil, ErrNotKept
		}
	}
	return t, t.readAll(ReadFile)
}

// environment returns what the go command goes by.
func (t *Tree) environment() (map[string]string, error) {
	cmd := exec.Command("go", "env", "-json")
	cmd.Dir, cmd.Env = t.Dir, append(os.Environ(), "GO111MODULE=on")
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	env := map[string]string{}
	if err := json.Unmarshal(text, &env); err != nil {
		return nil, err
	}
	for _, flag := range []string{"-overlay", "-modfile", "-toolexec"} {
		if strings.Contains(env["GOFLAGS"], flag) {
			return nil, ErrNotKept
		}
	}
	if os.Getenv("GOPACKAGESDRIVER") != "" || os.Getenv("GODEBUG") != env["GODEBUG"] {
		return nil, ErrNotKept
	}
	version, err := os.ReadFile(filepath.Join(env["GOROOT"], "VERSION")) // a development version has none
	if err != nil {
		return nil, ErrNotKept
	}
	delete(env, "GOGCCFLAGS") // it has a temporary directory
	sorted, err := json.Marshal(env)
	if err != nil {
		return nil, err
	}
	t.GoRoot, t.ModuleCache = env["GOROOT"], env["GOMODCACHE"]
	t.Environment = Hash(string(sorted), string(version))
	return env, nil
}

// findRoots finds the directories of modules that can be edited.
func (t *Tree) findRoots(env map[string]string) error {
	work, mod := env["GOWORK"], env["GOMOD"]
	switch {
	case work != "" && work != "off":
		text, err := os.ReadFile(work)
		if err != nil {
			return err
		}
		file, err := modfile.ParseWork(work, text, nil)
		if err != nil {
			return err
		}
		dir := filepath.Dir(work)
		t.singles = append(t.singles, work, work+".sum")
		t.addRoot(filepath.Join(dir, "vendor"))
		for _, use := range file.Use {
			own := inDir(dir, use.Path)
			t.addRoot(own)
			if err := t.addReplaced(filepath.Join(own, "go.mod")); err != nil {
				return err
			}
		}
		t.addLocal(dir, file.Replace)
	case mod == "" || mod == os.DevNull:
		return ErrNotKept
	default:
		t.addRoot(filepath.Dir(mod))
		if err := t.addReplaced(mod); err != nil {
			return err
		}
	}
	for _, root := range slices.Clone(t.roots) { // settings may be above a module
		for dir := root; ; dir = filepath.Dir(dir) {
			t.singles = append(t.singles, filepath.Join(dir, "empire.yaml"))
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return nil
}

func (t *Tree) addRoot(dir string) {
	if !slices.Contains(t.roots, dir) {
		t.roots = append(t.roots, dir)
	}
}

// addReplaced adds the directories that a go.mod has in place of modules.
func (t *Tree) addReplaced(mod string) error {
	text, err := os.ReadFile(mod)
	if err != nil {
		return err
	}
	file, err := modfile.Parse(mod, text, nil)
	if err != nil {
		return err
	}
	t.addLocal(filepath.Dir(mod), file.Replace)
	return nil
}

func (t *Tree) addLocal(dir string, all []*modfile.Replace) {
	for _, r := range all {
		if r.New.Version == "" {
			t.addRoot(inDir(dir, r.New.Path))
		}
	}
}

func inDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// knows tells whether it is known where packages come from that a pattern names.
func (t *Tree) knows(pattern string) bool {
	if strings.HasSuffix(pattern, ".go") || strings.Contains(pattern, "=") {
		return false
	}
	if !strings.HasPrefix(pattern, ".") && !filepath.IsAbs(pattern) {
		return true
	}
	before, _, _ := strings.Cut(pattern, "...")
	return t.isOwn(inDir(t.Dir, before))
}

// isOwn tells whether a path is in one of the modules.
func (t *Tree) isOwn(path string) bool {
	return slices.ContainsFunc(t.roots, func(root string) bool { return isWithin(root, path) })
}

func isWithin(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+
		string(filepath.Separator))
}

// IsFixed tells whether a file does not change, as it belongs to the standard library, or to a version of a
// module.
func (t *Tree) IsFixed(name string) bool {
	return !t.isOwn(name) && (isWithin(t.GoRoot, name) || isWithin(t.ModuleCache, name))
}

// File returns a source file; nil if it is not one of the modules'.
func (t *Tree) File(name string) *File { return t.files[name] }

// compiled are the endings of files besides Go that packages are made of, or that say what they are.
var compiled = []string{".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90",
	".s", ".S", ".sx", ".swig", ".swigcxx", ".syso"}

// alsoRead are the names of other files that count.
var alsoRead = []string{"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt", "empire.yaml"}

// readAll reads the files.
func (t *Tree) readAll(read func([]byte) *File) error {
	t.files, t.others = map[string]*File{}, map[string]Sum{}
	names, err := t.names()
	if err != nil {
		return err
	}
	type content struct {
		file *File
		sum  Sum
		err  error
	}
	contents := make([]content, len(names))
	var running sync.WaitGroup
	workers := max(1, min(runtime.GOMAXPROCS(0), len(names)/16))
	for w := range workers {
		running.Go(func() {
			for i := w; i < len(names); i += workers {
				text, err := os.ReadFile(names[i])
				switch {
				case err != nil:
					contents[i].err = err
				case strings.HasSuffix(names[i], ".go"):
					contents[i].file = read(text)
				default:
					contents[i].sum = sha256.Sum256(text)
				}
			}
		})
	}
	running.Wait()
	for i, c := range contents {
		switch {
		case errors.Is(c.err, fs.ErrNotExist) && slices.Contains(t.singles, names[i]):
		case c.err != nil:
			return c.err
		case c.file != nil:
			t.files[names[i]] = c.file
		default:
			t.others[names[i]] = c.sum
		}
	}
	return t.addEmbedded()
}

// names returns the names of the files.
func (t *Tree) names() ([]string, error) {
	names := slices.Clone(t.singles)
	for _, root := range t.roots {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case name == root && errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir():
				if name != root && isForeign(name, d) {
					return filepath.SkipDir
				}
				return nil
			case d.Type()&fs.ModeSymlink != 0:
				if info, err := os.Stat(name); err == nil && info.IsDir() {
					return ErrNotKept
				}
			}
			ending := filepath.Ext(name)
			if ending == ".go" || slices.Contains(compiled, ending) || slices.Contains(alsoRead, d.Name()) {
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// isForeign tells whether a directory below that of a module has nothing of it.
func isForeign(dir string, d fs.DirEntry) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil || d.Name() == ".git"
}

// addEmbedded adds what files may embed: all of the module that is beside and below them, by its text.
func (t *Tree) addEmbedded() error {
	done := map[string]bool{}
	for name, f := range t.files {
		dir := filepath.Dir(name)
		if !f.Embeds || done[dir] {
			continue
		}
		done[dir] = true
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && name != dir && isForeign(name, d) {
				return filepath.SkipDir
			}
			if _, isRead := t.others[name]; err != nil || isRead || !d.Type().IsRegular() {
				return err
			}
			if f := t.files[name]; f != nil {
				t.others[name] = f.Raw
				return nil
			}
			sum, err := sumOf(name)
			t.others[name] = sum
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sumOf returns a hash of what is in a file.
func sumOf(name string) (sum Sum, err error) {
	file, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	all := sha256.New()
	_, err = io.Copy(all, file)
	return Sum(all.Sum(nil)), err
}

// Meaning returns a hash of what the files mean, and Text one of what they are.
func (t *Tree) Meaning() string { return t.hash(func(f *File) Sum { return f.Sum }) }

// Text returns a hash of the text of the files.
func (t *Tree) Text() string { return t.hash(func(f *File) Sum { return f.Raw }) }

func (t *Tree) hash(of func(*File) Sum) string {
	sums := map[string]Sum{}
	for name, f := range t.files {
		sums[name] = of(f)
	}
	for name, sum := range t.others {
		sums[name] = sum
	}
	names := make([]string, 0, len(sums))
	for name := range sums {
		names = append(names, name)
	}
	slices.Sort(names)
	all := sha256.New()
	fmt.Fprintf(all, "%q %q %q\n", t.Dir, t.roots, t.Environment)
	for _, name := range names {
		fmt.Fprintf(all, "%q %x\n", name, sums[name])
	}
	return hex.EncodeToString(all.Sum(nil))
}

// IsUnchanged tells whether everything is still as it was when it was read.
func (t *Tree) IsUnchanged() bool {
	now := &Tree{Dir: t.Dir, Environment: t.Environment, roots: t.roots, singles: t.singles}
	return now.readAll(ReadRaw) == nil && now.Text() == t.Text()
}

// Other returns a hash of the text of a file that is no Go, or may be embedded, and whether it is one that packages
// are made of.
func (t *Tree) Other(name string) (Sum, bool) {
	sum, ok := t.others[name]
	return sum, ok
}
