package checker

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// Data races are decided before the scenarios, so that these cannot use up what they may cost, and what is open
// then is decided after them. The answer to a guess of a race is one pair of accesses. Other pairs are looked for in
// programs without one of the two accesses, then without the other one: any other pair lacks one of them. An access
// blocks nobody and is waited for by nobody, so that a race that is found without some is one of the program.

const (
	maxRaces        = 4  // pairs of accesses that are told
	maxRaceSearches = 24 // further searches for them
)

// decideRaces asks about the guesses of data races, with a quarter of the work that is left.
func (c *check) decideRaces(guesses []cpds.RaceGuess) []raceOutcome {
	if c.options.NoRaces {
		return make([]raceOutcome, 1) // undecided
	}
	races := make([]raceOutcome, len(guesses)) // undecided
	for i, g := range guesses {
		races[i].guess = g
	}
	limited, share := *c, limit.Work(4)
	direct := c.directRaces(guesses)
	if len(direct) > 0 {
		share = shortening
	}
	var stop func()
	limited.ctx, stop = limit.Part(c.ctx, share)
	defer stop()
	limited.askRaces(races)
	for i, o := range races {
		if found, ok := direct[o.guess]; ok && (o.race == nil || !c.options.isSure(o.race.Steps)) {
			races[i] = found
		}
	}
	return append(races, limited.furtherRaces(races)...)
}

// askRaces asks about the guesses of outcomes, and puts what came of them in the place of these.
func (c *check) askRaces(races []raceOutcome) {
	inWaves(c, len(races), func(c *check, i int) raceOutcome { return c.race(races[i].guess) },
		func(wave []int, found []raceOutcome) {
			for k, i := range wave {
				races[i] = found[k]
			}
		})
}

// decideOpen asks again about the guesses that are open, if it is not known whether there is a race.
func (c *check) decideOpen(races []raceOutcome) []raceOutcome {
	if _, known := c.racesIn(races); known || c.options.NoRaces || c.ctx.Err() != nil {
		return races
	}
	var open []raceOutcome
	decided := slices.DeleteFunc(slices.Clone(races), func(o raceOutcome) bool {
		if o.status == Undecided {
			open = append(open, o)
		}
		return o.status == Undecided
	})
	c.askRaces(open)
	return append(decided, open...)
}

// raceSearch is a guess of a race in a program without some accesses.
type raceSearch struct {
	guess   cpds.RaceGuess
	without []string // see accessKey
}

// furtherRaces looks for other pairs of accesses than those of the races known, which are told apart by
// where they are.
func (c *check) furtherRaces(known []raceOutcome) (more []raceOutcome) {
	pairs := map[string]bool{}
	var queue []raceSearch
	add := func(o raceOutcome, without []string) (isNew bool) {
		a, b := c.accessKey(o.race.Accesses[0]), c.accessKey(o.race.Accesses[1])
		key := min(a, b) + " " + max(a, b)
		isNew = !pairs[key]
		pairs[key] = true
		for _, access := range []string{a, b} {
			queue = append(queue, raceSearch{o.guess, append(slices.Clone(without), access)})
		}
		return isNew
	}
	for _, o := range known {
		if o.race != nil {
			add(o, nil)
		}
	}
	models, asked := map[string]*check{}, map[string]bool{}
	for n := 0; n < maxRaceSearches && len(queue) > 0 && len(pairs) < maxRaces && c.ctx.Err() == nil; {
		s := queue[0]
		queue = queue[1:]
		slices.Sort(s.without)
		key := fmt.Sprint(s.without)
		if at := fmt.Sprint(s.guess, key); asked[at] {
			continue
		} else {
			asked[at] = true
		}
		if models[key] == nil {
			var err error
			if models[key], err = newCheck(c.ctx, c.withoutAccesses(s.without), c.options); err != nil {
				return more
			}
		}
		without := models[key]
		if without.model == nil || !without.mayRace(s.guess) {
			continue
		}
		n++
		if o := without.race(s.guess); o.race != nil && add(o, s.without) {
			more = append(more, o)
		}
	}
	return more
}

// mayRace tells whether a guess is one of the program.
func (c *check) mayRace(g cpds.RaceGuess) bool { return slices.Contains(c.model.RaceGuesses(), g) }

// accessKey names an access by what it accesses, how, and where it is: it is the same for clones of a
// function.
func (c *check) accessKey(s esl.Step) string {
	return accessKey(c.model.Program.Functions[s.Function].Body[s.Index])
}

func accessKey(s esl.Stmt) string { return fmt.Sprintf("%s#%d#%s", s.Pos, s.Arg, s.Access) }

// withoutAccesses returns the program in which some accesses do nothing.
func (c *check) withoutAccesses(keys []string) *esl.Program {
	return c.model.Program.Rewritten(func(_ esl.Place, s esl.Stmt) esl.Stmt {
		if s.Op == esl.Access && slices.Contains(keys, accessKey(s)) {
			return esl.Stmt{Op: esl.Skip, Pos: s.Pos}
		}
		return s
	})
}

// racesIn returns the races of outcomes, the shortest first, one for each pair of accesses, and of each location one at
// least; known tells whether it is decided whether there is one.
func (c *check) racesIn(outcomes []raceOutcome) (races []*Race, known bool) {
	known = true
	outcomes = slices.Clone(outcomes)
	slices.SortStableFunc(outcomes, func(a, b raceOutcome) int { return cmp.Compare(a.length, b.length) })
	told, isRacing := map[string]bool{}, map[int]bool{}
	for _, isFurther := range []bool{false, true} {
		for _, o := range outcomes {
			known = known && o.status != Undecided
			if o.race == nil || isRacing[o.race.Location] != isFurther {
				continue
			}
			a, b := c.accessKey(o.race.Accesses[0]), c.accessKey(o.race.Accesses[1])
			if key := min(a, b) + " " + max(a, b); !told[key] && (!isFurther || len(races) < maxRaces) {
				told[key], isRacing[o.race.Location] = true, true
				races = append(races, o.race)
			}
		}
	}
	return races, known || len(races) > 0
}

// racesOpen returns the locations of which it is not decided whether there is a race on them, and none is known.
func (c *check) racesOpen(outcomes []raceOutcome) (open []int) {
	if c.model == nil || c.options.NoRaces {
		return nil
	}
	for l := range c.model.Program.Locations {
		isOf := func(o raceOutcome) bool { return o.guess.Location == l }
		if slices.ContainsFunc(outcomes, func(o raceOutcome) bool { return isOf(o) && o.status == Undecided }) &&
			!slices.ContainsFunc(outcomes, func(o raceOutcome) bool { return isOf(o) && o.race != nil }) {
			open = append(open, l)
		}
	}
	return open
}
