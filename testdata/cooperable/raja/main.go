// The command draws balls of glass and metal on a floor, as the ray tracer raja does: two goroutines draw every
// other line each, and nobody waits for anything but their end. It ends with status 1 if one goroutine draws a part
// of the picture otherwise.
package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
	"github.com/empire-go/empire-go/testdata/cooperable/rays"
)

const goroutines = 2

// drawing is what the goroutines share.
type drawing struct {
	scene *rays.Scene
	lines [][][3]int
}

// line draws one.
func (d *drawing) line(y int) [][3]int {
	size := len(d.lines)
	line := make([][3]int, size)
	for x := range line {
		line[x] = d.scene.Point(x, y, size)
	}
	return line
}

// draw draws every so many lines.
func (d *drawing) draw(first int) {
	for y := first; y < len(d.lines); y += goroutines {
		d.lines[y] = d.line(y)
	}
}

// balls are a pyramid of them on a floor, which is the top of a very large ball.
func balls() *rays.Scene {
	glass := &rays.Surface{Colour: rays.Vector{0.9, 1, 0.9}, Shine: 60, Glass: 1.5}
	metal := &rays.Surface{Colour: rays.Vector{0.3, 0.3, 0.35}, Shine: 30, Mirror: 0.6}
	red := &rays.Surface{Colour: rays.Vector{0.8, 0.1, 0.1}, Shine: 10}
	shapes := []rays.Shape{&rays.Sphere{Centre: rays.Vector{0, -1001, 0}, Radius: 1000,
		Of: &rays.Surface{Colour: rays.Vector{0.4, 0.4, 0.3}, Mirror: 0.1}}}
	kinds := []*rays.Surface{red, glass, metal}
	for level := range 4 {
		for i := range 4 - level {
			for j := range 4 - level {
				shapes = append(shapes, &rays.Sphere{Radius: 1, Of: kinds[(i+2*j+level)%len(kinds)],
					Centre: rays.Vector{float64(2*i + level - 3), 1.42 * float64(level), float64(2*j + level - 3)}})
			}
		}
	}
	lights := []rays.Light{{At: rays.Vector{-8, 12, -9}, Colour: rays.Vector{0.7, 0.7, 0.7}},
		{At: rays.Vector{9, 7, -3}, Colour: rays.Vector{0.4, 0.35, 0.3}}}
	return rays.NewScene(rays.Vector{3, 5, -12}, rays.Vector{0, 1, 0}, shapes, lights, 6)
}

func main() {
	const some = 10
	d := &drawing{scene: balls(), lines: make([][][3]int, grande.Size(200))}
	var all sync.WaitGroup
	for id := range goroutines {
		all.Go(func() { d.draw(id) })
	}
	all.Wait()
	for y := 0; y < len(d.lines); y += some {
		for x, want := range d.line(y) {
			if d.lines[y][x] != want {
				fmt.Println("point", x, y, "is", d.lines[y][x], "and not", want)
				os.Exit(1)
			}
		}
	}
	fmt.Println(len(d.lines), "lines are drawn")
}
