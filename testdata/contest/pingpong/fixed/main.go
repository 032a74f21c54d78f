// Command pingpong has goroutines play with one player, one at a time.
package main

import (
	"fmt"
	"sync"
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
	mu     sync.Mutex
	player *Player // nil while somebody has it
	bugs   int     // how often it was not there
}

// Play asks the player, takes it away and brings it back.
func (g *Game) Play() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.player == nil {
		g.bugs++
		return
	}
	if g.player.Name() == "" {
		return
	}
	player := g.player
	g.player = nil
	time.Sleep(time.Millisecond)
	g.player = player
}

// Bugs returns how often the player was not there.
func (g *Game) Bugs() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.bugs
}

func main() {
	game := &Game{player: &Player{name: "ann"}}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(game.Play)
	}
	wg.Wait()
	fmt.Println("the player was missed", game.Bugs(), "times")
}
