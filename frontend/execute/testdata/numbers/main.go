// Command numbers computes with numbers of all kinds.
package main

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/cmplx"
	"math/rand"
	"strconv"
	"unsafe"
)

type celsius float32

func main() {
	r0 := len("abc") + 100
	fmt.Println(math.Sqrt(2), math.Floor(-1.5), math.Ceil(1.2), math.Trunc(2.7), math.Round(2.5), math.Pow(2, 10), math.Mod(7, 3),
		math.Log(10), math.Exp(1), math.Sin(1), math.Cos(1), math.Atan2(1, 2), math.Hypot(3, 4), math.Max(1, 2), math.Min(1, 2),
		math.Abs(-3), math.IsNaN(math.NaN()), math.IsInf(math.Inf(1), 1), math.Cbrt(27), math.MaxInt64, math.Log2(8), math.FMA(2, 3, 4))
	fmt.Println(bits.OnesCount(255), bits.LeadingZeros64(1), bits.TrailingZeros(8), bits.Len(9), bits.Reverse8(1), bits.RotateLeft32(1, 31))
	hi, lo := bits.Mul64(1<<63, 6)
	fmt.Println(hi, lo)
	fmt.Println(math.Float64bits(1.5), math.Float32frombits(0x40490fdb), celsius(1.1)*celsius(3), byte(r0)+100, int8(r0)+100)
	x := new(big.Int).Exp(big.NewInt(3), big.NewInt(100), nil)
	fmt.Println(x, x.Cmp(big.NewInt(5)), new(big.Int).Mod(x, big.NewInt(97)), big.NewRat(3, 6))
	fmt.Println(cmplx.Abs(3+4i), real(cmplx.Sqrt(-1)), -7/2, -7%3, 7&^5, 1<<3|1, uint32(1)<<31)
	for _, s := range []string{"12", "-0x1f", "1e3", "true", "99999999999999999999"} {
		i, err := strconv.ParseInt(s, 0, 64)
		f, err2 := strconv.ParseFloat(s, 64)
		fmt.Println(i, err, f, err2)
	}
	fmt.Println(strconv.FormatFloat(1.0/3, 'g', -1, 32), strconv.AppendInt(nil, -5, 2), strconv.Quote("a\n\u00e9"), strconv.FormatUint(1<<63, 36))
	r := rand.New(rand.NewSource(7))
	fmt.Println(r.Intn(100), r.Intn(100), r.Float64(), r.Perm(5))
	f := 2.5
	fmt.Println(*(*uint64)(unsafe.Pointer(&f)), unsafe.Sizeof(f), unsafe.String(unsafe.StringData("abc"), 2))
	bs := []byte("bytes")
	fmt.Println(*(*string)(unsafe.Pointer(&bs)), unsafe.Slice(&bs[1], 2))
	str := "header"
	two := (*[2]uintptr)(unsafe.Pointer(&str))
	three := [3]uintptr{two[0], two[1], two[1]}
	fmt.Println(*(*[]byte)(unsafe.Pointer(&three)))
	var e error
	func() {
		defer func() { e, _ = recover().(error) }()
		zero := 0
		fmt.Println(1 / zero)
	}()
	fmt.Println(e)
	arr := [4]int{1, 2, 3, 4}
	pa := (*[2]int)(arr[1:3])
	pa[0] = 9
	fmt.Println(arr, [2]int(arr[2:]), min(3, 1, 2), max(1.5, 2))
}
