package report

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
)

// around is how many lines of source are in the page before and after each that is mentioned.
const around = 6

// htmlFile is the lines of a source file that the page has.
type htmlFile struct {
	Name  string
	Lines []htmlSourceLine
}

// htmlSourceLine is a line of source. Gap tells that lines before it are left out.
type htmlSourceLine struct {
	ID, Text string
	Number   int
	Gap      bool
}

// excerpts collects which lines of source a page needs.
type excerpts struct {
	*sources
	numbers map[string]int // of the files, in the order in which they were used
	used    map[string]map[int]bool
	order   []string
}

func newExcerpts(root string) *excerpts {
	return &excerpts{newSources(root), map[string]int{}, map[string]map[int]bool{}, nil}
}

// use returns the id of the line at a position, "" if the source is not there. The line will be in the page.
func (e *excerpts) use(pos string) string {
	file, line := splitPos(pos)
	if lines := e.load(file); line < 1 || line > len(lines) {
		return ""
	}
	if e.used[file] == nil {
		e.numbers[file], e.used[file] = len(e.order)+1, map[int]bool{}
		e.order = append(e.order, file)
	}
	e.used[file][line] = true
	return fmt.Sprintf("s%d-%d", e.numbers[file], line)
}

// files returns the lines that were used and those around them.
func (e *excerpts) files() (all []htmlFile) {
	for _, name := range e.order {
		f, lines, last := htmlFile{Name: name}, e.load(name), 0
		for _, n := range e.wanted(name, len(lines)) {
			f.Lines = append(f.Lines, htmlSourceLine{fmt.Sprintf("s%d-%d", e.numbers[name], n), visible(lines[n-1]), n,
				n > last+1})
			last = n
		}
		all = append(all, f)
	}
	return all
}

// wanted lists the lines of a file, of which there are so many.
func (e *excerpts) wanted(name string, count int) (lines []int) {
	for n := range e.used[name] {
		for k := max(1, n-around); k <= min(count, n+around); k++ {
			lines = append(lines, k)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// visible returns a line of source with its indentation, without what would make it look like another one.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, strings.ReplaceAll(strings.TrimRight(text, "\r"), "\t", "    "))
}

// sourceLink is where a browser finds a line of a file.
func sourceLink(format, file string, line int) string {
	segments := strings.Split(path.Clean(file), "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	if !strings.Contains(format, "{file}") {
		format = strings.TrimSuffix(format, "/") + "/{file}#L{line}"
	}
	return strings.NewReplacer("{file}", strings.Join(segments, "/"), "{line}", fmt.Sprint(line)).Replace(format)
}
