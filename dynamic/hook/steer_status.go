package hook

import (
	"bytes"
	"runtime"
	"strconv"
)

// currentGoroutine returns the runtime's number of the calling goroutine.
func currentGoroutine() uint64 {
	var buffer [64]byte
	id, _, _ := parseGoroutine(buffer[:runtime.Stack(buffer[:], false)])
	return id
}

// parseGoroutine reads a line "goroutine 18 [chan receive, 2 minutes]:".
func parseGoroutine(text []byte) (id uint64, status string, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte("goroutine "))
	if !ok {
		return 0, "", false
	}
	number, rest, _ := bytes.Cut(rest, []byte(" "))
	id, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil {
		return 0, "", false
	}
	if i := bytes.IndexByte(rest, '['); i >= 0 {
		rest = rest[i+1:]
	}
	end := bytes.IndexAny(rest, ",]")
	if end < 0 {
		end = len(rest)
	}
	return id, string(bytes.TrimSuffix(rest[:end], []byte(" (scan)"))), true
}

// maxStacks bounds the text of all stacks.
const maxStacks = 16 << 20

// statuses returns what the runtime says about each goroutine.
func statuses() map[uint64]string {
	buffer := make([]byte, 64<<10)
	n := runtime.Stack(buffer, true)
	for n == len(buffer) && n < maxStacks {
		buffer = make([]byte, 4*n)
		n = runtime.Stack(buffer, true)
	}
	all := map[uint64]string{}
	for part := range bytes.SplitSeq(buffer[:n], []byte("\n\n")) {
		if id, status, ok := parseGoroutine(part); ok {
			all[id] = status
		}
	}
	return all
}

// isBlocked tells whether the worker waits for another goroutine, or has ended without
// having said so.
func isBlocked(all map[uint64]string, w *worker) bool {
	status, exists := all[w.gid]
	return !exists || !isActive(status) && !waitsOutside(status)
}

// isActive tells a goroutine that runs, or would, from one that waits.
func isActive(status string) bool {
	switch status {
	case "running", "runnable", "syscall", "idle", "preempted", "copystack":
		return true
	}
	return false
}

// waitsOutside tells a goroutine that the passing of time or the world lets go on.
func waitsOutside(status string) bool {
	switch status {
	case "IO wait", "GC assist wait", "GC assist marking", "GC worker (active)", "wait for GC cycle", "GC scavenge wait":
		return true
	}
	return false
}

// mayCome tells whether there is a goroutine that nobody has announced and that the world
// lets go on, or one that sleeps.
func (s *controller) mayCome() bool {
	all := statuses()
	delete(all, s.gid)
	for _, w := range s.workers {
		if w.is(parked) {
			delete(all, w.gid)
		}
	}
	for _, status := range all {
		if isActive(status) || waitsOutside(status) || status == "sleep" {
			return true
		}
	}
	return false
}

// allStuck tells whether no worker sleeps, or waits for what may come from outside.
func (s *controller) allStuck() bool {
	all := statuses()
	for _, w := range s.workers {
		if !w.is(blocked) && !w.is(running) {
			continue
		}
		if status := all[w.gid]; isActive(status) || waitsOutside(status) || status == "sleep" {
			return false
		}
	}
	return true
}
