package rays

import "math"

// box has sides along the axes.
type box struct{ low, high Vector }

func (b box) meets(c box) bool {
	for axis := range 3 {
		if b.low[axis] > c.high[axis] || c.low[axis] > b.high[axis] {
			return false
		}
	}
	return true
}

// isOn is whether a ray goes through the box before it has come so far.
func (b box) isOn(r ray, end float64) bool {
	begin := 0.0
	for axis := range 3 {
		if r.way[axis] == 0 {
			if r.from[axis] < b.low[axis] || r.from[axis] > b.high[axis] {
				return false
			}
			continue
		}
		one, two := (b.low[axis]-r.from[axis])/r.way[axis], (b.high[axis]-r.from[axis])/r.way[axis]
		begin, end = max(begin, min(one, two)-near), min(end, max(one, two)+near)
	}
	return begin <= end
}

// part is the i-th of eight parts of equal size.
func (b box) part(i int) box {
	p := b
	for axis := range 3 {
		middle := (b.low[axis] + b.high[axis]) / 2
		if i>>axis&1 == 0 {
			p.high[axis] = middle
		} else {
			p.low[axis] = middle
		}
	}
	return p
}

// tree is an octree: shapes stand in each leaf that they meet.
type tree struct {
	in     box
	parts  []*tree
	shapes []Shape
}

// few shapes are not taken apart.
const few = 4

func newTree(shapes []Shape, in box, depth int) *tree {
	t := &tree{in: in}
	if depth == 0 || len(shapes) <= few {
		t.shapes = shapes
		return t
	}
	for i := range 8 {
		var inside []Shape
		for _, s := range shapes {
			if s.bounds().meets(in.part(i)) {
				inside = append(inside, s)
			}
		}
		if len(inside) > 0 {
			t.parts = append(t.parts, newTree(inside, in.part(i), depth-1))
		}
	}
	return t
}

// nearest is the first shape that a ray meets before it has come so far, nil if there is none.
func (t *tree) nearest(r ray, end float64) (Shape, float64) {
	var found Shape
	if !t.in.isOn(r, end) {
		return nil, end
	}
	for _, s := range t.shapes {
		if distance, ok := s.meet(r); ok && distance < end {
			found, end = s, distance
		}
	}
	for _, p := range t.parts {
		if s, distance := p.nearest(r, end); s != nil {
			found, end = s, distance
		}
	}
	return found, end
}

// around is the box of all shapes.
func around(shapes []Shape) box {
	all := box{Vector{math.Inf(1), math.Inf(1), math.Inf(1)}, Vector{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
	for _, s := range shapes {
		b := s.bounds()
		for axis := range 3 {
			all.low[axis], all.high[axis] = min(all.low[axis], b.low[axis]), max(all.high[axis], b.high[axis])
		}
	}
	return all
}
