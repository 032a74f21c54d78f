// Package main reads by way of a reader that counts, and ends if it was asked for something.
package main

import "io"

type counter struct{ n int }

func (c *counter) Read(p []byte) (int, error) {
	c.n++
	return len(p), nil
}

func main() {
	c := &counter{}
	if _, err := io.ReadAll(&io.LimitedReader{R: c, N: 5}); err != nil {
		return
	}
	if c.n > 0 {
		return
	}
}
