// Package amount is a library of values: its constructor returns one, and its functions take them.
package amount

// Amount is so many units, and cents.
type Amount struct {
	units int
	cents int
}

// New returns an amount.
func New(cents int) Amount { return Amount{cents / 100, cents % 100} }

// Plus returns the sum of two amounts.
func (a Amount) Plus(b Amount) Amount { return New(a.total() + b.total()) }

// Reset makes the amount nothing.
func (a *Amount) Reset() {
	a.units = 0
	a.cents = 0
}

// Less tells which of two amounts is smaller.
func Less(a, b Amount) bool { return a.total() < b.total() }

func (a Amount) total() int { return 100*a.units + a.cents }
