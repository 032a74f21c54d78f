package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// maxSourceFile bounds the files that are read for their lines.
const maxSourceFile = 16 << 20

// sources gives lines of the source files below a directory. Each file is read
// once; one that cannot be read has no lines.
type sources struct {
	root  string
	files map[string][]string
}

func newSources(root string) *sources { return &sources{root, map[string][]string{}} }

// position matches file:line and file:line:col.
var position = regexp.MustCompile(`^(.+?):(\d+)(?::\d+)?$`)

// splitPos returns the file and the line of a position; the line is 0 if pos is
// none.
func splitPos(pos string) (file string, line int) {
	m := position.FindStringSubmatch(pos)
	if m == nil {
		return pos, 0
	}
	line, _ = strconv.Atoi(m[2])
	return m[1], line
}

// hasPlace tells whether a position is one.
func hasPlace(pos string) bool { return pos != "" && pos != "-" }

// fileLine returns pos without the column.
func fileLine(pos string) string {
	if m := position.FindStringSubmatch(pos); m != nil {
		return m[1] + ":" + m[2]
	}
	return pos
}

// line returns the line of source at pos with single spaces and without a comment
// at its end, or "".
func (s *sources) line(pos string) string {
	file, n := splitPos(pos)
	lines := s.load(file)
	if n < 1 || n > len(lines) {
		return ""
	}
	return printable(withoutComment(lines[n-1]))
}

// withoutComment drops a comment behind code. What could be inside a string stays.
func withoutComment(text string) string {
	code, _, found := strings.Cut(text, " // ")
	if !found || strings.TrimSpace(code) == "" || strings.ContainsAny(code, "\"`'") {
		return text
	}
	return code
}

// printable returns text with single spaces and without what a terminal would
// obey.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) && r != ' ' {
			return '?'
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
}

func (s *sources) load(file string) []string {
	if lines, ok := s.files[file]; ok {
		return lines
	}
	var lines []string
	// A result may come from elsewhere: it names no file outside the module.
	if path := filepath.FromSlash(file); s.root != "" && filepath.IsLocal(path) {
		path = filepath.Join(s.root, path)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= maxSourceFile {
			if data, err := os.ReadFile(path); err == nil {
				lines = strings.Split(string(data), "\n")
			}
		}
	}
	s.files[file] = lines
	return lines
}
