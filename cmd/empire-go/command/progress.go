package command

import (
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// terminal returns the terminal that w is, if it is one that lines can be overwritten and painted on.
func terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// progress shows, on a terminal only, what is being done: in one line that the next one
// overwrites. A nil one shows nothing.
type progress struct {
	w     io.Writer
	width int // of the terminal; a longer line could not be overwritten
	shown string
}

func newProgress(w io.Writer) *progress {
	f, ok := terminal(w)
	if !ok {
		return nil
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	return &progress{w: w, width: width}
}

// show shows what is being done; nothing, if that is "".
func (p *progress) show(text string) {
	if p == nil {
		return
	}
	if text != "" {
		text = "empire-go: " + text + " ..."
		if utf8.RuneCountInString(text) >= p.width {
			text = string([]rune(text)[:p.width-1])
		}
	}
	if text != p.shown {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
		p.shown = text
	}
}

// note writes a line that stays, above the one that is overwritten.
func (p *progress) note(text string) {
	if p != nil {
		fmt.Fprintf(p.w, "\r\x1b[Kempire-go: %s\n%s", text, p.shown)
	}
}

// counted returns what shows how much of something is done, and how long the rest will take.
func (p *progress) counted(what string) func(done, total int) {
	begin := time.Now()
	return func(done, total int) {
		text := fmt.Sprintf("%s %d of %d", what, done, total)
		if spent := time.Since(begin); done > 0 && spent > time.Second {
			left := time.Duration(float64(spent) / float64(done) * float64(total-done))
			text += fmt.Sprintf(", %s left", left.Round(time.Second))
		}
		if done == total {
			text = ""
		}
		p.show(text)
	}
}
