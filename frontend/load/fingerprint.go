package load

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/types"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/tools/go/packages"
)

// keepSources notes which files each package is made of.
func (p *Program) keepSources(initial []*packages.Package) {
	p.sources = map[*types.Package][]string{}
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		p.sources[pkg.Types] = append(pkg.CompiledGoFiles[:len(pkg.CompiledGoFiles):len(pkg.CompiledGoFiles)], pkg.OtherFiles...)
	})
}

// Fingerprint identifies the code of the packages named and of all that they import: it
// changes if one of the source files does, or the tool chain, which the standard library
// comes with. It reads the files again, and fails if one cannot be read.
func (p *Program) Fingerprint() (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, pkg := range p.Imported() {
		fmt.Fprintln(sum, pkg.Pkg.Path())
		for _, name := range p.sources[pkg.Pkg] {
			if p.LibraryDir != "" && strings.HasPrefix(name, p.LibraryDir) {
				continue
			}
			if err := addFile(sum, name); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// addFile adds the name of a file and what is in it.
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
	fmt.Fprintln(sum, name, info.Size())
	_, err = io.Copy(sum, file)
	return err
}
