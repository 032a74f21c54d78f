// Command levels_stored_back_fixed has the levels of four channels. One is copied,
// changed and stored back.
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

// level returns that of a channel. The caller holds the lock.
func (m *Mixer) level(channel int) Level {
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
	m.mu.Lock()
	defer m.mu.Unlock()
	level := m.level(channel).louder(gain)
	m.levels[channel] = level
}

// Silent reports whether nothing is heard of a channel.
func (m *Mixer) Silent(channel int) bool {
	m.mu.Lock()
	level := m.level(channel)
	m.mu.Unlock()
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
