// Command errors looks for errors in chains of others.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

type Problem struct{ Code int }

func (p *Problem) Error() string        { return "problem " + strconv.Itoa(p.Code) }
func (p *Problem) Is(target error) bool { return target == io.EOF }

type Value struct{ Text string }

func (v Value) Error() string   { return v.Text }
func (v Value) Temporary() bool { return true }

func main() {
	err := fmt.Errorf("outer: %w", fmt.Errorf("inner: %w and %w", &Problem{4}, Value{"v"}))
	fmt.Println(err)
	var p *Problem
	fmt.Println(errors.As(err, &p), p.Code)
	var v Value
	fmt.Println(errors.As(err, &v), v)
	var t interface{ Temporary() bool }
	fmt.Println(errors.As(err, &t), t.Temporary())
	var path *fs.PathError
	fmt.Println(errors.As(err, &path), path == nil)
	fmt.Println(errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, Value{"v"}))
	joined := errors.Join(err, io.ErrShortWrite)
	fmt.Println(errors.Is(joined, io.ErrShortWrite), joined)
	fmt.Println(errors.Unwrap(fmt.Errorf("x: %v", p)), errors.Unwrap(fmt.Errorf("x: %w", p)) == p)
	_, err = os.Open("/does/not/exist/at/all")
	fmt.Println(err != nil)
	_, err = strconv.Atoi("x")
	var n *strconv.NumError
	fmt.Println(errors.As(err, &n), n.Func, err)
	func() {
		defer func() { fmt.Println(recover()) }()
		errors.As(err, nil)
	}()
	func() {
		defer func() {
			r := recover()
			e, ok := r.(error)
			fmt.Println(ok, e)
		}()
		var m map[string]int
		m["a"] = 1
	}()
}
