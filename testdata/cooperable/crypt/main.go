// The command is the kernel crypt of the Java Grande suite at its size A: 3,000,000 bytes are encrypted with IDEA and
// decrypted again. The blocks of 8 bytes are shared by four goroutines. It ends with status 1 if the text that comes
// out is another one, or if IDEA is not what its authors publish.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
)

const (
	rounds = 8
	keys   = 6*rounds + 4
	block  = 8
)

// schedule has the keys of each round, and of the end.
type schedule [keys]uint16

// expand makes the keys for encryption: the user's key, and the same rotated by 25 bits, again and again.
func expand(user [8]uint16) (s schedule) {
	for i := range s {
		if i < 8 {
			s[i] = user[i]
			continue
		}
		// words 1 and 2 after the same one of the group before, or of the one before that where the group ends
		one, two := i-7, i-6
		if i%8 == 7 {
			one -= 8
		}
		if i%8 >= 6 {
			two -= 8
		}
		s[i] = s[one]<<9 | s[two]>>7
	}
	return s
}

// times is the product modulo 65537, where 0 stands for 65536.
func times(a, b uint16) uint16 {
	const modulus = 1<<16 + 1
	one, two := uint64(a), uint64(b)
	if one == 0 {
		one = 1 << 16
	}
	if two == 0 {
		two = 1 << 16
	}
	return uint16(one * two % modulus)
}

// inverse is the number with which the product is 1.
func inverse(a uint16) uint16 {
	result := uint16(1)
	for range 16 { // to the power 65535, of which all bits are ones
		result = times(times(result, result), a)
	}
	return result
}

// invert makes the keys for decryption.
func (s schedule) invert() (d schedule) {
	for round := range rounds + 1 {
		from, to := 6*(rounds-round), 6*round
		d[to], d[to+3] = inverse(s[from]), inverse(s[from+3])
		d[to+1], d[to+2] = -s[from+2], -s[from+1]
		if round == 0 || round == rounds {
			d[to+1], d[to+2] = -s[from+1], -s[from+2]
		}
		if round < rounds {
			d[to+4], d[to+5] = s[from-2], s[from-1]
		}
	}
	return d
}

// cipher encrypts a block, or decrypts it, as the keys say.
func cipher(to, from []byte, s *schedule) {
	word := func(i int) uint16 { return uint16(from[2*i]) | uint16(from[2*i+1])<<8 }
	a, b, c, d := word(0), word(1), word(2), word(3)
	key := s[:]
	for range rounds {
		a, b, c, d = times(a, key[0]), b+key[1], c+key[2], times(d, key[3])
		left := times(a^c, key[4])
		right := times(left+(b^d), key[5])
		left += right
		a, b, c, d = a^right, c^right, b^left, d^left
		key = key[6:]
	}
	for i, w := range []uint16{times(a, key[0]), c + key[1], b + key[2], times(d, key[3])} {
		to[2*i], to[2*i+1] = byte(w), byte(w>>8)
	}
}

// all does all blocks, in goroutines.
func all(text []byte, s *schedule) []byte {
	result := make([]byte, len(text))
	grande.Each(func(id int) {
		first, end := grande.Share(id, len(text)/block)
		for i := first * block; i < end*block; i += block {
			cipher(result[i:i+block], text[i:i+block], s)
		}
	})
	return result
}

// isPublished checks the example of the algorithm's authors: the words 0 to 3 with the key of the words 1 to 8.
func isPublished() bool {
	s := expand([8]uint16{1, 2, 3, 4, 5, 6, 7, 8})
	var got [block]byte
	cipher(got[:], []byte{0, 0, 1, 0, 2, 0, 3, 0}, &s)
	return got == [block]byte{0xFB, 0x11, 0x2B, 0xED, 0x98, 0x01, 0xE5, 0x6D}
}

func main() {
	size := grande.Size(3_000_000) / block * block
	r := grande.NewRandom(136506717)
	var user [8]uint16
	for i := range user {
		user[i] = uint16(r.Int32())
	}
	text := make([]byte, size)
	for i := range text {
		text[i] = byte(i)
	}
	s := expand(user)
	d := s.invert()
	secret := all(text, &s)
	if !isPublished() || !bytes.Equal(all(secret, &d), text) || bytes.Equal(secret, text) {
		fmt.Println("what is decrypted is not what was encrypted")
		os.Exit(1)
	}
	fmt.Println(size, "bytes")
}
