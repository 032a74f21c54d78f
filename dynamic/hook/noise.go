package hook

import (
	"runtime"
	"time"
)

// noiseSeed is 0 if there is no noise.
var noiseSeed uint64

// noise disturbs a goroutine at points: mostly not at all, sometimes it lets others run,
// seldom it sleeps for a moment. What it does depends only on the seed, the number of the
// goroutine and how many points it has passed.
type noise struct{ state uint64 }

func (n *noise) seed(goroutine uint32) { n.state = noiseSeed ^ uint64(goroutine)*0x9e3779b97f4a7c15 }

func (n *noise) make() {
	n.state += 0x9e3779b97f4a7c15
	z := n.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	switch r := z & 1023; {
	case r < 8:
		time.Sleep(time.Duration(z>>32%200) * time.Microsecond)
	case r < 200:
		runtime.Gosched()
	}
}
