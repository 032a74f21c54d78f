// Command pingpong has goroutines play with one player. Each one takes the player
// away for a while and brings it back, without a lock: another one can find nobody
// there.
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
	player *Player // nil while somebody has it
	bugs   int     // how often it was not there
}

// Play asks the player, takes it away and brings it back.
func (g *Game) Play() {
	defer func() {
		if recover() != nil {
			g.bugs++
		}
	}()
	if g.player.Name() == "" { // panics if the player is away
		return
	}
	player := g.player
	g.player = nil
	time.Sleep(time.Millisecond)
	g.player = player
}

func main() {
	game := &Game{player: &Player{name: "ann"}}
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			game.Play()
		}()
	}
	wg.Wait()
	fmt.Println("the player was missed", game.bugs, "times")
}
