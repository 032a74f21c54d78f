// Command pad_mixed mixes keys into a pad. What is mixed in depends on the pad.
package main

import (
	"crypto/subtle"
	"sync"
)

// Pad is a secret that changes with each key.
type Pad struct {
	mu  sync.Mutex
	pad [8]byte
}

// rotated returns a copy of the pad, turned by some bytes.
func (p *Pad) rotated(by int) (out [8]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range out {
		out[i] = p.pad[(i+by)%len(out)]
	}
	return out
}

// Mix changes the pad by a key.
func (p *Pad) Mix(key byte) {
	mask := p.rotated(int(key % 8))
	mask[0] ^= key
	p.mu.Lock() // BUG: the mask is made of an old pad, perhaps
	defer p.mu.Unlock()
	subtle.XORBytes(p.pad[:], p.pad[:], mask[:])
}

// First returns the first byte.
func (p *Pad) First() byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pad[0]
}

func main() {
	pad := &Pad{pad: [8]byte{1, 2, 3, 4, 5, 6, 7, 8}}
	var wg sync.WaitGroup
	for _, key := range []byte{0x11, 0x2f, 0x80} {
		wg.Go(func() { pad.Mix(key) })
	}
	wg.Wait()
	if pad.First() == 0 {
		panic("weak")
	}
}
