// Command private_slice makes a playlist of a song that another goroutine
// plays. The slice is the playlist's alone, but what it leads to is not.
package main

import "sync"

type song struct{ plays int }

// Playlist is a list of songs.
type Playlist struct{ songs []*song }

// NewPlaylist returns a playlist whose only song was played twice.
func NewPlaylist(s *song) *Playlist {
	p := &Playlist{}
	p.songs = make([]*song, 1)
	p.songs[0] = s
	for range 2 {
		p.songs[0].plays++ // others know the song
	}
	return p
}

// play counts that a song was played.
func play(s *song) {
	s.plays++
}

func main() {
	hit := &song{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		play(hit)
	}()
	NewPlaylist(hit)
	wg.Wait()
}
