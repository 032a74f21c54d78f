// Package spheres is the picture of the kernel raytracer of the Java Grande suite.
package spheres

import "math"

type vector [3]float64

func (v vector) plus(s float64, w vector) vector {
	return vector{v[0] + s*w[0], v[1] + s*w[1], v[2] + s*w[2]}
}
func (v vector) times(s float64) vector { return vector{s * v[0], s * v[1], s * v[2]} }
func (v vector) dot(w vector) float64   { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

func (v vector) cross(w vector) vector {
	return vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// unit is the vector with the length 1, and how long it was.
func (v vector) unit() (vector, float64) {
	length := math.Sqrt(v.dot(v))
	if length > 0 {
		v = vector{v[0] / length, v[1] / length, v[2] / length}
	}
	return v, length
}

// The spheres have one surface, but for the colour.
const (
	radius      = 3.0
	shine       = 15.0
	reflected   = 0.5
	transmitted = 0.5
	deepest     = 6 // a ray of a ray, and so on
)

type sphere struct {
	centre vector
	colour vector
}

type ray struct{ from, way vector }

// Scene is spheres, lights and an eye. It does not change while it is drawn.
type Scene struct {
	spheres             []*sphere
	lights              []vector
	eye, view, up, left vector
}

// NewScene is a cube of spheres, which are the bluer the farther they are from a corner.
func NewScene() *Scene {
	const each = 4
	s := &Scene{lights: []vector{{100, 100, -50}, {-100, 100, -50}, {100, -100, -50}, {-100, -100, -50}, {200, 200, 0}},
		eye: vector{0, 20, -30}}
	at := func(i int) float64 { return 20.0/(each-1)*float64(i) - 10 }
	for i := range each {
		for j := range each {
			for k := range each {
				s.spheres = append(s.spheres, &sphere{vector{at(i), at(j), at(k)}, vector{2: float64(i+j) / (2*each - 2)}})
			}
		}
	}
	up := vector{0, 1, 0}
	s.view, _ = vector{}.plus(-1, s.eye).unit()
	s.up, _ = up.plus(-up.dot(s.view), s.view).unit()
	s.left, _ = up.cross(s.view).unit()
	degrees := 35.0 // in steps that are rounded as the suite's
	width := math.Tan(degrees * 3.14159265 / 180)
	s.up, s.left = s.up.times(-width), s.left.times(width)
	return s
}

// ray goes from the eye through a point of the picture.
func (s *Scene) ray(x, y, size int) ray {
	place := func(i int) float64 { return 2*float64(i)/float64(size) - 1 }
	way := s.left.times(place(x)).plus(place(y), s.up).plus(1, s.view)
	way, _ = way.unit()
	return ray{s.eye, way}
}

// hit is where a ray meets a sphere.
type hit struct {
	distance float64
	sphere   *sphere
	enters   bool
}

func (s *sphere) meet(r ray) (h hit, ok bool) {
	to := s.centre.plus(-1, r.from)
	along := to.dot(r.way)
	root := along*along - to.dot(to) + radius*radius
	if root < 0 {
		return h, false
	}
	root = math.Sqrt(root)
	distance := along - root
	if distance < 1e-6 {
		distance = along + root
	}
	return hit{distance, s, to.dot(to) > radius*radius+1e-6}, distance >= 1e-6
}

// tracer follows rays. As in the suite, the last sphere that some ray has met decides whether a ray that goes on
// enters the sphere or leaves it, and where the last ray began decides where it begins: else the checksum would be
// another one.
type tracer struct {
	scene *Scene
	last  hit
	from  vector
}

func (t *tracer) meets(r ray) bool {
	nearest, any := 1e9, false
	for _, s := range t.scene.spheres {
		if h, ok := s.meet(r); ok && h.distance < nearest {
			nearest, any = h.distance, true
			t.last = h
		}
	}
	return any
}

// Point is the colour of a point of the picture: red, green and blue, from 0 on.
func (s *Scene) Point(x, y, size int) [3]float64 {
	return (&tracer{scene: s}).trace(0, 1, s.ray(x, y, size))
}

// trace is the colour that a ray sees.
func (t *tracer) trace(level int, weight float64, r ray) vector {
	if level > deepest || !t.meets(r) {
		return vector{}
	}
	at := r.from.plus(t.last.distance, r.way)
	normal, _ := at.plus(-1, t.last.sphere.centre).unit()
	if r.way.dot(normal) >= 0 {
		normal = normal.times(-1)
	}
	return t.shade(level, weight, at, normal, r.way)
}

// shade is the colour of a point that is seen.
func (t *tracer) shade(level int, weight float64, at, normal, way vector) (colour vector) {
	of := t.last.sphere
	mirrored, _ := way.times(1/math.Abs(way.dot(normal))).plus(2, normal).unit()
	for _, light := range t.scene.lights {
		to := light.plus(-1, at)
		if normal.dot(to) < 0 {
			continue
		}
		to, _ = to.unit()
		if t.meets(ray{at, to}) {
			continue
		}
		colour = colour.plus(normal.dot(to), of.colour)
		if shines := mirrored.dot(to); shines > 1e-6 {
			shines = math.Pow(shines, shine)
			colour = colour.plus(shines, vector{1, 1, 1})
		}
	}
	t.from = at
	if reflected*weight > 1e-3 {
		colour = colour.plus(reflected, t.trace(level+1, reflected*weight, ray{t.from, mirrored}))
	}
	if transmitted*weight > 1e-3 {
		// Both media are as dense: the ray goes straight on.
		cosine := -way.dot(normal)
		on, _ := way.plus(cosine-math.Sqrt(1-(1-cosine*cosine)), normal).unit()
		colour = colour.plus(transmitted, t.trace(level+1, transmitted*weight, ray{t.from, on}))
	}
	return colour
}
