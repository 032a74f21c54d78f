// The command draws a ring of triangles above a floor, as mtrt of SPEC JVM98 draws a scene of polygons: goroutines
// have a share of the lines each, and count themselves as done with a counter that nothing synchronises, so that
// some may seem to draw for ever. It ends with status 1 if a part of the picture is another one when each ray is
// compared with all triangles.
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
	"github.com/empire-go/empire-go/testdata/cooperable/rays"
)

// drawing is what the goroutines share.
type drawing struct {
	scene  *rays.Scene
	size   int
	points [][3]int
	left   int // goroutines that draw
}

// done counts a goroutine less.
func (d *drawing) done() { d.left-- }

// draw draws some lines.
func (d *drawing) draw(first, end int) {
	for y := first; y < end; y++ {
		for x := range d.size {
			d.points[y*d.size+x] = d.scene.Point(x, y, d.size)
		}
	}
	d.done()
}

// ring is a torus of triangles above a floor.
func ring(around, across, levels int) *rays.Scene {
	gold := &rays.Surface{Colour: rays.Vector{0.7, 0.5, 0.1}, Shine: 20, Mirror: 0.2}
	grey := &rays.Surface{Colour: rays.Vector{0.5, 0.5, 0.5}}
	at := func(i, j int) rays.Vector {
		a, b := 2*math.Pi*float64(i)/float64(around), 2*math.Pi*float64(j)/float64(across)
		out := 3 + math.Cos(b)
		return rays.Vector{out * math.Cos(a), math.Sin(b), out * math.Sin(a)}
	}
	var shapes []rays.Shape
	square := func(a, b, c, d rays.Vector, of *rays.Surface) {
		shapes = append(shapes, &rays.Triangle{Corners: [3]rays.Vector{a, b, c}, Of: of},
			&rays.Triangle{Corners: [3]rays.Vector{a, c, d}, Of: of})
	}
	for i := range around {
		for j := range across {
			square(at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1), gold)
		}
	}
	square(rays.Vector{-9, -2, -9}, rays.Vector{9, -2, -9}, rays.Vector{9, -2, 9}, rays.Vector{-9, -2, 9}, grey)
	lights := []rays.Light{{At: rays.Vector{5, 9, -5}, Colour: rays.Vector{0.8, 0.8, 0.8}},
		{At: rays.Vector{-6, 5, -2}, Colour: rays.Vector{0.3, 0.3, 0.4}}}
	return rays.NewScene(rays.Vector{1, 6, -8}, rays.Vector{}, shapes, lights, levels)
}

func main() {
	const around, across, levels, some = 48, 24, 5, 37
	size := grande.Size(200)
	d := &drawing{scene: ring(around, across, levels), size: size, points: make([][3]int, size*size),
		left: grande.Goroutines}
	grande.Each(func(id int) { d.draw(grande.Share(id, size)) })
	slow := ring(around, across, 0)
	for i := 0; i < len(d.points); i += some {
		if got, want := d.points[i], slow.Point(i%size, i/size, size); got != want {
			fmt.Println("point", i, "is", got, "and not", want)
			os.Exit(1)
		}
	}
	fmt.Println(size, "lines are drawn;", d.left, "goroutines draw")
}
