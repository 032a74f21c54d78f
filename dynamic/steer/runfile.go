package steer

import (
	"fmt"
	"strings"
	"time"
)

// Mode is how the scheduler chooses.
type Mode string

// The modes.
const (
	Follow Mode = "follow" // lead the run along the script
	Roam   Mode = "random" // choose at random, with preemptions at the sites of the script
	Repeat Mode = "replay" // repeat the choices of another run
)

// Attempt is one way of following a script.
type Attempt struct {
	Mode    Mode
	Seed    uint64
	Lenient bool   // any goroutine and any unit may have a role
	Forward bool   // the goroutine of the second unit comes to its first event before the first one has its
	Reserve bool   // one that could be it does not begin before that
	Late    bool   // who has had an event comes to its next one before the other one goes on
	Young   bool   // of goroutines that are equally good, the one that was started last goes on
	Eager   bool   // timers go off early
	Skip    [2]int // how many times the first event of each role passes unheeded
	Mix     int    // of 1000, the odds of a preemption before anybody has a role; 0: in the order of the script
	Noise   int    // of 1000 decisions, how many are taken at random
	Choices []string
	Args    []string // further arguments of the program
	Points  int      // that the run may have
	Free    uint64   // if not 0, the run is not led; it has noise with this seed
}

// Limits bound one run.
type Limits struct {
	Time   time.Duration
	Points int
}

// scriptFile returns the text that the scheduler in the program reads; see package hook.
func scriptFile(s *Script, a Attempt, l Limits, log string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "log %s\nmode %s\nseed %d\nlimit %d\ntimeout %d\n", log, a.Mode, a.Seed, l.Points,
		l.Time.Milliseconds())
	if a.Mode == Repeat {
		fmt.Fprintf(&b, "choices %s\n", strings.Join(a.Choices, " "))
		return b.String()
	}
	if a.Noise > 0 {
		fmt.Fprintf(&b, "noise %d\n", a.Noise)
	}
	if a.Mix > 0 {
		fmt.Fprintf(&b, "mix %d\n", a.Mix)
	}
	for _, f := range []struct {
		is   bool
		name string
	}{{a.Lenient, "lenient"}, {a.Forward, "forward"}, {a.Reserve, "reserve"}, {a.Late, "late"}, {a.Young, "young"},
		{a.Eager, "eager"}} {
		if f.is {
			b.WriteString(f.name + " 1\n")
		}
	}
	for i, r := range s.Roles {
		if r.Main {
			fmt.Fprintf(&b, "main %d\n", i)
		}
		fmt.Fprintf(&b, "origin %d%s\nunit %d%s\nskip %d %d\n", i, words(r.Origins), i, words(r.Units), i, a.Skip[i])
	}
	for _, e := range s.Events {
		fmt.Fprintf(&b, "event %d %d%s\n", e.Role, e.Location, words(e.Sites))
		if len(e.Locks) > 0 {
			fmt.Fprintf(&b, "under%s\n", words(e.Locks))
		}
	}
	return b.String()
}

func words(sites []uint32) string {
	var b strings.Builder
	for _, s := range sites {
		fmt.Fprintf(&b, " %d", s)
	}
	return b.String()
}

// runLog is what the scheduler wrote down.
type runLog struct {
	Choices []string // "point:worker"
	Events  int      // of the script that have happened, at most
	LeftAt  int      // points or events after which the run left what it was to follow, -1 if it did not
	Digest  string   // of all that happened; "" if the program ended before it could be written
	End     string   // why the run ended
	Seen    [2]int   // how many times the first event of each role could have been the next one
}

// outOfPoints is the End of a run that had more points than it may have.
const outOfPoints = "points"

// parseLog reads the log of a run.
func parseLog(text string) runLog {
	l := runLog{LeftAt: -1}
	for word := range strings.FieldsSeq(text) {
		var n int
		switch {
		case strings.HasPrefix(word, "digest="):
			l.Digest = word[len("digest="):]
		case strings.HasPrefix(word, "seen="):
			fmt.Sscanf(word, "seen=%d,%d", &l.Seen[0], &l.Seen[1])
		case strings.HasPrefix(word, "end="):
			l.End = word[len("end="):]
		case word[0] == '+':
			fmt.Sscanf(word[1:], "%d", &n)
			l.Events = max(l.Events, n)
		case word[0] == '-':
			fmt.Sscanf(word[1:], "%d", &n)
			l.LeftAt = max(l.LeftAt, n)
		case strings.Contains(word, ":"):
			l.Choices = append(l.Choices, word)
		}
	}
	return l
}
