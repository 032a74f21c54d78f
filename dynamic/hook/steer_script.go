package hook

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// steerMode says how the next goroutine is chosen.
type steerMode string

const (
	followMode steerMode = "follow" // the events of a counterexample
	randomMode steerMode = "random" // seeded, with preemptions at the sites of the events
	replayMode steerMode = "replay" // what a log says
)

// script is what a run is to do. Its file is lines of words, which package dynamic/steer
// writes; sites are numbers from the table of the program.
type script struct {
	log     string
	mode    steerMode
	seed    uint64
	limit   int // of points
	timeout time.Duration
	noise   int // of 1000 decisions, how many are taken at random
	lenient bool
	forward bool // the first to come to an event of its own is the goroutine of the second unit
	reserve bool // one that could be that goroutine does not begin before the first event has happened
	late    bool // who has had an event comes to its next one before others go on
	young   bool // of those that are equally good, the one that was started last goes on
	eager   bool // timers go off before others than those that are wanted go on
	mix     int  // of 1000, the odds of a preemption before anybody has a role; 0: the scripted order
	roles   [2]role
	events  []event
	choices []choice
}

// role is what is known about the goroutine of one of the two units.
type role struct {
	main    bool
	origins map[uint32]bool // its go statements; empty: anybody's
	units   map[uint32]bool // the functions that are its unit; empty: any
	skip    int             // how many times its first event passes unheeded
}

// event is one event of the pattern.
type event struct {
	role     int
	location int
	sites    map[uint32]bool
	locks    map[uint32]bool // where the lock is taken under which it happens
}

// choice says that a goroutine runs from a point on.
type choice struct{ point, worker int }

// readScript reads the file of a script.
func readScript(name string) (*script, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := &script{mode: randomMode, limit: 1 << 20, timeout: 5 * time.Second}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) > 0 {
			if err := s.line(words[0], words[1:]); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, words[0], err)
			}
		}
	}
	return s, lines.Err()
}

// line reads one line.
func (s *script) line(key string, words []string) error {
	switch key {
	case "log":
		s.log = strings.Join(words, " ")
		return nil
	case "mode":
		s.mode = steerMode(strings.Join(words, ""))
		return nil
	case "choices":
		return s.readChoices(words)
	}
	n, err := numbers(words)
	if err != nil {
		return err
	}
	if len(n) == 0 {
		return fmt.Errorf("a number is missing")
	}
	switch key {
	case "seed":
		s.seed = n[0]
	case "limit":
		s.limit = int(n[0])
	case "timeout":
		s.timeout = time.Duration(n[0]) * time.Millisecond
	case "noise":
		s.noise = int(n[0])
	case "mix":
		s.mix = int(n[0])
	case "forward":
		s.forward = n[0] != 0
	case "reserve":
		s.reserve = n[0] != 0
	case "late":
		s.late = n[0] != 0
	case "young":
		s.young = n[0] != 0
	case "eager":
		s.eager = n[0] != 0
	case "lenient":
		s.lenient = n[0] != 0
	case "main":
		s.roles[n[0]&1].main = true
	case "origin":
		s.roles[n[0]&1].origins = siteSet(n[1:])
	case "unit":
		s.roles[n[0]&1].units = siteSet(n[1:])
	case "skip":
		s.roles[n[0]&1].skip = int(n[len(n)-1])
	case "event":
		if len(n) < 2 {
			return fmt.Errorf("a location is missing")
		}
		s.events = append(s.events, event{role: int(n[0] & 1), location: int(n[1]), sites: siteSet(n[2:])})
	case "under":
		if len(s.events) == 0 {
			return fmt.Errorf("no event is there")
		}
		s.events[len(s.events)-1].locks = siteSet(n)
	default:
		return fmt.Errorf("unknown")
	}
	return nil
}

// readChoices reads words like 120:3.
func (s *script) readChoices(words []string) error {
	for _, word := range words {
		point, worker, _ := strings.Cut(word, ":")
		n, err := numbers([]string{point, worker})
		if err != nil {
			return err
		}
		s.choices = append(s.choices, choice{int(n[0]), int(n[1])})
	}
	return nil
}

func numbers(words []string) ([]uint64, error) {
	var all []uint64
	for _, word := range words {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

func siteSet(sites []uint64) map[uint32]bool {
	set := map[uint32]bool{}
	for _, s := range sites {
		set[uint32(s)] = true
	}
	return set
}
