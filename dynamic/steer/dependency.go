package steer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// The go command takes no overlays of files in its module cache. So a module that is checked as
// a dependency is built from a copy, which a go.mod of ours puts in its place.

// module is the module that a program is of.
type module struct {
	path string // "": the main module
	root string // that positions are relative to
	env  []string
}

// moduleOf returns the module of a package as it is to be built.
func (b *builder) moduleOf(ctx context.Context, t Target) (*module, error) {
	own := &module{root: b.root, env: os.Environ()}
	var found struct {
		Module *struct {
			Path, Dir string
			Main      bool
		}
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-tags="+t.Tags, "-json=Module", "--", t.Package)
	cmd.Dir = b.dir
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil || found.Module == nil || found.Module.Main { // what is wrong, the build says
		return own, nil
	}
	if b.copies[found.Module.Path] == nil {
		m, err := b.copyModule(ctx, found.Module.Path, found.Module.Dir)
		if err != nil {
			return nil, fmt.Errorf("copying module %s: %w", found.Module.Path, err)
		}
		b.copies[found.Module.Path] = m
	}
	return b.copies[found.Module.Path], nil
}

// copyModule copies a module, and writes a go.mod that replaces it with the copy.
func (b *builder) copyModule(ctx context.Context, path, dir string) (*module, error) {
	work, err := os.MkdirTemp(b.work, "module")
	if err != nil {
		return nil, err
	}
	m := &module{path: path, root: filepath.Join(work, "source")}
	if err := copySources(m.root, dir); err != nil {
		return nil, err
	}
	if name := filepath.Join(m.root, "go.mod"); !exists(name) { // older than modules
		if err := os.WriteFile(name, []byte("module "+path+"\n"), 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, "go", "env", "GOMOD")
	cmd.Dir = b.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, goError("go env", err)
	}
	name := strings.TrimSpace(string(out))
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range file.Replace { // directories are relative to the file
		if modfile.IsDirectoryPath(r.New.Path) && !filepath.IsAbs(r.New.Path) {
			to := filepath.Join(filepath.Dir(name), r.New.Path)
			if err := file.AddReplace(r.Old.Path, r.Old.Version, to, ""); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range file.Replace {
		if r.Old.Path == path {
			if err := file.DropReplace(path, r.Old.Version); err != nil {
				return nil, err
			}
		}
	}
	if err := file.AddReplace(path, "", m.root, ""); err != nil {
		return nil, err
	}
	if text, err = file.Format(); err != nil {
		return nil, err
	}
	replaced := filepath.Join(work, "go.mod")
	if err := os.WriteFile(replaced, text, 0o600); err != nil {
		return nil, err
	}
	if sums, err := os.ReadFile(filepath.Join(filepath.Dir(name), "go.sum")); err == nil {
		if err := os.WriteFile(filepath.Join(work, "go.sum"), sums, 0o600); err != nil {
			return nil, err
		}
	}
	flags := strings.TrimSpace(os.Getenv("GOFLAGS") + " -mod=mod -modfile=" + replaced)
	m.env = append(os.Environ(), "GOFLAGS="+flags, "GOWORK=off")
	return m, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// copySources copies the files of a module, which may be read-only.
func copySources(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			if base := d.Name(); name != from && (base == ".git" || base == "testdata") {
				return filepath.SkipDir
			}
			return os.MkdirAll(target, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		return cmp.Or(err, os.WriteFile(target, text, 0o600))
	})
}
