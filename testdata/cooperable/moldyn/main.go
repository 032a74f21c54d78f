// The command is the kernel moldyn of the Java Grande suite at its size A: 2048 particles in a box with periodic
// borders attract and repel each other by the Lennard-Jones potential, for 50 steps. Four goroutines share the
// particles, each with an array of its own for the forces, and meet at a barrier after each part of a step.
package main

import (
	"math"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
)

const (
	steps       = 50
	density     = 0.83134
	temperature = 0.722
	width       = 0.064 // of a step in time
	scaleEvery  = 10    // steps, in the first scaleUntil
	scaleUntil  = 19
)

type vector [3]float64

// box is what the goroutines share.
type box struct {
	side, reach         float64
	place, speed, force []vector
	forces              [grande.Goroutines][]vector
	sums                [grande.Goroutines]float64 // of the squares of the speeds
	energy              float64                    // kinetic
	scale               float64
}

// gauss makes normally distributed numbers, two at a time.
type gauss struct{ seed int }

func (g *gauss) uniform() float64 {
	g.seed = max(g.seed, 1)
	low := g.seed % 32768
	product := low * 16807
	high := ((g.seed-low)/32768*16807 + product/32768) % 65536
	g.seed = (high*32768 + product%32768) % math.MaxInt32
	return 4.656612875e-10 * float64(g.seed)
}

func (g *gauss) pair() (float64, float64) {
	for {
		a, b := 2*g.uniform()-1, 2*g.uniform()-1
		if s := a*a + b*b; s < 1 {
			r := math.Sqrt(-2 * math.Log(s) / s)
			return r * a, r * b
		}
	}
}

// newBox has the particles on a lattice of cells, with four in each, and speeds whose mean is 0.
func newBox(cells int) *box {
	n := 4 * cells * cells * cells
	b := &box{side: math.Pow(float64(n)/density, 0.3333333), reach: float64(cells) / 4, speed: make([]vector, n),
		force: make([]vector, n)}
	cell := b.side / float64(cells)
	half := cell * 0.5
	for _, shift := range []vector{{}, {half, half}, {half, 0, half}, {0, half, half}} {
		for i := range cells {
			for j := range cells {
				for k := range cells {
					b.place = append(b.place, vector{float64(i)*cell + shift[0], float64(j)*cell + shift[1], float64(k)*cell +
						shift[2]})
				}
			}
		}
	}
	for id := range b.forces {
		b.forces[id] = make([]vector, n)
	}
	g := &gauss{}
	for axis := range 3 {
		for i := 0; i < n; i += 2 {
			b.speed[i][axis], b.speed[i+1][axis] = g.pair()
		}
	}
	square := 0.0
	for axis := range 3 {
		mean := 0.0
		for i := range b.speed {
			mean += b.speed[i][axis]
		}
		mean /= float64(n)
		for i := range b.speed {
			b.speed[i][axis] -= mean
			square += b.speed[i][axis] * b.speed[i][axis]
		}
	}
	scale := width * math.Sqrt(temperature/(b.degrees()*square))
	for i := range b.speed {
		for axis := range 3 {
			b.speed[i][axis] *= scale
		}
	}
	return b
}

// degrees is what the sum of squares is multiplied by to be a temperature.
func (b *box) degrees() float64 { return 16 / (float64(len(b.speed)) - 1) }

// move moves some particles, and clears the forces on them.
func (b *box) move(first, end int) {
	for i := first; i < end; i++ {
		for axis := range 3 {
			x := b.place[i][axis] + b.speed[i][axis] + b.force[i][axis]
			switch {
			case x < 0:
				x += b.side
			case x > b.side:
				x -= b.side
			}
			b.place[i][axis] = x
			b.speed[i][axis] += b.force[i][axis]
		}
		b.force[i] = vector{}
	}
}

// interact adds the forces between every so many particles and those after them to a goroutine's own.
func (b *box) interact(id int) {
	own := b.forces[id]
	clear(own)
	for i := id; i < len(b.place); i += grande.Goroutines {
		for j := i + 1; j < len(b.place); j++ {
			var way vector
			square := 0.0
			for axis := range 3 {
				d := b.place[i][axis] - b.place[j][axis]
				switch {
				case d < -b.side/2:
					d += b.side
				case d > b.side/2:
					d -= b.side
				}
				way[axis] = d
				square += d * d
			}
			if square > b.reach*b.reach {
				continue
			}
			inverse := 1 / square
			fourth := inverse * inverse * inverse * inverse
			strength := fourth*inverse*inverse*inverse - 0.5*fourth
			for axis := range 3 {
				own[i][axis] += way[axis] * strength
				own[j][axis] -= way[axis] * strength
			}
		}
	}
}

// accelerate adds up the forces on some particles, and changes their speeds.
func (b *box) accelerate(id, first, end int) {
	sum := 0.0
	for i := first; i < end; i++ {
		for axis := range 3 {
			for other := range b.forces {
				b.force[i][axis] += b.forces[other][i][axis]
			}
			b.force[i][axis] *= width * width / 2
			b.speed[i][axis] += b.force[i][axis]
			sum += b.speed[i][axis] * b.speed[i][axis]
		}
	}
	b.sums[id] = sum
}

// measure is the kinetic energy, and how the speeds are to be scaled.
func (b *box) measure(step int) {
	b.energy, b.scale = 0, 1
	for id := range b.sums {
		b.energy += b.sums[id] / (width * width)
	}
	if step < scaleUntil && (step+1)%scaleEvery == 0 {
		b.scale = math.Sqrt(temperature / (b.degrees() * b.energy))
		b.energy = temperature / b.degrees()
	}
}

func main() {
	const a = 8
	cells := grande.Size(a)
	b := newBox(cells)
	barrier := grande.NewBarrier(grande.Goroutines)
	grande.Each(func(id int) {
		first, end := grande.Share(id, len(b.place))
		for step := range steps {
			b.move(first, end)
			barrier.Wait()
			b.interact(id)
			barrier.Wait()
			b.accelerate(id, first, end)
			barrier.Wait()
			if id == 0 {
				b.measure(step)
			}
			barrier.Wait()
			for i := first; i < end; i++ {
				for axis := range 3 {
					b.speed[i][axis] *= b.scale
				}
			}
		}
	})
	grande.Compare(cells == a, "the kinetic energy", 24*b.energy, 1731.4306625334357, 1e-8)
}
