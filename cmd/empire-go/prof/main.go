package main

import (
	"os"
	"runtime/pprof"
	"strconv"
	"time"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
)

func main() {
	f, _ := os.Create(os.Getenv("CPUPROF"))
	pprof.StartCPUProfile(f)
	if s, _ := strconv.Atoi(os.Getenv("CPUSECS")); s > 0 {
		go func() { time.Sleep(time.Duration(s) * time.Second); pprof.StopCPUProfile(); f.Close(); os.Exit(9) }()
	}
	c := command.Run(os.Args[1:], os.Stdout, os.Stderr)
	pprof.StopCPUProfile()
	f.Close()
	os.Exit(c)
}
