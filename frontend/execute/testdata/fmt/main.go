// Command fmt prints values with all verbs.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

type Point struct{ X, Y int }

type Named int

func (n Named) String() string { return fmt.Sprintf("Named(%d)", int(n)) }

type Tree struct {
	Left, Right *Tree
	Value       any
	Labels      map[string][]byte
	Err         error
	fn          func()
	ch          chan int
}

type Formatted struct{}

func (Formatted) Format(s fmt.State, verb rune) {
	w, ok := s.Width()
	fmt.Fprintf(s, "<%c %d %v %v>", verb, w, ok, s.Flag('+'))
}

type Go struct{}

func (Go) GoString() string { return "Go!" }

type Panics struct{}

func (*Panics) String() string { panic("no") }

type Float float32
type List []Named
type pair[K comparable, V any] struct {
	Key K
	Val V
}

func main() {
	values := []any{nil, true, 42, -7, uint8(200), 'x', 3.5, Float(1.5), 2 + 3i, "text", []byte("bytes"), []string{"a", "b"},
		Point{1, 2}, &Point{3, 4}, []Point{{5, 6}}, []*Point{nil}, map[string]int{"b": 2, "a": 1}, map[Point]bool{{1, 2}: true},
		Named(3), List{1, 2}, [2]bool{true, false}, struct{}{}, struct{ A any }{Named(1)}, errors.New("an error"),
		Tree{Value: Named(2), Labels: map[string][]byte{"k": {1}}}, Formatted{}, Go{}, time.Duration(1500) * time.Millisecond,
		pair[string, []int]{"k", []int{1}}, (*Point)(nil), error(nil), []any{1, "x", nil}, uintptr(16), int8(-5),
		[]int(nil), map[string]int(nil), (func())(nil), (chan int)(nil), [3]byte{1, 2, 3}}
	for _, v := range values {
		fmt.Printf("%v | %+v | %#v | %T | %s | %d | %q | %x\n", v, v, v, v, v, v, v, v)
	}
	fmt.Printf("%5d|%-5d|%05d|%+d|%x|%X|%o|%b|%c|%U|%e|%8.3f|%g|%t|%p\n", 42, 42, 42, 42, 255, 255, 8, 5, 'A', 'A', 1234.5678,
		3.14159, 1e21, true, nil)
	fmt.Printf("%s %v %!|%z %d\n", "only", 1)
	fmt.Printf("%[2]d %[1]d %d %*d\n", 1, 2, 3, 4)
	fmt.Printf("%v %v\n", &Panics{}, (*Panics)(nil))
	fmt.Print("a", 1, 2, "b", 3, "\n")
	fmt.Println("a", 1, Point{1, 2}, &[]int{1}, &map[string]int{"x": 1})
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s-%d", "x", 1)
	fmt.Fprintln(&b, Point{7, 8}, "y")
	fmt.Fprint(os.Stdout, b.String())
	fmt.Println(string(fmt.Appendf(nil, "%v", Point{1, 1})))
	var n int
	var word string
	count, err := fmt.Sscanf("12 abc", "%d %s", &n, &word)
	fmt.Println(count, err, n, word)
	count, err = fmt.Sscan("5 six", &n, &word)
	fmt.Println(count, err, n, word)
	count, err = fmt.Fscan(strings.NewReader("x"), &n)
	fmt.Println(count, err)
}
