package command

import (
	"fmt"
	"html/template"
	"io"
	"slices"
)

// The picture has a line for each trace, in the order of their sizes, and a column for each of the paper's Fig. 8 to
// 10.
const (
	figureLeft, figureWidth, figureGap = 240, 240, 60
	figureTop, figureLine, figureBar   = 70, 44, 12
)

// figureRect is a bar, or a part of one.
type figureRect struct {
	X, Y, Width float64
	Height      int
	Class       string // see the style
	Title       string
}

type figureText struct {
	X, Y float64
	Text string
	End  bool // the text ends there
}

type figures struct {
	Width, Height int
	Rects         []figureRect
	Texts         []figureText
}

// column is where a figure begins.
func column(i int) float64 { return float64(figureLeft + i*(figureWidth+figureGap)) }

// bar adds parts, from 0 to 1, one beside the other.
func (f *figures) bar(at int, y float64, parts ...figureRect) {
	x := column(at)
	for _, p := range parts {
		p.X, p.Y, p.Width, p.Height = x, y, min(1, p.Width)*figureWidth, figureBar
		x += p.Width
		if p.Width > 0 {
			f.Rects = append(f.Rects, p)
		}
	}
}

func (f *figures) text(x, y float64, text string) {
	f.Texts = append(f.Texts, figureText{X: x, Y: y, Text: text})
}

// outcomes are the parts of a bar for what is known of the blocks.
func (r scenarioRow) outcomes() []figureRect {
	all := float64(max(1, r.Static+r.Atomic+r.Found+r.Unknown))
	part := func(n int, class, what string) figureRect {
		return figureRect{Width: float64(n) / all, Class: class, Title: fmt.Sprintf("%s: %d %s", r.Name, n, what)}
	}
	return []figureRect{part(r.Static, "sp", "by the static check"), part(r.Atomic, "nv", "by search"),
		part(r.Found, "v", "violated"), part(r.Unknown, "to", "not known")}
}

// writeFigures draws the figures as one SVG, which scales and needs nothing else.
func writeFigures(w io.Writer, all []traceTable) error {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b traceTable) int { return a.last.Events - b.last.Events })
	f := &figures{Width: int(column(3)), Height: figureTop + len(all)*figureLine + 40}
	f.text(column(0), 24, "average segment, % of the events")
	f.text(column(1), 24, "blocks: no TAS above, TAS below")
	f.text(column(2), 24, "TAS / no TAS: orders above, time below")
	for i := range 3 {
		f.text(column(i), figureTop-18, "0")
		end := [...]string{"100 %", "100 %", "1"}[i]
		f.Texts = append(f.Texts, figureText{column(i) + figureWidth, figureTop - 18, end, true})
	}
	for i, t := range all {
		y := float64(figureTop + i*figureLine)
		label := fmt.Sprintf("%s (%d)", shortName(t.name), t.last.Events)
		f.Texts = append(f.Texts, figureText{figureLeft - 12, y + figureBar + 4, label, true})
		_, percent := averageSegment(t.last)
		f.bar(0, y+figureBar/2, figureRect{Width: percent / 100, Class: "nv", Title: fmt.Sprintf("%.1f %%", percent)})
		without, with := t.rows[0], t.rows[len(t.rows)-1]
		f.bar(1, y, without.outcomes()...)
		f.bar(1, y+figureBar+2, with.outcomes()...)
		for j, of := range []struct {
			what          string
			with, without float64
		}{{"orders", float64(with.Runs), float64(without.Runs)}, {"seconds", with.Seconds, without.Seconds}} {
			if of.without == 0 {
				continue
			}
			class := [...]string{"nv", "sp"}[j]
			f.bar(2, y+float64(j*(figureBar+2)), figureRect{Width: of.with / of.without, Class: class,
				Title: fmt.Sprintf("%g of %g %s", of.with, of.without, of.what)})
		}
	}
	y := float64(f.Height - 16)
	for i, part := range []struct{ class, text string }{{"sp", "static check"}, {"nv", "no violation"}, {"v", "violated"},
		{"to", "not known"}} {
		x := column(1) + float64(i*120)
		f.Rects = append(f.Rects, figureRect{x, y - 10, 12, 12, part.class, part.text})
		f.text(x+18, y, part.text)
	}
	return figureTemplate.Execute(w, f)
}

// shortName is the end of a long name.
func shortName(name string) string {
	const most = 26
	if runes := []rune(name); len(runes) > most {
		return "…" + string(runes[len(runes)-most+1:])
	}
	return name
}

// The parts differ in lightness, too, for those who do not tell colours apart.
var figureTemplate = template.Must(template.New("figures").Parse(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" ` +
		`height="{{.Height}}" role="img" aria-label="Segments, outcomes and savings for each trace">
<style>
text { font: 13px sans-serif; fill: #222 } .end { text-anchor: end }
.sp { fill: #9ecae1 } .nv { fill: #3182bd } .v { fill: #b30000 } .to { fill: #bdbdbd }
</style>
<rect width="100%" height="100%" fill="#fff"/>
{{range .Rects}}<rect x="{{printf "%.1f" .X}}" y="{{printf "%.1f" .Y}}" width="{{printf "%.1f" .Width}}" ` +
		`height="{{.Height}}" class="{{.Class}}"><title>{{.Title}}</title></rect>
{{end}}{{range .Texts}}<text x="{{printf "%.1f" .X}}" y="{{printf "%.1f" .Y}}"` +
		`{{if .End}} class="end"{{end}}>{{.Text}}</text>
{{end}}</svg>
`))
