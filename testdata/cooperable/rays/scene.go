// Package rays follows rays of light through scenes of triangles and spheres, found by an octree. It is what the ray
// tracers here have in common.
package rays

import "math"

// Light shines in all directions.
type Light struct{ At, Colour Vector }

// Scene is what is drawn. It does not change while it is drawn.
type Scene struct {
	eye, view, up, left Vector
	lights              []Light
	all                 *tree
}

// deepest is how often a ray is reflected, or goes on, at most.
const deepest = 5

// NewScene is seen from a point in the direction of another one. The octree has so many levels; with none, each ray is
// compared with all shapes.
func NewScene(eye, at Vector, shapes []Shape, lights []Light, levels int) *Scene {
	view := at.Plus(-1, eye).unit()
	left := Vector{0, 1, 0}.cross(view).unit()
	return &Scene{eye, view, view.cross(left), left, lights, newTree(shapes, around(shapes), levels)}
}

// Point is the colour of a point of a square picture: red, green and blue, in steps from 0 to 255.
func (s *Scene) Point(x, y, size int) [3]int {
	place := func(i int) float64 { return 0.7 * ((2*float64(i)+1)/float64(size) - 1) }
	way := s.view.Plus(-place(x), s.left).Plus(-place(y), s.up).unit()
	c := s.follow(ray{s.eye, way}, 0)
	var steps [3]int
	for axis := range 3 {
		steps[axis] = int(255 * max(0, min(1, c[axis])))
	}
	return steps
}

// follow is the colour that a ray sees.
func (s *Scene) follow(r ray, depth int) Vector {
	shape, distance := s.all.nearest(r, math.Inf(1))
	if shape == nil {
		return Vector{0.2, 0.3, 0.5}.Plus(r.way[1], Vector{0.1, 0.1, 0.2})
	}
	at, of := r.at(distance), shape.surface()
	normal := shape.normal(at)
	cosine := -normal.dot(r.way)
	isInside := cosine < 0
	if isInside {
		normal, cosine = Vector{}.Plus(-1, normal), -cosine
	}
	mirrored := r.way.Plus(2*cosine, normal)
	colour := s.shade(at, normal, mirrored, of)
	if depth == deepest {
		return colour
	}
	reflected := of.Mirror
	if of.Glass > 0 {
		through, share := refract(r.way, normal, cosine, of.Glass, isInside)
		reflected = max(reflected, share)
		if share < 1 {
			on := s.follow(ray{at.Plus(-near, normal), through}, depth+1)
			colour = colour.Plus(1-share, on.each(of.Colour))
		}
	}
	if reflected > 0 {
		colour = colour.Plus(reflected, s.follow(ray{at.Plus(near, normal), mirrored}, depth+1))
	}
	return colour
}

// shade is the light that comes from the lamps themselves, after Phong.
func (s *Scene) shade(at, normal, mirrored Vector, of *Surface) Vector {
	colour := Vector{}.Plus(0.1, of.Colour)
	for _, l := range s.lights {
		to := l.At.Plus(-1, at)
		distance := math.Sqrt(to.dot(to))
		to = to.unit()
		straight := normal.dot(to)
		if straight <= 0 {
			continue
		}
		if other, _ := s.all.nearest(ray{at.Plus(near, normal), to}, distance); other != nil {
			continue
		}
		if of.Glass == 0 {
			colour = colour.Plus(straight, of.Colour.each(l.Colour))
		}
		if shines := mirrored.dot(to); of.Shine > 0 && shines > 0 {
			colour = colour.Plus(math.Pow(shines, of.Shine), l.Colour)
		}
	}
	return colour
}

// refract is the way of light that goes on behind a surface, after Snell, and the share that does not, after Schlick.
func refract(way, normal Vector, cosine, index float64, isInside bool) (through Vector, reflected float64) {
	ratio := 1 / index
	if isInside {
		ratio = index
	}
	rest := 1 - ratio*ratio*(1-cosine*cosine)
	if rest < 0 {
		return way, 1
	}
	through = Vector{}.Plus(ratio, way).Plus(ratio*cosine-math.Sqrt(rest), normal).unit()
	straight := (1 - index) / (1 + index)
	straight *= straight
	if isInside {
		cosine = math.Sqrt(rest)
	}
	return through, straight + (1-straight)*math.Pow(1-cosine, 5)
}
