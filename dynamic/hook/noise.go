package hook

import (
	"math/bits"
	"runtime"
	"time"
)

// noiseSeed is 0 if there is no noise.
var noiseSeed uint64

// noise disturbs a goroutine at points: mostly not at all, sometimes it lets others run,
// seldom it sleeps for a moment, and the less often the longer it has run already, so that a
// program with millions of points is not slowed down without end. What it does depends only
// on the seed, the number of the goroutine and how many points it has passed.
type noise struct {
	state  uint64
	points uint64
}

// quietening is after how many points noise becomes half as frequent, and again after twice
// as many.
const quietening = 1 << 10

func (n *noise) seed(goroutine uint32) { n.state = noiseSeed ^ uint64(goroutine)*0x9e3779b97f4a7c15 }

func (n *noise) make() {
	n.points++
	n.state += 0x9e3779b97f4a7c15
	z := n.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	scale := bits.Len64(n.points / quietening)
	switch r := z & (1<<20 - 1); {
	case r < 8<<10>>scale:
		time.Sleep(time.Duration(z>>32%200) * time.Microsecond)
	case r < 200<<10>>scale:
		runtime.Gosched()
	}
}
