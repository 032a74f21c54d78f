package load

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// keepSources notes which files each package is made of.
func (p *Program) keepSources(initial []*packages.Package) {
	p.sources = map[*types.Package][]string{}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		p.sources[pkg.Types] = append(pkg.CompiledGoFiles[:len(pkg.CompiledGoFiles):len(pkg.CompiledGoFiles)],
			pkg.OtherFiles...)
	})
}

// Fingerprint identifies the code of the packages named and of all that they import: it
// changes if one of the source files does, or what they embed, or the tool chain, which the standard library
// comes with. It reads the files again, and fails if one cannot be read.
func (p *Program) Fingerprint() (string, error) {
	sum := sha256.New()
	library, err := p.libraryVersion()
	if err != nil {
		return "", err
	}
	fmt.Fprintln(sum, library)
	for _, pkg := range p.Imported() {
		fmt.Fprintln(sum, pkg.Pkg.Path())
		for _, name := range slices.Concat(p.sources[pkg.Pkg], p.embeddedIn[pkg.Pkg]) {
			// Of the library too: they depend on the system and the processor. Where the checkout is makes no difference.
			fmt.Fprintln(sum, p.shorten(name))
			if library != "" && strings.HasPrefix(name, p.LibraryDir) {
				continue
			}
			if err := addFile(sum, name); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// libraryVersion returns the version of the tool chain that the standard library comes
// with; "" if that does not say.
func (p *Program) libraryVersion() (string, error) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(p.LibraryDir), "VERSION"))
	if p.LibraryDir == "" || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// addFile adds how long a file is, and what is in it.
func addFile(sum io.Writer, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintln(sum, info.Size())
	_, err = io.Copy(sum, file)
	return err
}

// Sources returns the names of the files that a package is made of.
func (p *Program) Sources(pkg *types.Package) []string { return p.sources[pkg] }

// NameOf returns the name that positions in a file have.
func (p *Program) NameOf(file string) string { return p.shorten(file) }

// ModulePaths returns the paths of the main modules.
func (p *Program) ModulePaths() (all []string) {
	for _, m := range p.modules {
		all = append(all, m.Path)
	}
	return all
}
