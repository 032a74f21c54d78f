// Program map_any_order_fixed: The mended map_any_order. There is room for both texts, in any order.
package main

type listener interface {
	tell(text string)
}

type box struct {
	room chan string
}

func (b *box) tell(text string) { b.room <- text }

func main() {
	first, second := &box{make(chan string, 2)}, &box{make(chan string, 2)}
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
