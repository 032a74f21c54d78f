package modref

// ObjectBit is the member of such a set for star k itself.
func ObjectBit(k int) uint { return 1 << (2 * k) }

// ContentsBit is the member for what star k's fields lead to.
func ContentsBit(k int) uint { return 2 << (2 * k) }
