// Command logs writes logs.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
)

func main() {
	var b bytes.Buffer
	l := log.New(&b, "p: ", log.Lmsgprefix)
	l.Printf("hello %d", 1)
	l.Println("x", []int{1})
	fmt.Print(b.String())
	b.Reset()
	s := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	s.With("k", "v").WithGroup("g").InfoContext(context.Background(), "message", "n", 1, slog.Any("err", os.ErrNotExist))
	s.Debug("no")
	fmt.Print(b.String())
}
