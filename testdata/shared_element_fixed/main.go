// Command shared_element_fixed plays the first songs of two playlists at the
// same time. It is one song, and there is one lock for all playlists.
package main

import "sync"

type song struct{ plays int }

var mu sync.Mutex // for all playlists and songs

// Playlist is a list of songs.
type Playlist struct {
	songs []*song
}

// Add puts a song at the end of the list.
func (p *Playlist) Add(s *song) {
	mu.Lock()
	defer mu.Unlock()
	p.songs = append(p.songs, s)
}

// PlayFirst counts that the first song was played.
func (p *Playlist) PlayFirst() {
	mu.Lock()
	defer mu.Unlock()
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
