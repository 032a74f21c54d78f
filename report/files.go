package report

import (
	"strings"

	empire "github.com/empire-go/empire-go"
)

// shortFiles names the files that the steps are in: by the base name where that is
// unambiguous among them, with the directory where it is not, by the whole path
// where even that is ambiguous.
func shortFiles(steps []empire.Step) map[string]string {
	var files []string
	short := map[string]string{}
	add := func(pos string) {
		if file, _ := splitPos(pos); short[file] == "" {
			short[file] = file
			files = append(files, file)
		}
	}
	for _, s := range steps {
		add(s.Pos)
		for _, call := range s.Stack {
			_, at := splitCall(call)
			add(at)
		}
	}
	for elements := 2; elements >= 1; elements-- {
		count := map[string]int{}
		for _, f := range files {
			count[suffix(f, elements)]++
		}
		for _, f := range files {
			if s := suffix(f, elements); count[s] == 1 {
				short[f] = s
			}
		}
	}
	return short
}

// suffix returns the last elements of a slash-separated path.
func suffix(path string, elements int) string {
	parts := strings.Split(path, "/")
	return strings.Join(parts[max(0, len(parts)-elements):], "/")
}

// splitCall splits an entry of a stack, "main.main main.go:12:3".
func splitCall(call string) (function, pos string) {
	at := strings.LastIndex(call, " ")
	if at < 0 {
		return call, ""
	}
	return call[:at], call[at+1:]
}

// place is a position as it is shown in a row: without the column, the file by its
// short name. It is empty if there is no position.
func (st *story) place(pos string) string {
	if !hasPlace(pos) {
		return ""
	}
	file, _ := splitPos(pos)
	return strings.Replace(fileLine(pos), file, st.files[file], 1)
}
