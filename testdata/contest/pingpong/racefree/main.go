// Command pingpong has goroutines play with one player. Each one takes the player
// away for a while and brings it back. The reference and the counter are atomic, so
// a race detector is silent. But another one can find nobody there.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Player is who they play with.
type Player struct {
	name string
}

// Name returns the name of the player.
func (p *Player) Name() string {
	return p.name
}

// Game is between goroutines.
type Game struct {
	player atomic.Pointer[Player] // nil while somebody has it
	bugs   atomic.Int64           // how often it was not there
}

// NewGame returns a game with a player.
func NewGame(player *Player) *Game {
	g := &Game{}
	g.player.Store(player)
	return g
}

// Play asks the player, takes it away and brings it back.
func (g *Game) Play() {
	defer func() {
		if recover() != nil {
			g.bugs.Add(1)
		}
	}()
	if g.player.Load().Name() == "" { // panics if the player is away
		return
	}
	player := g.player.Load()
	g.player.Store(nil)
	time.Sleep(time.Millisecond)
	g.player.Store(player)
}

func main() {
	game := NewGame(&Player{name: "ann"})
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			game.Play()
		}()
	}
	wg.Wait()
	fmt.Println("the player was missed", game.bugs.Load(), "times")
}
