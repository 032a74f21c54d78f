// Command system asks its system for what it may not get.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
)

func main() {
	fmt.Println(os.Getenv("EMPIRE_NOT_SET") == "", len(os.Args) > 0)
	_, err := os.ReadFile("/does/not/exist")
	fmt.Println(err != nil)
	_, err = os.Stat("/does/not/exist")
	fmt.Println(err != nil)
	_, err = net.Dial("tcp", "256.0.0.1:http-not")
	fmt.Println(err != nil)
	_, err = exec.LookPath("no-such-program-anywhere")
	fmt.Println(err != nil)
	_, file, _, ok := runtime.Caller(0)
	fmt.Println(!ok || strings.HasSuffix(file, "main.go"))
	pcs := make([]uintptr, 4)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	frames.Next()
	fmt.Println(len(debug.Stack()) >= 0, runtime.Stack(make([]byte, 10), false) >= 0, runtime.NumCPU() > 0, runtime.GOOS)
	f := flag.NewFlagSet("x", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	n := f.Int("n", 3, "a number")
	d := f.Duration("d", 0, "a duration")
	fmt.Println(f.Parse([]string{"-n", "5", "-d=1s", "rest"}), *n, *d, f.Args())
	fmt.Println(f.Parse([]string{"-x"}))
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	host, err := os.Hostname()
	fmt.Println(host != "" || err != nil, errors.Is(os.ErrNotExist, os.ErrNotExist))
}
