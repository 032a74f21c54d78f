package counting

import "math/bits"

// rational is num/den in lowest terms, den positive. The zero value stands for 0, too.
type rational struct{ num, den int64 }

func (r rational) sign() int {
	switch {
	case r.num < 0:
		return -1
	case r.num > 0:
		return 1
	}
	return 0
}

// whole tells whether it is an integer.
func (r rational) whole() bool { return r.den <= 1 }

// floor returns the largest integer not above a number that is not negative.
func (r rational) floor() int64 { return r.num / max(r.den, 1) }

// less compares exactly, without overflow.
func (r rational) less(s rational) bool {
	if r.sign() != s.sign() {
		return r.sign() < s.sign()
	}
	high1, low1 := bits.Mul64(magnitude(r.num), uint64(max(s.den, 1)))
	high2, low2 := bits.Mul64(magnitude(s.num), uint64(max(r.den, 1)))
	if r.num < 0 {
		high1, low1, high2, low2 = high2, low2, high1, low1
	}
	return high1 < high2 || high1 == high2 && low1 < low2
}

func magnitude(a int64) uint64 { return uint64(max(a, -a)) }

// minus returns r - factor*s; not ok if a number on the way is too large.
func (r rational) minus(s, factor rational) (rational, bool) {
	num, ok1 := times(s.num, factor.num)
	den, ok2 := times(max(s.den, 1), max(factor.den, 1))
	product := reduced(num, den)
	a, ok3 := times(r.num, product.den)
	b, ok4 := times(product.num, max(r.den, 1))
	den, ok5 := times(max(r.den, 1), product.den)
	return reduced(a-b, den), ok1 && ok2 && ok3 && ok4 && ok5
}

// over returns r/s; s is not 0.
func (r rational) over(s rational) (rational, bool) {
	num, ok1 := times(r.num, max(s.den, 1))
	den, ok2 := times(max(r.den, 1), s.num)
	if den < 0 {
		num, den = -num, -den
	}
	return reduced(num, den), ok1 && ok2
}

// times multiplies numbers whose product is below 2^62, so that two of them can be
// subtracted.
func times(a, b int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if high != 0 || low >= 1<<62 {
		return 0, false
	}
	return a * b, true
}

func reduced(num, den int64) rational {
	if num == 0 || den <= 0 {
		return rational{0, 1}
	}
	a, b := int64(magnitude(num)), den
	for b != 0 {
		a, b = b, a%b
	}
	return rational{num / a, den / a}
}
