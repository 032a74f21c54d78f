// Command json marshals and unmarshals values of many types.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

type Color int

func (c Color) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("color-%d", int(c))), nil }
func (c *Color) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "color-%d", (*int)(c))
	return err
}

type Base struct {
	ID   int64  `json:"id"`
	Kind string `json:"kind,omitempty"`
}

type Item struct {
	Base
	Name    string          `json:"name"`
	Tags    []string        `json:"tags"`
	Scores  map[string]int  `json:"scores,omitempty"`
	Next    *Item           `json:"next,omitempty"`
	Any     any             `json:"any"`
	Raw     json.RawMessage `json:"raw,omitempty"`
	Bytes   []byte          `json:"bytes"`
	Float   float32         `json:"float"`
	Flag    bool            `json:"flag,string"`
	Skipped int             `json:"-"`
	Array   [3]uint8        `json:"array"`
	Color   Color           `json:"color"`
	ByColor map[Color]bool  `json:"byColor"`
	Took    time.Duration   `json:"took"`
	hidden  int
}

func main() {
	in := Item{Base: Base{7, "k"}, Name: "a <b> \"c\"", Tags: []string{"x", "y"}, Scores: map[string]int{"b": 2, "a": 1},
		Next: &Item{Name: "next"}, Any: []any{1, "two", 3.5, nil, true}, Raw: json.RawMessage(`{"z":1}`),
		Bytes: []byte("bytes"), Float: 1.25, Flag: true, Array: [3]uint8{1, 2, 3}, Color: 5,
		ByColor: map[Color]bool{1: true}, Took: time.Second, hidden: 1}
	b, err := json.Marshal(in)
	fmt.Println(string(b), err)

	var out Item
	fmt.Println(json.Unmarshal(b, &out))
	fmt.Printf("%+v\n", out.Base)
	fmt.Println(out.Name, out.Tags, out.Scores, out.Next.Name, out.Any, string(out.Raw), string(out.Bytes), out.Float,
		out.Flag, out.Array, int(out.Color), len(out.ByColor), out.Took)

	b, err = json.MarshalIndent(map[string]any{"b": []int{1, 2}, "a": nil}, "", "  ")
	fmt.Println(string(b), err)

	var v any
	err = json.Unmarshal([]byte(`{"n": 12, "list": [1, {"x": "\u00e9"}], "f": 1e3}`), &v)
	fmt.Println(v, err)

	for _, text := range []string{`{"id": "text"}`, `{"id": 1`, `[1,2]`, `{"name": 5}`} {
		fmt.Println(json.Unmarshal([]byte(text), &Item{}))
	}
	d := json.NewDecoder(strings.NewReader(`{"id":1}{"id":2,"more":3}`))
	d.DisallowUnknownFields()
	for {
		var one Base
		if err := d.Decode(&one); err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(one)
	}
	var buffer bytes.Buffer
	e := json.NewEncoder(&buffer)
	e.SetEscapeHTML(false)
	fmt.Println(e.Encode(struct{ A, B string }{"<", "&"}), buffer.String())
	_, err = json.Marshal(make(chan int))
	fmt.Println(err)
}
