package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// style is how a line of a cell is to be shown where there is colour.
type style uint8

const (
	plain style = iota
	bold
	dim
	red
	green
	yellow
)

// escapes are the terminal's codes for the styles.
var escapes = [...]string{plain: "", bold: "\x1b[1m", dim: "\x1b[2m", red: "\x1b[1;31m", green: "\x1b[1;32m",
	yellow: "\x1b[1;33m"}

// paint returns text in a style, or unchanged without colour.
func paint(color bool, s style, text string) string {
	if !color || s == plain || strings.TrimSpace(text) == "" {
		return text
	}
	return escapes[s] + text + "\x1b[0m"
}

// line is a line of a cell. Where it is too long, it goes on below, indented.
type line struct {
	text   string
	tail   string // behind the text, dim; only where both fit
	indent int
	style  style
}

// table lays out rows of cells in columns side by side.
type table struct {
	gutter string   // head of the column of row labels
	heads  [][]line // one cell for each column
	rows   []row
	fixed  []int // the widths of the columns; where nil, they follow from the content
}

// row has a label and text in one of the columns.
type row struct {
	label  string
	column int
	cell   []line
}

const (
	minColumn   = 20 // narrowest useful column
	maxCellRows = 3  // rows that one line of a cell may be wrapped to
)

// render draws the table within width, as far as its columns can be narrowed.
func (t *table) render(width int, color bool) string {
	gutter := utf8.RuneCountInString(t.gutter)
	for _, r := range t.rows {
		gutter = max(gutter, utf8.RuneCountInString(r.label))
	}
	widths := t.widths(width - gutter)
	var b strings.Builder
	t.renderRow(&b, widths, gutter, t.gutter, t.heads, color)
	b.WriteString(paint(color, dim, rule(gutter, widths)) + "\n")
	for _, r := range t.rows {
		cells := make([][]line, len(t.heads))
		cells[r.column] = r.cell
		t.renderRow(&b, widths, gutter, r.label, cells, color)
	}
	return b.String()
}

// widths gives each column what its content needs if that fits.
func (t *table) widths(width int) []int {
	if t.fixed != nil {
		return t.fixed
	}
	natural := make([]int, len(t.heads))
	for i, head := range t.heads {
		natural[i] = widest(head)
	}
	for _, r := range t.rows {
		natural[r.column] = max(natural[r.column], widest(r.cell))
	}
	return fit(natural, width)
}

// fit narrows the widest of the columns until all fit into width, with their
// separators, or none can be narrowed any more.
func fit(natural []int, width int) []int {
	widths := slices.Clone(natural)
	over := 3*len(widths) - width
	for _, w := range widths {
		over += w
	}
	for ; over > 0; over-- {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= minColumn {
			break
		}
		widths[widest]--
	}
	return widths
}

func widest(cell []line) int {
	n := 0
	for _, l := range cell {
		n = max(n, utf8.RuneCountInString(l.text+l.tail))
	}
	return n
}

// renderRow draws one row; the cells are as many lines high as the highest.
func (t *table) renderRow(b *strings.Builder, widths []int, gutter int, label string, cells [][]line, color bool) {
	height := 1
	wrapped := make([][]line, len(cells))
	for i, cell := range cells {
		for _, l := range cell {
			wrapped[i] = append(wrapped[i], wrapLine(l, widths[i])...)
		}
		height = max(height, len(wrapped[i]))
	}
	for y := range height {
		out := strings.Repeat(" ", gutter-utf8.RuneCountInString(label)) + label
		label = ""
		for i := range wrapped {
			var l line
			if y < len(wrapped[i]) {
				l = wrapped[i][y]
			}
			used := utf8.RuneCountInString(l.text + l.tail)
			pad := strings.Repeat(" ", max(0, widths[i]-used))
			if out != "" || i > 0 {
				out += paint(color, dim, " | ")
			}
			out += paint(color, l.style, l.text) + paint(color, dim, l.tail) + pad
		}
		b.WriteString(strings.TrimRight(out, " ") + "\n")
	}
}

func rule(gutter int, widths []int) string {
	parts := []string{strings.Repeat("-", gutter)}
	for _, w := range widths {
		parts = append(parts, strings.Repeat("-", w))
	}
	if gutter == 0 {
		parts = parts[1:]
	}
	return strings.Join(parts, "-+-")
}

// wrapLine breaks l into lines of at most width, the second and later ones
// indented, and at most maxCellRows.
func wrapLine(l line, width int) []line {
	parts := wrap(l.text, width, l.indent)
	if len(parts) > maxCellRows {
		parts = parts[:maxCellRows]
		last := []rune(parts[maxCellRows-1])
		parts[maxCellRows-1] = string(last[:min(len(last), max(0, width-4))]) + " ..."
	}
	lines := make([]line, len(parts))
	for i, p := range parts {
		lines[i] = line{text: p, style: l.style}
	}
	lines[len(lines)-1].tail = l.tail
	return lines
}

// wrap breaks text at spaces into lines of at most width, the second and later
// ones indented by indent; a word that is longer than a line is broken.
func wrap(text string, width, indent int) []string {
	indent = min(indent, width/3)
	var lines []string
	rest := []rune(text)
	for len(rest) > width {
		cut := width
		for i := width; i > indent; i-- {
			if rest[i] == ' ' && strings.TrimSpace(string(rest[:i])) != "" {
				cut = i
				break
			}
		}
		lines = append(lines, strings.TrimRight(string(rest[:cut]), " "))
		next := strings.TrimLeft(string(rest[cut:]), " ")
		rest = []rune(strings.Repeat(" ", indent) + next)
	}
	return append(lines, string(rest))
}
