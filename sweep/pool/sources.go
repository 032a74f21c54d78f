package pool

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"crypto/sha256"

	"golang.org/x/mod/modfile"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep/child"
	"github.com/empire-go/empire-go/sweep/jetstream"
)

// What shipped sources are bounded by.
const (
	maxSources  = 256 << 20 // bytes of all files
	maxFile     = 32 << 20  // of one
	maxFiles    = 50_000
	maxArchive  = 64 << 20 // bytes of what is sent
	sourcesName = "sources/"
)

// ShipEnv is what the sources of a sweep have to be loaded with where they are planned, as children load them so.
var ShipEnv = map[string]string{"CGO_ENABLED": "0", "GOWORK": "off", "GOTOOLCHAIN": "local", "GOENV": "off",
	"GOFLAGS": ""}

// Shipment is the sources that a sweep loads, packed.
type Shipment struct {
	Name string // a hash of them
	Sub  string // the directory, within the module, that packages are named in
	text []byte
}

// Pack packs the files of the main module that the packages of a request consist of, with go.mod, go.sum and
// empire.yaml: those that the go command names, and no other. A module that is replaced by a directory is refused.
func Pack(ctx context.Context, r empire.Request, root string) (*Shipment, error) {
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	if err := checkModule(gomod); err != nil {
		return nil, err
	}
	names, err := sourcesOf(ctx, r, root)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, err
	}
	sub, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(sub) {
		return nil, fmt.Errorf("%s is not in the module of %s", dir, root)
	}
	s := &Shipment{}
	if sub != "." {
		s.Sub = filepath.ToSlash(sub)
	}
	if s.text, err = archive(root, names); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(s.text)
	s.Name = hex.EncodeToString(sum[:])
	return s, nil
}

// checkModule refuses what would lead out of the sources.
func checkModule(gomod []byte) error {
	file, err := modfile.Parse("go.mod", gomod, nil)
	if err != nil {
		return err
	}
	for _, r := range file.Replace {
		if modfile.IsDirectoryPath(r.New.Path) || r.New.Version == "" {
			return fmt.Errorf("go.mod replaces %s by the directory %s, which is not sent; each worker needs a checkout",
				r.Old.Path, r.New.Path)
		}
	}
	return nil
}

// sourcesOf returns the files, relative to the root and with slashes.
func sourcesOf(ctx context.Context, r empire.Request, root string) ([]string, error) {
	args := []string{"list", "-deps", "-json=Dir,Module,GoFiles,SFiles,HFiles,EmbedFiles,TestGoFiles,XTestGoFiles," +
		"TestEmbedFiles,XTestEmbedFiles"}
	if r.Tests {
		args = append(args, "-test")
	}
	if r.Tags != "" {
		args = append(args, "-tags", r.Tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), r.Packages...)...)
	cmd.Dir = r.Dir
	var problems bytes.Buffer
	cmd.Stderr = &problems
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %s", strings.TrimSpace(problems.String()))
	}
	all := map[string]bool{"go.mod": true}
	for _, name := range []string{"go.sum", "empire.yaml"} {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			all[name] = true
		}
	}
	for in := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct {
			Dir    string
			Module *struct{ Main bool }

			GoFiles, SFiles, HFiles, EmbedFiles, TestGoFiles, XTestGoFiles, TestEmbedFiles, XTestEmbedFiles []string
		}
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.SFiles, p.HFiles, p.EmbedFiles, p.TestGoFiles, p.XTestGoFiles,
			p.TestEmbedFiles, p.XTestEmbedFiles) {
			rel, err := filepath.Rel(root, filepath.Join(p.Dir, name))
			if filepath.IsAbs(name) || err != nil || !filepath.IsLocal(rel) {
				continue // it is made by the go command
			}
			all[filepath.ToSlash(rel)] = true
		}
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// archive packs files: the same files give the same bytes.
func archive(root string, names []string) ([]byte, error) {
	if len(names) > maxFiles {
		return nil, fmt.Errorf("%d files are more than the %d that are sent", len(names), maxFiles)
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	w := tar.NewWriter(zipped)
	for _, name := range names {
		text, err := fs.ReadFile(dir.FS(), name)
		if err != nil {
			return nil, err
		}
		if len(text) > maxFile {
			return nil, fmt.Errorf("%s has more than %d MiB", name, maxFile>>20)
		}
		head := &tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), Typeflag: tar.TypeReg}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	if packed.Len() > maxArchive {
		return nil, fmt.Errorf("the sources have more than %d MiB when they are packed", maxArchive>>20)
	}
	return packed.Bytes(), nil
}

// extract unpacks sources, which anyone may have packed, into an empty directory: regular files below it, within the
// bounds, and nothing else.
func extract(text []byte, into string) error {
	dir, err := os.OpenRoot(into)
	if err != nil {
		return err
	}
	defer dir.Close()
	zipped, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return err
	}
	left := int64(maxSources)
	in := tar.NewReader(zipped)
	hasModule := false
	for n := 0; ; n++ {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if n >= maxFiles {
			return fmt.Errorf("more than %d files", maxFiles)
		}
		if head.Typeflag != tar.TypeReg || !filepath.IsLocal(filepath.FromSlash(head.Name)) ||
			strings.ContainsAny(head.Name, "\\:\x00") {
			return fmt.Errorf("%q is no file below the directory", head.Name)
		}
		if head.Size < 0 || head.Size > maxFile || head.Size > left {
			return fmt.Errorf("%q is too large", head.Name)
		}
		left -= head.Size
		content, err := io.ReadAll(io.LimitReader(in, head.Size))
		if err != nil {
			return err
		}
		if head.Name == "go.mod" {
			if err := checkModule(content); err != nil {
				return err
			}
			hasModule = true
		}
		if err := writeIn(dir, filepath.FromSlash(head.Name), content); err != nil {
			return err
		}
	}
	if !hasModule {
		return errors.New("there is no go.mod")
	}
	return nil
}

// writeIn writes a new file below a directory.
func writeIn(dir *os.Root, name string, content []byte) error {
	if err := dir.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// sources is what a worker has unpacked.
type sources struct {
	pool *jetstream.Pool
	root string

	mu  sync.Mutex
	all []string // by their names, the last one used last
}

func newSources(p *jetstream.Pool, root string) *sources { return &sources{pool: p, root: root} }

// dir returns the directory of sources, which are fetched if they are not there.
func (s *sources) dir(ctx context.Context, name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	into := filepath.Join(s.root, "sources", name)
	if slices.Contains(s.all, name) {
		return into, nil
	}
	text, err := s.pool.Object(ctx, sourcesName+name, maxArchive)
	if err != nil {
		return "", err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != name {
		return "", &child.RefusedError{Why: "the sources are not those that the task names"}
	}
	if err := os.MkdirAll(into, 0o700); err != nil {
		return "", err
	}
	if err := extract(text, into); err != nil {
		os.RemoveAll(into)
		return "", &child.RefusedError{Why: "the sources cannot be unpacked: " + err.Error()}
	}
	s.all = append(s.all, name)
	return into, nil
}
