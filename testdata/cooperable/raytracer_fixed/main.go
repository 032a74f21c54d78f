// The command is the kernel raytracer of the Java Grande suite at its size A: a picture of 150 by 150 points of 64
// spheres and five lights. Four goroutines share the lines. The colours of each line are added to the checksum of
// all, unlike in the suite under a lock.
package main

import (
	"sync"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
	"github.com/empire-go/empire-go/testdata/cooperable/grande/spheres"
)

// picture is what the goroutines share.
type picture struct {
	scene    *spheres.Scene
	size     int
	mu       sync.Mutex
	checksum int
}

// add adds the sum of a line.
func (p *picture) add(sum int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.checksum += sum
}

// render draws every so many lines.
func (p *picture) render(id int) {
	for y := id; y < p.size; y += grande.Goroutines {
		sum := 0
		for x := range p.size {
			c := p.scene.Point(x, y, p.size)
			for axis := range 3 {
				sum += min(int(c[axis]*255), 255)
			}
		}
		//empire:yield
		p.add(sum)
	}
}

func main() {
	const a = 150
	p := &picture{scene: spheres.NewScene(), size: grande.Size(a)}
	var all sync.WaitGroup
	for id := range grande.Goroutines {
		all.Go(func() { p.render(id) })
	}
	all.Wait()
	grande.Compare(p.size == a, "the checksum", float64(p.checksum), 2676692, 0)
}
