package hook

import "sync/atomic"

// pageSet is a set of pages of memory, which may have more in it than was added: pages share bits. Most memory that
// the static half takes for what a field may lead to is nobody's, and that is known here without a look at the heap.
type pageSet [1 << (pageSetBits - 6)]atomic.Uint64

const (
	pageBits    = 13 // of a page's size, which is that of the runtime's
	pageSetBits = 18
)

// ownedPages are those with memory that fields have led to. None is taken out: what is there after that was collected
// is looked for in vain.
var ownedPages pageSet

func (s *pageSet) bit(page uintptr) (word *atomic.Uint64, mask uint64) {
	i := uint64(page) * 0x9e3779b97f4a7c15 >> (64 - pageSetBits)
	return &s[i>>6], 1 << (i & 63)
}

// add adds the pages of so many bytes from an address on.
func (s *pageSet) add(address, size uintptr) {
	for page := address >> pageBits; page <= (address+max(size, 1)-1)>>pageBits; page++ {
		if word, mask := s.bit(page); word.Load()&mask == 0 {
			word.Or(mask)
		}
	}
}

// has tells whether the page of an address may have been added.
func (s *pageSet) has(address uintptr) bool {
	word, mask := s.bit(address >> pageBits)
	return word.Load()&mask != 0
}
