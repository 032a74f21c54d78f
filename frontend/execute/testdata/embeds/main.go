// What variables have by //go:embed: a text, bytes, and the files of a directory.
package main

import (
	"bytes"
	"embed"
	_ "embed"
	"fmt"
	"io/fs"
	"strings"
	"text/template"
)

//go:embed files/a.txt
var text string

type raw []byte

var (
	//go:embed files/b.txt

	// a comment may be between
	content raw

	other = "nothing is embedded here"
)

//go:embed files/a.txt "files/with blank.txt"
//go:embed files/deep
var some embed.FS

//go:embed all:files
var all embed.FS

//go:embed files/*.txt
var texts embed.FS

var fromText = strings.ToUpper(text) // as the packages are initialised

func main() {
	fmt.Println(text, fromText, other)
	content[0]++ // it is one's own
	fmt.Printf("%s %d %v\n", bytes.TrimSpace(content), len(content), cap(content) >= len(content))
	for _, f := range []embed.FS{some, all, texts} {
		err := fs.WalkDir(f, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				fmt.Println("-", path, err)
				return err
			}
			text, err := f.ReadFile(path)
			fmt.Printf("- %s %q %v\n", path, text, err)
			return nil
		})
		fmt.Println(err)
	}
	_, err := some.ReadFile("files/b.txt")
	fmt.Println(err)
	info, err := fs.Stat(some, "files/a.txt")
	fmt.Println(info.Size(), info.IsDir(), err)
	sub, err := fs.Sub(all, "files/deep")
	fmt.Println(err)
	names, err := fs.Glob(sub, "*/*.txt")
	fmt.Println(names, err)
	t, err := template.ParseFS(texts, "files/a*.txt")
	fmt.Println(t.Name(), err)
}
