// Program map_any_order: Lists are made of the entries of a map, in whatever order they come. What is listed is told one
// after the other, and one of them does not listen any more.
package main

type listener interface {
	tell(text string)
}

type box struct {
	room chan string
}

func (b *box) tell(text string) { b.room <- text } // want blocked

func main() {
	first, second := &box{make(chan string, 1)}, &box{make(chan string, 1)}
	all := map[string]listener{"first": first, "second": second}
	second.tell("welcome")
	var told []listener
	for _, l := range all {
		told = append(told, l)
	}
	for _, l := range told {
		l.tell("news")
	}
}
