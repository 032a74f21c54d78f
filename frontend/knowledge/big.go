package knowledge

import "strings"

// numbers is the methods of the numbers of package math/big. They compute with an array that the
// number has for itself, in hundreds of loops that the model need not go through: "methods of
// this form typically return the incoming receiver as well"; the receiver z is the result and is
// written, operands are only read (math/big/doc.go). What hands out such an array, or takes one
// (Bits, SetBits, Num, Denom), writes elsewhere, or uses what it is handed by its methods, is
// what its body does.
var numbers = table{"math/big": bigRows()}

// ofNumbers is, by type, the methods that set the receiver, and those that only look.
var ofNumbers = map[string]struct{ set, read string }{
	"Int": {
		set: "Abs Add And AndNot Binomial Div Exp Lsh Mod ModInverse ModSqrt Mul MulRange Neg Not Or Quo Rem Rsh " +
			"Set SetBit SetBytes SetInt64 SetString SetUint64 Sqrt Sub Xor",
		read: "Bit BitLen Cmp CmpAbs Float64 Int64 IsInt64 IsUint64 ProbablyPrime Sign String Text TrailingZeroBits Uint64",
	},
	"Rat": {
		set:  "Abs Add Inv Mul Neg Quo Set SetFloat64 SetFrac SetFrac64 SetInt SetInt64 SetString SetUint64 Sub",
		read: "Cmp Float32 Float64 FloatPrec FloatString IsInt RatString Sign String",
	},
	"Float": {
		set: "Abs Add Copy Mul Neg Parse Quo Set SetFloat64 SetInf SetInt SetInt64 SetMode SetPrec SetRat SetString " +
			"SetUint64 Sqrt Sub",
		read: "Acc Cmp Float32 Float64 Int64 IsInf IsInt MinPrec Mode Prec Sign Signbit String Text Uint64",
	},
}

func bigRows() map[string]Function {
	set := Function{Effect: into(0), Flow: FlowNumber, Evidence: "math/big/doc.go: the receiver is the result"}
	read := Function{Effect: Effect{Reads: true, All: true, Alone: true}, Flow: FlowNowhere,
		Evidence: "math/big: the receiver is an operand, what is returned holds no pointers"}
	rows := map[string]Function{
		"Int.DivMod": {Effect: into(0, 3), Evidence: "math/big/int.go: sets z and m"},
		"Int.QuoRem": {Effect: into(0, 3), Evidence: "math/big/int.go: sets z and r"},
	}
	for number, methods := range ofNumbers {
		for _, name := range strings.Fields(methods.set) {
			rows[number+"."+name] = set
		}
		for _, name := range strings.Fields(methods.read) {
			rows[number+"."+name] = read
		}
	}
	return rows
}
