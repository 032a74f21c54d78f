// Command gob encodes and decodes values.
package main

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

type Shape interface{ Area() float64 }

type Square struct{ Side float64 }

func (s Square) Area() float64 { return s.Side * s.Side }

type Entry struct {
	Key     string
	Value   any
	Shape   Shape
	Numbers []int
	ByName  map[string]*Entry
	Pair    [2]uint16
	Blob    []byte
	unseen  int
}

func main() {
	gob.Register(Square{})
	var b bytes.Buffer
	in := Entry{Key: "k", Value: 5, Shape: Square{2}, Numbers: []int{1, -2, 3}, Pair: [2]uint16{7, 8}, Blob: []byte("x"),
		ByName: map[string]*Entry{"one": {Key: "inner", Value: "text"}}}
	fmt.Println(gob.NewEncoder(&b).Encode(in))
	var out Entry
	fmt.Println(gob.NewDecoder(&b).Decode(&out))
	fmt.Println(out.Key, out.Value, out.Shape.Area(), out.Numbers, out.Pair, string(out.Blob), out.ByName["one"].Key,
		out.ByName["one"].Value)
	err := gob.NewEncoder(&b).Encode(map[string]any{"a": struct{ X int }{1}})
	fmt.Println(err != nil)
}
