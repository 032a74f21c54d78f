package main

import "fmt"

// cents is an amount of money.
type cents int

// taxes are the shares, in percent, that are added to what a kind of thing costs.
var taxes = map[string]int{"apple": 7, "bread": 7}

// otherTax is that of what is in no list.
const otherTax = 19

// withTax returns what a buyer pays for so many pieces.
func withTax(name string, pieces int, price cents) cents {
	tax, ok := taxes[name]
	if !ok {
		tax = otherTax
	}
	net := cents(pieces) * price
	return net + (net*cents(tax)+50)/100
}

// String writes the amount with two digits behind the point.
func (c cents) String() string {
	if c < 0 {
		return "-" + (-c).String()
	}
	return fmt.Sprintf("%d.%02d", c/100, c%100)
}
