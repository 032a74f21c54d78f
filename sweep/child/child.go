// Package child answers queries in processes of their own, so that one that crashes, hangs, or takes all memory ends by
// itself. A child has loaded packages once, and answers what it is asked, one part after the other. It reads lines of
// JSON, and writes one for each.
package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
)

// toChild is one line to a child: the first one says what to load.
type toChild struct {
	Load  *empire.Request `json:",omitempty"`
	Ask   *sweep.Asked    `json:",omitempty"`
	Check *empire.Request `json:",omitempty"` // a whole request, for which nothing has to be loaded before
}

// fromChild is its answer.
type fromChild struct {
	Loaded  bool           `json:",omitempty"`
	Failed  string         `json:",omitempty"` // why nothing is loaded
	Differs string         `json:",omitempty"` // why the part cannot be answered with what is loaded
	Answer  *sweep.Answer  `json:",omitempty"`
	Result  *empire.Result `json:",omitempty"`
}

// Run is what a child does: it ends when its input does, whatever it is at.
func Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan []byte)
	go func() {
		defer cancel() // the worker is gone
		all := bufio.NewReaderSize(in, 1<<16)
		for {
			text, err := readLine(all, maxLine)
			if err != nil {
				return
			}
			select {
			case lines <- bytes.Clone(text):
			case <-ctx.Done():
				return
			}
		}
	}()
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	c := &loaded{}
	for {
		var text []byte
		select {
		case <-ctx.Done():
			return nil
		case text = <-lines:
		}
		var line toChild
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		said, err := c.answer(ctx, line)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if err := answers.Encode(said); err != nil {
			return err
		}
	}
}

// loaded is what a child has loaded.
type loaded struct{ session *empire.Session }

// answer answers a line.
func (c *loaded) answer(ctx context.Context, line toChild) (said fromChild, err error) {
	if line.Load != nil {
		if c.session, err = empire.Open(ctx, *line.Load); err != nil {
			return fromChild{Failed: err.Error()}, nil
		}
		return fromChild{Loaded: true}, nil
	}
	if line.Check != nil {
		if said.Result, err = empire.Run(ctx, *line.Check); err != nil {
			return fromChild{Failed: err.Error()}, nil
		}
		return said, nil
	}
	if line.Ask == nil || c.session == nil {
		return said, errors.New("nothing is loaded, or asked")
	}
	answer, err := sweep.Ask(ctx, c.session, *line.Ask)
	var differs *sweep.DiffersError
	var named *empire.InputError
	if errors.As(err, &differs) || errors.As(err, &named) { // what the coordinator has found is not here
		return fromChild{Differs: err.Error()}, nil
	}
	return fromChild{Answer: &answer}, err
}
