// Command channel_handover_fixed packs orders and hands each one over by a channel.
package main

import "fmt"

// Order is what is in a parcel, and what it weighs.
type Order struct {
	items  int
	weight int
}

// Pack puts items in.
func (o *Order) Pack(items, weight int) {
	o.items = items
	o.weight = weight
}

// Label describes the parcel.
func (o *Order) Label() string {
	items := o.items
	weight := o.weight
	return fmt.Sprint(items, " items, ", weight, " g")
}

func main() {
	parcels := make(chan *Order)
	go func() {
		defer close(parcels)
		for n := range 3 {
			o := &Order{}
			o.Pack(n, 100*n)
			o.Pack(n+1, 100*n+100) // with a present
			parcels <- o
		}
	}()
	for o := range parcels {
		fmt.Println(o.Label())
	}
}
