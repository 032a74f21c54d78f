// Package trace is the record of a run: what an instrumented program writes down, and
// how it is read back in one order.
package trace

// This file is the byte layout. It uses the standard library only and nothing of the rest
// of the package, because it is compiled into instrumented programs too (FormatSource).

import (
	"encoding/binary"
	"hash/crc32"
)

// Op says what a record is about.
type Op uint8

// The operations. "Versioned" ones take the next version of their object (0, 1, 2, ...)
// in Arg: this is what orders the records of different goroutines. An operation that
// waits (Lock, Recv, Wait, ...) takes its version after it has succeeded, one that lets
// others go on (Unlock, Send, Done, ...) before it is carried out.
const (
	_ Op = iota

	// Accesses to a location. Object owns the atomic set, Site names the field. Versioned.
	Read
	Write
	RMW // indivisible
	AtomicRead
	AtomicWrite

	// Frames of units of work. Not versioned.
	UnitBegin // Object: the receiver, or 0 for a function that is a unit on any object
	UnitWith  // Object joins the unit that this goroutine has just begun
	UnitSplit // the innermost unit with object 0 ends here and the next one begins
	UnitEnd   // the innermost frame ends

	// Synchronisation. Object is the synchronisation object. Versioned.
	Lock
	Unlock
	RLock
	RUnlock
	TryLockFailed
	Add  // WaitGroup.Add
	Done // WaitGroup.Done
	Wait // WaitGroup.Wait has returned
	Send
	Recv
	Close
	OnceBegin // the function of a sync.Once is called
	OnceEnd   // it has returned
	OnceDone  // Do has returned without calling it
	CondWait  // Cond.Wait has returned
	Signal
	Broadcast

	// Goroutines. Not versioned: a Start waits for the Go that announces it.
	Go    // Arg: the new goroutine
	Start // the first record of a goroutine; Arg: who started it, 0 if nobody recorded it
	End   // the last record of a goroutine

	// Objects.
	ObjectMade // Object exists from here on, Site names its type. Not versioned.
	// Object, or if it is 0 all that this goroutine has made, can be reached by others from here on.
	// Not versioned.
	Escape
	ObjectGone // Object is no more: Arg is the version after its last one. Not versioned; comes when that one has come.

	// A select may send on Object: the record stands before the select, which makes a Send of it
	// if that case is chosen, Declined if not. What stays an Offer is not known. Versioned.
	Offer
	Declined

	// In a reduced trace: accesses of this goroutine have been left out since it last let others go on. Not
	// versioned.
	Worked

	// For those who need all that a run has done. Versioned, but for Yield.
	Prewait  // Cond.Wait is about to release its lock; CondWait follows
	Presend  // a send on a channel without room is about to meet its receive; Postsend follows
	Postsend // it has met it
	Yield    // a yield annotation

	// For those who ask who waits at the end. Arg: the operation on Object that is about to block, 0 for a select, of
	// which Object is 0. What comes next in the goroutine says that it did not block for ever. Not versioned.
	Waits
	Room // Arg: how many messages the channel Object holds; before its first Send. Not versioned.

	opEnd
)

// In a reduced trace a version is the epoch, which is how many changes of the object there have been, and below that
// how many looks at it since the last one. A look that is LateVersion may come at any time in its epoch: its goroutine
// has kept it back, behind later records, as long as it could still be left out, and that others look at the object
// meanwhile must not order what else they do. For the same reason what is done to different sets of an object is in
// different orders, of which there are MaxOrders: that of the set among those of its type, as far as these go. The end
// of an object has that in place of a site.
const (
	// EpochBits is how many bits count looks. What comes when they are all set is not counted.
	EpochBits = 24
	// MaxOrders is how many orders an object has.
	MaxOrders = 4
	// LateVersion is a bit of the version of a look.
	LateVersion = 1 << 63
	// NoVersion is that of a record of a lock that is in no order with those of other goroutines.
	NoVersion = 1<<64 - 1
)

// IsLook tells whether an access changes nothing.
func (op Op) IsLook() bool { return op == Read || op == AtomicRead }

// NextVersion is the version behind an operation that has taken one, in a reduced trace.
func NextVersion(op Op, version uint64) uint64 {
	switch {
	case !op.IsLook():
		return version>>EpochBits<<EpochBits + 1<<EpochBits
	case ^version<<(64-EpochBits) == 0:
		return version
	}
	return version + 1
}

// Bits of the operation. Soft is only in memory: the record may still be left out, and an operation that is
// versioned has no version yet. Shared is in a reduced trace: several goroutines have accessed the object.
const (
	Soft   Op = 0x80
	Shared Op = 0x40
)

// ReducedSite is what a program that leaves accesses out has to know of a site.
type ReducedSite struct {
	Set      uint16 // from 1; 0: none
	Field    uint8  // in the set
	Flags    uint8
	Function uint32 // that the site is in, from 1
	Order    uint8  // which of the orders of an object its records are in
	Token    uint8  // by which a read here is forgotten, below 64; 0: it is not
	Forgets  uint64 // the tokens of the reads that do not matter from here on, as bits
	Like     uint64 // if it has a token, those of the reads that stand for one here: see units.Reduction
}

// Flags of a ReducedSite.
const (
	SitePlain       = 1 << iota // all that counts of an access is its kind, its field, and what it forgets
	SiteKnown                   // the static half knows of the access
	SiteStatic                  // it is to a package variable
	SiteMethod                  // of a frame: on its receiver
	SiteConstructor             // of a frame: on what it makes
	SiteDirect                  // of a frame: on what it accesses itself
	SiteCounts                  // plain, but that all accesses at the site are indivisible increments
	SiteMixed                   // there are such sites of the set
)

// MaxPlain is how many fields of a set a program can tell apart when it leaves accesses out.
const MaxPlain = 32

// ReducedSiteSize is the size of a ReducedSite in bytes.
const ReducedSiteSize = 26

// AppendReducedSite appends a site to a table of sites.
func AppendReducedSite(dst []byte, s ReducedSite) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, s.Set)
	dst = binary.LittleEndian.AppendUint32(append(dst, s.Field, s.Flags, s.Order), s.Function)
	dst = binary.LittleEndian.AppendUint64(append(dst, s.Token), s.Forgets)
	return binary.LittleEndian.AppendUint64(dst, s.Like)
}

// GetReducedSite is the site in the first ReducedSiteSize bytes of src.
func GetReducedSite(src []byte) ReducedSite {
	return ReducedSite{Set: binary.LittleEndian.Uint16(src), Field: src[2], Flags: src[3], Order: src[4],
		Function: binary.LittleEndian.Uint32(src[5:]), Token: src[9], Forgets: binary.LittleEndian.Uint64(src[10:]),
		Like: binary.LittleEndian.Uint64(src[18:])}
}

// Record is one step of one goroutine.
type Record struct {
	Op     Op
	Site   uint32 // where, by the table in the header; below 1<<24
	Object uint32 // numbers begin at 1; 0 is none
	Arg    uint64 // the version of Object, or as Op says
}

// Versioned says whether Arg is the version of Object.
func (op Op) Versioned() bool {
	return op >= Read && op <= AtomicWrite || op >= Lock && op <= Broadcast || op >= Offer && op <= Declined ||
		op >= Prewait && op <= Postsend
}

// A file is Magic, the format's version (4 bytes), the length of the header and its
// CRC-32C (4 bytes each), the header (JSON, see Header), and blocks. All numbers are
// little endian. A block is
//
//	0   4  blockMark
//	4   4  goroutine; numbers begin at 1
//	8   8  sequence number of the first record, in its goroutine, from 0
//	16  4  number of records, 1 to MaxBlock
//	20  4  CRC-32C of bytes 0 to 19 and of the records
//	24     records of RecordSize bytes: op (1), site (3), object (4), argument (8)
//
// Blocks of one goroutine come in the order of their sequence numbers, and the beginning of one
// may come before, as a block of its own; apart from that blocks come in any order. A file that was kept until its
// program had ended has a block of goroutine 0 at its end.
const (
	Magic       = "EMPTRACE"
	Version     = 1
	RecordSize  = 16
	BlockHeader = 24
	MaxBlock    = 4096

	blockMark  = 0x4b4c42e5 // "\xe5BLK"
	fileHeader = len(Magic) + 12
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendFileHeader appends the beginning of a file; header is JSON.
func AppendFileHeader(dst, header []byte) []byte {
	dst = append(dst, Magic...)
	dst = binary.LittleEndian.AppendUint32(dst, Version)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(header)))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(header, castagnoli))
	return append(dst, header...)
}

// PutRecord stores a record in the first RecordSize bytes of dst.
func PutRecord(dst []byte, r Record) {
	_ = dst[15]
	binary.LittleEndian.PutUint64(dst, uint64(r.Op)|uint64(r.Site&0xffffff)<<8|uint64(r.Object)<<32)
	binary.LittleEndian.PutUint64(dst[8:], r.Arg)
}

// GetRecord is the record in the first RecordSize bytes of src.
func GetRecord(src []byte) Record {
	_ = src[15]
	w := binary.LittleEndian.Uint64(src)
	return Record{Op: Op(w), Site: uint32(w) >> 8, Object: uint32(w >> 32), Arg: binary.LittleEndian.Uint64(src[8:])}
}

// SealBlock completes a block: its records stand from byte BlockHeader on to the end.
func SealBlock(block []byte, goroutine uint32, first uint64) {
	_ = block[BlockHeader-1]
	binary.LittleEndian.PutUint32(block, blockMark)
	binary.LittleEndian.PutUint32(block[4:], goroutine)
	binary.LittleEndian.PutUint64(block[8:], first)
	binary.LittleEndian.PutUint32(block[16:], uint32((len(block)-BlockHeader)/RecordSize))
	binary.LittleEndian.PutUint32(block[20:], blockSum(block))
}

// blockSum is the checksum of a whole block.
func blockSum(block []byte) uint32 {
	return crc32.Update(crc32.Checksum(block[:20], castagnoli), castagnoli, block[BlockHeader:])
}
