package rays

import "math"

// Vector is a point, a way or a colour.
type Vector [3]float64

// Plus is v and s times w.
func (v Vector) Plus(s float64, w Vector) Vector {
	return Vector{v[0] + s*w[0], v[1] + s*w[1], v[2] + s*w[2]}
}

func (v Vector) dot(w Vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

func (v Vector) cross(w Vector) Vector {
	return Vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

func (v Vector) each(w Vector) Vector { return Vector{v[0] * w[0], v[1] * w[1], v[2] * w[2]} }

func (v Vector) unit() Vector { return Vector{}.Plus(1/math.Sqrt(v.dot(v)), v) }

// ray is a half line.
type ray struct{ from, way Vector }

func (r ray) at(distance float64) Vector { return r.from.Plus(distance, r.way) }
