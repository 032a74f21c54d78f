// Command levels_stored_back has the levels of four channels. One is copied, changed
// and stored back.
package main

import "sync"

// Level is that of one channel of a mixer.
type Level struct {
	gain  int
	muted bool
}

// Mixer has four channels.
type Mixer struct {
	mu     sync.Mutex
	levels [4]Level
}

// level returns that of a channel.
func (m *Mixer) level(channel int) Level {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.levels[channel]
}

// louder returns a level with more gain.
func (l Level) louder(gain int) Level {
	l.gain += gain
	l.muted = false
	return l
}

// Louder turns a channel up.
func (m *Mixer) Louder(channel, gain int) {
	level := m.level(channel).louder(gain)
	m.mu.Lock() // BUG: the channel may have been changed
	defer m.mu.Unlock()
	m.levels[channel] = level
}

// Silent reports whether nothing is heard of a channel.
func (m *Mixer) Silent(channel int) bool {
	level := m.level(channel)
	return level.muted || level.gain == 0
}

func main() {
	mixer := &Mixer{}
	var wg sync.WaitGroup
	for gain := 1; gain <= 3; gain++ {
		wg.Go(func() { mixer.Louder(2, gain) })
	}
	wg.Go(func() {
		if mixer.Silent(3) {
			mixer.Louder(3, 1)
		}
	})
	wg.Wait()
	if mixer.Silent(2) {
		panic("nothing to hear")
	}
}
