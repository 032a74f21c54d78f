package rays

import "math"

// near is the distance below which a ray does not meet the surface on which it begins.
const near = 1e-6

// Surface is how something looks.
type Surface struct {
	Colour Vector
	Shine  float64 // the exponent of highlights; 0: none
	Mirror float64 // the share of light that is reflected
	Glass  float64 // the index of refraction; 0: no light goes through
}

// Shape is part of a scene.
type Shape interface {
	meet(r ray) (distance float64, ok bool)
	normal(at Vector) Vector
	surface() *Surface
	bounds() box
}

// Sphere has a centre.
type Sphere struct {
	Centre Vector
	Radius float64
	Of     *Surface
}

func (s *Sphere) meet(r ray) (float64, bool) {
	to := s.Centre.Plus(-1, r.from)
	along := to.dot(r.way)
	root := along*along - to.dot(to) + s.Radius*s.Radius
	if root < 0 {
		return 0, false
	}
	root = math.Sqrt(root)
	if along-root > near {
		return along - root, true
	}
	return along + root, along+root > near
}

func (s *Sphere) normal(at Vector) Vector { return at.Plus(-1, s.Centre).unit() }
func (s *Sphere) surface() *Surface       { return s.Of }

func (s *Sphere) bounds() box {
	r := Vector{s.Radius, s.Radius, s.Radius}
	return box{s.Centre.Plus(-1, r), s.Centre.Plus(1, r)}
}

// Triangle has three corners.
type Triangle struct {
	Corners [3]Vector
	Of      *Surface
}

// meet is after Möller and Trumbore: two coordinates in the triangle and the distance are one system of equations.
func (t *Triangle) meet(r ray) (float64, bool) {
	one, two := t.Corners[1].Plus(-1, t.Corners[0]), t.Corners[2].Plus(-1, t.Corners[0])
	p := r.way.cross(two)
	determinant := one.dot(p)
	if math.Abs(determinant) < 1e-12 {
		return 0, false
	}
	to := r.from.Plus(-1, t.Corners[0])
	u := to.dot(p) / determinant
	q := to.cross(one)
	v := r.way.dot(q) / determinant
	if u < 0 || v < 0 || u+v > 1 {
		return 0, false
	}
	distance := two.dot(q) / determinant
	return distance, distance > near
}

func (t *Triangle) normal(Vector) Vector {
	return t.Corners[1].Plus(-1, t.Corners[0]).cross(t.Corners[2].Plus(-1, t.Corners[0])).unit()
}
func (t *Triangle) surface() *Surface { return t.Of }

func (t *Triangle) bounds() box {
	b := box{t.Corners[0], t.Corners[0]}
	for _, c := range t.Corners[1:] {
		for axis := range 3 {
			b.low[axis], b.high[axis] = min(b.low[axis], c[axis]), max(b.high[axis], c[axis])
		}
	}
	return b
}
