package hook

import (
	"encoding/binary"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// The environment of a recorded run. The variables are removed before the program can see
// them.
const (
	// EnvTrace is the number of the file descriptor that blocks are written to and, after a
	// comma, of that of a file for slots, and of one with a table of sites by which records are left out; these
	// may be missing.
	EnvTrace = "EMPIRE_TRACE"
	// EnvNoise is the seed of the noise; none: no noise.
	EnvNoise = "EMPIRE_NOISE"
	// EnvWaits is set if it is to be recorded that a goroutine is about to block.
	EnvWaits = "EMPIRE_WAITS"
	// EnvLeaks is the name of a file for the stacks of all goroutines at the end, if the program was built with the
	// runtime's leak profile.
	EnvLeaks = "EMPIRE_LEAKS"
	// CrashSuffix is behind the name of that file in that of one for what the runtime says when it ends the program.
	CrashSuffix = ".crash"
)

var (
	recording  bool // set before the program begins, never again
	announcing bool // operations that are about to block are recorded
	output     struct {
		sync.Mutex // and not spin: a write waits for whoever reads the pipe
		descriptor int
		closed     bool
	}
)

func init() {
	if text, ok := syscall.Getenv(EnvTrace); ok {
		syscall.Unsetenv(EnvTrace)
		blocks, rest := cutComma(text)
		slots, table := cutComma(rest)
		if d, err := strconv.Atoi(table); err == nil {
			readTable(d)
		}
		if d, err := strconv.Atoi(slots); err == nil {
			slotFile.descriptor, slotFile.open = moveDescriptor(d), true
		}
		if d, err := strconv.Atoi(blocks); err == nil {
			openOutput(d)
		}
	}
	if _, ok := syscall.Getenv(EnvWaits); ok {
		syscall.Unsetenv(EnvWaits)
		announcing = true
	}
	if text, ok := syscall.Getenv(EnvNoise); ok {
		syscall.Unsetenv(EnvNoise)
		noiseSeed, _ = strconv.ParseUint(text, 10, 64)
	}
}

func cutComma(text string) (before, after string) {
	for i := range text {
		if text[i] == ',' {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// openOutput moves the descriptor out of the way, so that the program's own files get the
// numbers that they always have.
func openOutput(d int) {
	output.descriptor = moveDescriptor(d)
	recording = true
	platformAtExit(closeOutput)
}

const (
	firstBlock = 64   // records in the first block of a goroutine
	fullBlock  = 1024 // and in later ones
	// lingering is how long a goroutine that is about to block keeps what it has recorded.
	lingering = 10 * time.Millisecond
)

// record appends a record to the block of the goroutine.
func (g *Goroutine) record(op trace.Op, site, object uint32, arg uint64) {
	if g.unput > 0 {
		g.putFrames()
	}
	g.append(op, site, object, arg)
}

// append is record for what does not matter to the frames that are not in the block yet.
func (g *Goroutine) append(op trace.Op, site, object uint32, arg uint64) {
	if g.at == len(g.block) {
		g.full()
	}
	b := g.block[g.at : g.at+trace.RecordSize : len(g.block)]
	binary.LittleEndian.PutUint64(b[8:], arg)
	binary.LittleEndian.PutUint64(b, uint64(op)|uint64(site)<<8|uint64(object)<<32)
	g.at += trace.RecordSize
	g.firm = g.at
}

// full makes room.
func (g *Goroutine) full() {
	size := fullBlock
	if g.block == nil {
		size = firstBlock
	}
	if g.flush(); g.at == len(g.block) {
		g.emptied()
		g.block, g.isSlot = nil, false // a slot that is left as it is
	}
	if size = trace.BlockHeader + size*trace.RecordSize; len(g.block) != size {
		g.freeBlock()
		g.block, g.isSlot = slotFile.take(size)
		g.at = trace.BlockHeader
		g.mark()
	}
}

// mark notes at the beginning of the block whose it is and where it belongs, so that somebody else can
// read it: when the program has died, or while the goroutine keeps it for long.
func (g *Goroutine) mark() {
	binary.LittleEndian.PutUint64(g.block[8:], g.count)
	binary.LittleEndian.PutUint32(g.block[4:], g.number)
}

// flush writes what the goroutine has recorded.
func (g *Goroutine) flush() {
	if g.at <= trace.BlockHeader {
		return
	}
	g.fix()
	trace.SealBlock(g.block[:g.at], g.number, g.count)
	output.Lock()
	isLeft := output.closed && g.isSlot
	if !output.closed {
		output.closed = !writeAll(output.descriptor, g.block[:g.at])
	}
	output.Unlock()
	if isLeft { // the program ends, and whoever reads the slots finds it there
		g.mark()
		return
	}
	binary.LittleEndian.PutUint32(g.block[4:], 0) // nobody's while it is being emptied
	clear(g.block[trace.BlockHeader:g.at])
	g.emptied()
	g.mark()
}

// emptied notes that nothing is in the block any more.
func (g *Goroutine) emptied() {
	g.count = g.recorded()
	g.at, g.firm, g.hardened, g.behind = trace.BlockHeader, trace.BlockHeader, 0, 0
	for _, u := range g.users {
		u.last, u.site = 0, 0
	}
	for i := range g.frames[:len(g.frames)-g.unput] {
		g.frames[i].start, g.frames[i].split, g.frames[i].flushed = trace.BlockHeader, trace.BlockHeader, true
	}
	if len(g.offers) > 0 {
		g.published++ // they may be taken
		g.offers = g.offers[:0]
	}
}

// recorded is how many records the goroutine has made.
func (g *Goroutine) recorded() uint64 {
	return g.count + uint64(max(0, g.at-trace.BlockHeader)/trace.RecordSize)
}

// siteAt is the site of the record at a place in the block.
func (g *Goroutine) siteAt(at int) uint32 { return binary.LittleEndian.Uint32(g.block[at:]) >> 8 }

// linger is called before the goroutine may block for long.
func (g *Goroutine) linger() {
	if len(g.held) > 0 && g.firm <= trace.BlockHeader && g.hardened == 0 {
		return // nobody waits for what may be left out
	}
	if now := platformNow(); now-g.last > int64(lingering) {
		g.last = now
		g.flush()
	}
}

// mayWait comes before an operation that may block without a record of it.
func (g *Goroutine) mayWait() {
	g.speaks()
	g.linger()
}

// waits comes before an operation that blocks.
func (g *Goroutine) waits(op trace.Op, site uint32, p unsafe.Pointer) {
	g.speaks()
	if announcing && !g.off {
		number := uint32(0)
		if p != nil {
			number = g.syncNumber(p)
		}
		g.record(trace.Waits, site, number, uint64(op))
	}
	g.linger()
}

// release gives back the memory of a goroutine that has ended.
func (g *Goroutine) release() {
	if g.flush(); g.at <= trace.BlockHeader {
		g.freeBlock()
	}
}

// writeAll tells whether everything was written: if not, the disk is full or the reader gone.
func writeAll(descriptor int, data []byte) bool {
	for len(data) > 0 {
		n, err := syscall.Write(descriptor, data)
		if err == syscall.EINTR || err == syscall.EAGAIN {
			continue
		}
		if err != nil {
			return false
		}
		data = data[n:]
	}
	return true
}

// beforeClose is done at the end of the program, before its output is closed; nil: nothing.
var beforeClose func()

// closeOutput writes what goroutines have recorded outside of slots, when the program ends. Others may
// still run: what they do from now on is not recorded, and their blocks are only looked at.
func closeOutput() {
	if beforeClose != nil {
		beforeClose()
	}
	output.Lock()
	defer output.Unlock()
	if output.closed {
		return
	}
	output.closed = true
	goroutines.all(func(g *Goroutine) {
		if block, at := g.block, g.at; !g.isSlot && at > trace.BlockHeader && at <= len(block) {
			block = firmOf(block[:at])
			trace.SealBlock(block, g.number, g.count)
			writeAll(output.descriptor, block)
		}
	})
}
