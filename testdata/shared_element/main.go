// Command shared_element plays the first songs of two playlists at the same
// time. It is one song, and each playlist has a lock of its own.
package main

import "sync"

type song struct{ plays int }

// Playlist is a list of songs.
type Playlist struct {
	mu    sync.Mutex
	songs []*song
}

// Add puts a song at the end of the list.
func (p *Playlist) Add(s *song) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.songs = append(p.songs, s)
}

// PlayFirst counts that the first song was played.
func (p *Playlist) PlayFirst() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.songs[0].plays++
}

func main() {
	hit := &song{}
	var playlists []*Playlist
	for range 2 {
		p := &Playlist{}
		p.Add(hit) // the second playlist shares it with the first one
		playlists = append(playlists, p)
	}

	var wg sync.WaitGroup
	for _, p := range playlists {
		wg.Go(p.PlayFirst)
	}
	wg.Wait()
}
