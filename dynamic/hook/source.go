package hook

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.go
var files embed.FS

// RuntimeSource is the file that the package needs in package runtime of the program.
//
//go:embed runtime.txt
var RuntimeSource string

// Sources returns the files of the package as they are compiled into a program, by name.
func Sources() map[string]string {
	sources := map[string]string{}
	entries, _ := fs.ReadDir(files, ".")
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, "_test.go") || name == "source.go" || name == "platform_plain.go" {
			continue
		}
		text, _ := files.ReadFile(name)
		sources[name] = strings.NewReplacer(
			"//go:build empire_runtime\n", "",
			"//go:build empire_runtime && ", "//go:build ",
			"github.com/empire-go/empire-go/dynamic/trace", "empire/trace",
			"github.com/empire-go/empire-go/dynamic/snapshot", "empire/snapshot",
		).Replace(string(text))
	}
	return sources
}
