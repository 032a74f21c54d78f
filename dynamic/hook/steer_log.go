package hook

import (
	"os"
	"strconv"
)

// steerLog writes down what was chosen: "point:worker" for each change of the goroutine that
// runs, "+n" when n events of the script have happened, "-n" when the run left it there, and
// at the end a digest of everything that happened and the reason why the run ended. It is
// written at each change, so that it is whole when the program crashes.
type steerLog struct {
	name   string
	file   *os.File
	text   []byte
	last   int // the worker that runs, from 1; 0 is nobody
	points int
	digest uint64
}

// A log is written at each change up to so many points, and then in pieces of so many bytes.
const (
	shortLog    = 64 << 10
	flushBuffer = 4 << 10
)

// grant notes that a worker goes on.
func (l *steerLog) grant(w *worker) {
	for _, v := range [...]uint64{uint64(w.id), uint64(w.at.op), uint64(w.at.site), uint64(w.at.object)} {
		l.digest = (l.digest ^ v) * 0x100000001b3
	}
	if l.last != w.id+1 {
		l.last = w.id + 1
		l.write(strconv.Itoa(l.points) + ":" + strconv.Itoa(w.id))
	}
	l.points++
}

// event notes how many events of the script have happened.
func (l *steerLog) event(n int) { l.write("+" + strconv.Itoa(n)) }

// left notes where the run left the script.
func (l *steerLog) left(n int) { l.write("-" + strconv.Itoa(n)) }

// mark writes the digest of all that has happened so far: the program may end without
// saying so.
func (l *steerLog) mark() { l.write("digest=" + strconv.FormatUint(l.digest, 16)) }

// seen notes how many times the first event of each role could have been the next one.
func (l *steerLog) seen(n [2]int) {
	l.write("seen=" + strconv.Itoa(n[0]) + "," + strconv.Itoa(n[1]))
}

// finish ends the log.
func (l *steerLog) finish(reason string) {
	l.mark()
	l.write("points=" + strconv.Itoa(l.points) + " end=" + reason)
	l.flush()
}

func (l *steerLog) write(word string) {
	if l.name == "" {
		return
	}
	l.text = append(append(l.text, word...), ' ')
	if l.points < shortLog || len(l.text) > flushBuffer {
		l.flush()
	}
}

func (l *steerLog) flush() {
	if l.file == nil {
		f, err := os.Create(l.name)
		if err != nil {
			l.name = ""
			return
		}
		l.file = f
	}
	l.file.Write(l.text)
	l.text = l.text[:0]
}
