package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/trace"
)

// buildFull builds a workload so that it records all that goroutines share.
func buildFull(ctx context.Context, dir, file string) (trace.Header, error) {
	program, err := record.Make(ctx, record.Build{Dir: ".", Packages: []string{dir}, Full: true})
	if err != nil {
		return trace.Header{}, err
	}
	defer program.Close()
	built, err := program.Main(ctx)
	if err != nil {
		return trace.Header{}, err
	}
	return program.Header, os.Rename(built, filepath.Clean(file))
}

// runRaces runs such a program and finds its data races while it runs, with vector clocks.
func runRaces(h trace.Header, file string) error {
	program, found, count := &record.Program{Header: h}, 0, 0
	outcome, err := program.Record(context.Background(), record.Run{File: file, Stderr: os.Stderr}, func(in io.Reader) error {
		r, err := trace.NewReader(in)
		if err != nil {
			return err
		}
		src, err := events.Follow(r, func(trace.Event) { count++ })
		if err != nil {
			return err
		}
		d := races.New()
		for {
			e, err := src.Next()
			if cut := new(*trace.CutError); err == io.EOF || errors.As(err, cut) { // it is read before its end is written
				return nil
			}
			if err != nil {
				return err
			}
			d.Add(e, func(races.Race) { found++ })
		}
	})
	if err != nil {
		return err
	}
	if outcome.Text != "" {
		return errors.New(file + ": " + outcome.Text)
	}
	var self, children syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &self)
	syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"CPU":    time.Duration(children.Utime.Nano() + children.Stime.Nano()).Seconds(),
		"Memory": float64(children.Maxrss) / 1024, "MatchingMemory": float64(self.Maxrss) / 1024, "Events": float64(count),
	})
}
