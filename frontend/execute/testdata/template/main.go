// Command template executes templates.
package main

import (
	"fmt"
	"os"
	"strings"
	"text/template"
)

type User struct {
	Name   string
	Age    int
	Tags   []string
	Extra  map[string]any
	Parent *User
}

func (u User) Greeting(word string) string { return word + ", " + u.Name }
func (u *User) Older(n int) (int, error) {
	if n < 0 {
		return 0, fmt.Errorf("negative: %d", n)
	}
	return u.Age + n, nil
}

const text = `{{define "tag"}}<{{.}}>{{end -}}
{{.Name | upper | printf "%q"}} {{.Greeting "Hi"}} {{.Older 2}}
{{range $i, $t := .Tags}}{{if $i}}, {{end}}{{template "tag" $t}}{{else}}none{{end}}
{{with .Parent}}{{.Name}}{{end}}{{range $k, $v := .Extra}} {{$k}}={{$v}}{{end}}
{{if and (gt .Age 3) (eq .Name "Ann")}}yes{{else}}no{{end}} {{len .Tags}} {{index .Extra "a"}} {{slice .Name 1 2}}
{{range 3}}{{.}}{{end}} {{not true}} {{html "<a>"}} {{.Extra.b.Name}}
`

func main() {
	t := template.Must(template.New("t").Funcs(template.FuncMap{"upper": strings.ToUpper}).Parse(text))
	u := &User{Name: "Ann", Age: 5, Tags: []string{"x", "y"}, Parent: &User{Name: "Pa"},
		Extra: map[string]any{"a": 1, "b": User{Name: "In"}}}
	fmt.Println(t.Execute(os.Stdout, u))
	fmt.Println(template.Must(template.New("e").Parse("{{.Older -1}}")).Execute(os.Stdout, u))
	fmt.Println(template.Must(template.New("m").Parse("{{.Missing}}")).Execute(os.Stdout, u))
	_, err := template.New("bad").Parse("{{if}}")
	fmt.Println(err)
}
