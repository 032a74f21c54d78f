package steer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/empire-go/empire-go/dynamic/snapshot"
)

// laboratory carries out experiments with a program that is built for them: many in one process,
// as long as they leave no trace.
type laboratory struct {
	ctx     context.Context
	path    string
	work    string // temporary directory: each process has an empty one in it
	process *experimenter
	count   int // of experiments
	started int // of processes
}

// experiment is an object, calls one after the other, and one or two more.
type experiment struct {
	maker    int
	start    []int
	calls    []int
	order    bool      // the calls are made one after the other
	reversed bool      // the second one first
	late     bool      // what they have started goes on only after both
	turns    []segment // of a run: who goes on
	after    []int
	seed     uint64
}

// timePasses stands for no step, but for the passing of two days.
const timePasses = -1

// segment lets a call go on for a number of points.
type segment struct{ call, points int }

// String is the line that asks for the experiment; see package hook.
func (e experiment) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "make=%d seed=%d", e.maker, e.seed)
	for _, list := range []struct {
		name  string
		steps []int
	}{{"start", e.start}, {"calls", e.calls}, {"after", e.after}} {
		if len(list.steps) > 0 {
			b.WriteString(" " + list.name + "=" + joinNumbers(list.steps))
		}
	}
	if e.order {
		b.WriteString(" order")
	}
	if e.reversed {
		b.WriteString(" reversed")
	}
	if e.late {
		b.WriteString(" late")
	}
	for i, s := range e.turns {
		if i == 0 {
			b.WriteString(" schedule=")
		} else {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "%dx%d", s.call, s.points)
	}
	return b.String()
}

func joinNumbers(all []int) string {
	words := make([]string, len(all))
	for i, n := range all {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// observation is what an experiment has come to.
type observation struct {
	lines  []snapshot.Line
	failed string // why it has no outcome
	timed  bool   // the clock was looked at
	trace  []int  // the calls, and others, in the order in which they went on; see hook.trialPolicy
}

// isLike tells whether two experiments have come to the same.
func (o *observation) isLike(other *observation) bool { return slices.Equal(o.lines, other.lines) }

// turnsOf counts how many times a call went on; -1: others.
func (o *observation) turnsOf(call int) int {
	n := 0
	for _, c := range o.trace {
		if c == call {
			n++
		}
	}
	return n
}

// crashRoot is the path of what a program says when it dies.
const crashRoot = "program"

// experimenter is a process.
type experimenter struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	files   []*os.File
	stderr  *tail
	dir     string
	isSpent bool // the next experiment needs another process
}

// Bounds of a process.
const (
	trialTime      = 10 * time.Second // for one experiment, which takes far less
	maxLeft        = 400              // goroutines that experiments have left behind
	maxAnswerBytes = 4 << 20
)

// close ends the process.
func (l *laboratory) close() {
	if l.process != nil {
		l.process.end()
		l.process = nil
	}
}

// fresh has the next experiment done in a process of its own.
func (l *laboratory) fresh() { l.close() }

// do carries out an experiment. The error is for what has nothing to do with it.
func (l *laboratory) do(e experiment) (*observation, error) {
	if l.process != nil && l.process.isSpent {
		l.close()
	}
	if l.process == nil {
		p, err := l.start()
		if err != nil {
			return nil, err
		}
		l.process = p
		l.started++
	}
	l.count++
	p := l.process
	clock := time.AfterFunc(trialTime, func() { p.cmd.Process.Kill() })
	o, err := p.ask(e)
	if err == nil {
		clock.Stop()
		return o, nil
	}
	wasKilled := !clock.Stop()
	l.close()
	if l.ctx.Err() != nil {
		return nil, l.ctx.Err()
	}
	if wasKilled {
		return &observation{failed: "a call does not come to an end"}, nil
	}
	why := crashLine(p.stderr.String())
	if why == "" {
		return &observation{failed: "the program ends in the middle: " + err.Error()}, nil
	}
	return &observation{lines: []snapshot.Line{{Path: crashRoot, Value: "crashes: " + why}}}, nil
}

// crashLine returns what a program that has died says first.
func crashLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") {
			return line
		}
	}
	return ""
}

// start starts a process.
func (l *laboratory) start() (*experimenter, error) {
	dir, err := os.MkdirTemp(l.work, "experiments")
	if err != nil {
		return nil, err
	}
	questions, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, answers, err := os.Pipe()
	if err != nil {
		questions.Close()
		in.Close()
		return nil, err
	}
	p := &experimenter{dir: dir, cmd: exec.CommandContext(l.ctx, l.path), in: in, out: bufio.NewScanner(out),
		files: []*os.File{out}, stderr: &tail{}}
	p.out.Buffer(nil, maxAnswerBytes)
	p.cmd.Dir, p.cmd.Stderr = dir, p.stderr
	// Calls may write files. The end of what a process writes to standard error says why it has died.
	p.cmd.Env = append(os.Environ(), "GOTRACEBACK=none", "HOME="+dir, "TMPDIR="+dir)
	p.cmd.ExtraFiles = []*os.File{questions, answers}
	p.cmd.WaitDelay = grace
	err = p.cmd.Start()
	questions.Close()
	answers.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	return p, nil
}

func (p *experimenter) end() {
	p.in.Close()
	p.cmd.Process.Kill()
	p.cmd.Wait()
	for _, f := range p.files {
		f.Close()
	}
	os.RemoveAll(p.dir)
}

// errEnded says that the process has ended before its answer.
var errEnded = errors.New("no answer")

// ask has the process carry out an experiment.
func (p *experimenter) ask(e experiment) (*observation, error) {
	if _, err := io.WriteString(p.in, e.String()+"\n"); err != nil {
		p.cmd.Wait()
		return nil, err
	}
	o := &observation{}
	for p.out.Scan() {
		word, rest, _ := strings.Cut(p.out.Text(), " ")
		switch word {
		case "line":
			path, value := unquoteFirst(rest)
			text, _ := unquoteFirst(value)
			o.lines = append(o.lines, snapshot.Line{Path: path, Value: text})
		case "failed":
			o.failed, _ = unquoteFirst(rest)
		case "trace":
			for n := range strings.FieldsSeq(rest) {
				call, _ := strconv.Atoi(n)
				o.trace = append(o.trace, call)
			}
		case "end":
			var left int
			fmt.Sscan(rest, &p.isSpent, &left, &o.timed)
			p.isSpent = p.isSpent || left > maxLeft
			return o, nil
		}
	}
	p.cmd.Wait()
	return nil, errEnded
}

// unquoteFirst reads a quoted string at the beginning of a text, and returns what comes after it.
func unquoteFirst(text string) (first, rest string) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return text, ""
	}
	first, _ = strconv.Unquote(quoted)
	return first, strings.TrimPrefix(text[len(quoted):], " ")
}
