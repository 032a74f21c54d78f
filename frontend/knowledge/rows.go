package knowledge

// What rows say.
var (
	nothing   = Effect{}
	encoding  = Effect{Reads: true, Deep: true}
	calling   = Effect{Reads: true, Writes: true, Deep: true, Into: 1 << 3}
	reading   = Effect{Reads: true, All: true}
	readsData = Effect{Reads: true, Bytes: true, Alone: true}
	// fillsParts fills its third argument part by part.
	fillsParts   = Effect{Reads: true, Writes: true, All: true, Rest: true, Fills: true, Repeats: true, Into: 1 << 2}
	decodesParts = Effect{Reads: true, Writes: true, All: true, Fills: true, Repeats: true, Into: 1 << 2, Alone: true}
	fillsData    = Effect{Writes: true, Bytes: true, Alone: true}
)

// into is the effect of a function that reads its arguments, and writes those at the
// positions, from 0 on.
func into(positions ...int) Effect {
	e := Effect{Reads: true, Writes: true, All: true, Alone: true}
	for _, i := range positions {
		e.Into |= 1 << i
	}
	return e
}

// filling is into of a function that looks at nothing that was there before.
func filling(positions ...int) Effect {
	e := into(positions...)
	e.Fills = true
	return e
}

// packageRows is what every function without body of a package does: its parameters have
// the names res, out or z for what is written, and in, a, x and so on for what is read.
var packageRows = map[string]row{
	"crypto/internal/fips140/nistec":             {into(0), "p256_asm.go: each is declared with its result first, res"},
	"crypto/internal/fips140/edwards25519/field": {into(0), "fe_amd64.go: out is first"},
	"crypto/internal/fips140/bigmod":             {into(0), "nat_asm.go, as in nat_noasm.go: z is first"},
	"math/big":                                   {into(0), "arith_decl.go, as in arith.go: z is first"},
	"crypto/internal/fips140/sha256":             {into(0), "sha256block_asm.go, as blockGeneric: dig is first"},
	"crypto/internal/fips140/sha512":             {into(0), "sha512block_asm.go, as blockGeneric: dig is first"},
	"crypto/md5":                                 {into(0), "md5block_decl.go, as blockGeneric: dig is first"},
	"crypto/sha1":                                {into(0), "sha1block_amd64.go, as blockGeneric: dig is first"},
	"crypto/internal/fips140/sha3":               {into(0), "keccakf.go: there is only the state"},
	"hash/crc32":                                 {reading, "crc32_amd64.go: the results are the sums"},
	"internal/bytealg":                           {reading, "bytealg.go and its neighbours: they compare and count"},
	"internal/chacha8rand":                       {into(1), "chacha8.go: block fills blocks"},
	"crypto/internal/fips140/subtle":             {into(0), "xor_asm.go, as xor_generic.go: dst is first"},

	"vendor/golang.org/x/crypto/internal/poly1305": {into(0), "sum_asm.go, as updateGeneric: state is first"},
	"vendor/golang.org/x/crypto/chacha20poly1305":  {into(0), "chacha20poly1305_amd64.go: dst is first"},
	"golang.org/x/crypto/internal/poly1305":        {into(0), "as the vendored one"},
	"golang.org/x/crypto/chacha20poly1305":         {into(0), "as the vendored one"},
}

// rows is what is known of single opaque functions, and of those that make a system call
// with what they are handed, by ssa.Function.String.
var rows = map[string]row{
	"encoding/binary.Append": {into(0), "encoding/binary/binary.go: reads data, appends to buf"},
	"encoding/binary.Decode": {
		decodesParts, "encoding/binary/binary.go: assigns to each part of data what is in buf"},
	"encoding/binary.Encode": {into(0), "encoding/binary/binary.go: reads data, fills buf"},
	"encoding/binary.Read": {
		fillsParts, "encoding/binary/binary.go: assigns to each part of data what it has read into a buffer of its own"},
	"encoding/binary.Size": {reading, "encoding/binary/binary.go: looks at types, and at the length of slices"},
	"encoding/binary.Write": {
		Effect{Reads: true, All: true, Rest: true}, "encoding/binary/binary.go: reads data into a buffer of its own"},
	"encoding/asn1.Marshal": {
		encoding, "encoding/asn1/marshal.go: assigns only to what it makes by reflect.New"},
	"encoding/asn1.MarshalWithParams": {
		encoding, "encoding/asn1/marshal.go: assigns only to what it makes by reflect.New"},
	"(*net/rpc.Client).Call": {
		calling, "net/rpc/client.go: the codec decodes into reply, before Call returns"},
	"(*net/rpc.Client).Go": {
		calling, "net/rpc/client.go: the codec decodes into reply, until the call is done"},
	"(*crypto/tls.QUICConn).HandleData":            {readsData, "crypto/tls/quic.go: appends the data to a buffer"},
	"crypto/subtle.XORBytes":                       {into(0), "crypto/subtle/xor.go: dst is first"},
	"crypto/internal/fips140/subtle.XORBytes":      {into(0), "crypto/internal/fips140/subtle/xor.go: dst is first"},
	"crypto/internal/fips140/aes.encryptBlockAsm":  {into(2), "aes_asm.go: nr, xk, dst, src"},
	"crypto/internal/fips140/aes.decryptBlockAsm":  {into(2), "aes_asm.go: nr, xk, dst, src"},
	"crypto/internal/fips140/aes.expandKeyAsm":     {into(2, 3), "aes_asm.go: nr, key, enc, dec"},
	"crypto/internal/fips140/aes.ctrBlocks1Asm":    {into(2), "ctr_asm.go: nr, xk, dst, src"},
	"crypto/internal/fips140/aes.ctrBlocks2Asm":    {into(2), "ctr_asm.go: nr, xk, dst, src"},
	"crypto/internal/fips140/aes.ctrBlocks4Asm":    {into(2), "ctr_asm.go: nr, xk, dst, src"},
	"crypto/internal/fips140/aes.ctrBlocks8Asm":    {into(2), "ctr_asm.go: nr, xk, dst, src"},
	"crypto/internal/fips140/aes/gcm.gcmAesInit":   {into(0), "gcm_asm.go: productTable, ks"},
	"crypto/internal/fips140/aes/gcm.gcmAesData":   {into(2), "gcm_asm.go: productTable, data, T"},
	"crypto/internal/fips140/aes/gcm.gcmAesEnc":    {into(1, 3, 4), "gcm_asm.go: productTable, dst, src, ctr, T, ks"},
	"crypto/internal/fips140/aes/gcm.gcmAesDec":    {into(1, 3, 4), "gcm_asm.go: productTable, dst, src, ctr, T, ks"},
	"crypto/internal/fips140/aes/gcm.gcmAesFinish": {into(2), "gcm_asm.go: productTable, tagMask, T"},
	"crypto/internal/fips140hash.sha3Unwrap": {
		nothing, "crypto/sha3/sha3.go: fips140hash_sha3Unwrap returns a field"},
	"crypto/internal/boring/bcache.registerCache": {
		nothing, "runtime/mgc.go: boring_registerCache keeps the address, and clears the cache at a collection"},
	"hash/maphash.runtime_memhash":   {reading, "runtime/alg.go: memhash"},
	"internal/bytealg.MakeNoZero":    {nothing, "runtime/slice.go: bytealg_MakeNoZero"},
	"internal/abi.FuncPCABI0":        {nothing, "internal/abi/funcpc.go: the address of a function"},
	"internal/abi.FuncPCABIInternal": {nothing, "internal/abi/funcpc.go: the address of a function"},
	"internal/godebug.write":         {reading, "runtime/time_nofake.go: write"},
	"internal/poll.runtime_Semacquire": {
		nothing, "runtime/sema.go: the semaphore of an internal/poll.fdMutex, which guards itself"},
	"internal/poll.runtime_Semrelease": {
		nothing, "runtime/sema.go: the semaphore of an internal/poll.fdMutex, which guards itself"},
	"internal/synctest.associate":                  {nothing, "runtime/synctest.go: the address is a key"},
	"internal/synctest.disassociate":               {nothing, "runtime/synctest.go: the address is a key"},
	"internal/synctest.isAssociated":               {nothing, "runtime/synctest.go: the address is a key"},
	"internal/synctest.inBubble":                   {nothing, "runtime/synctest.go: calls the function"},
	"internal/synctest.release":                    {nothing, "runtime/synctest.go: the value is a bubble"},
	"iter.coroswitch":                              {nothing, "runtime/coro.go: a switch of goroutines"},
	"internal/fmtsort.Sort":                        {reading, "internal/fmtsort/sort.go: it compares what is in a map"},
	"internal/fmtsort.compare":                     {reading, "internal/fmtsort/sort.go: it compares what is in a map"},
	"maps.clone":                                   {Effect{Reads: true}, "runtime/map.go: maps_clone copies the map"},
	"runtime/pprof.runtime_setProfLabel":           {nothing, "runtime/proflabel.go: keeps labels, which never change"},
	"runtime/pprof.runtime_FrameStartLine":         {reading, "runtime/symtab.go: returns a field"},
	"runtime/pprof.runtime_FrameSymbolName":        {reading, "runtime/symtab.go: returns a name"},
	"runtime/pprof.runtime_expandFinalInlineFrame": {reading, "runtime/symtab.go: returns a new slice"},
	"runtime/pprof.pprof_fpunwindExpand":           {into(0), "runtime/tracestack.go: dst is first"},
	"syscall.hasWaitingReaders": {
		nothing, "sync/rwmutex.go: syscall_hasWaitingReaders looks at a lock"},
	"syscall.runtimeClearenv": {
		reading, "runtime/runtime.go: syscall_runtimeClearenv ranges over the map"},
	"testing/cryptotest.randSetTestingReader": {
		nothing, "crypto/internal/rand/rand.go: SetTestingReader keeps the reader"},
	"testing/cryptotest.testingCheckParallel": {nothing, "testing/testing.go: asks the test"},
	"testing/synctest.testingSynctestTest":    {nothing, "testing/testing.go: runs the function"},
	"time.newTimer": {
		nothing, "time/sleep.go: keeps the argument for the function, as the points-to analysis knows"},
	"time.resetTimer":                  {nothing, "runtime/time.go: a timer guards itself"},
	"time.stopTimer":                   {nothing, "runtime/time.go: a timer guards itself"},
	"weak.runtime_registerWeakPointer": {nothing, "runtime/mheap.go: getOrAddWeakHandle notes the address"},
	"weak.runtime_makeStrongFromWeak":  {nothing, "runtime/mheap.go: returns the address"},
	"runtime.KeepAlive":                {nothing, "runtime/mfinal.go: has no code"},
	"runtime.SetFinalizer": {
		nothing, "runtime/mfinal.go: notes the address, as the points-to analysis knows"},
	"runtime.AddCleanup": {
		nothing, "runtime/mcleanup.go: notes the address, as the points-to analysis knows"},
	"(runtime.Cleanup).Stop":   {nothing, "runtime/mcleanup.go: forgets the address"},
	"(*runtime.Func).Name":     {nothing, "runtime/symtab.go: what it is called on never changes"},
	"(*runtime.Func).Entry":    {nothing, "runtime/symtab.go: what it is called on never changes"},
	"(*runtime.Func).FileLine": {nothing, "runtime/symtab.go: what it is called on never changes"},
	"runtime.CallersFrames": {
		reading, "runtime/symtab.go: keeps the slice, and copies the first callers"},
	"(*runtime.TypeAssertionError).Error":        {nothing, "runtime/error.go: what it is called on never changes"},
	"(*runtime.TypeAssertionError).RuntimeError": {nothing, "runtime/error.go: has no code"},
	"(*runtime.PanicNilError).Error":             {nothing, "runtime/panic.go: returns a constant"},
	"(*runtime.PanicNilError).RuntimeError":      {nothing, "runtime/panic.go: has no code"},
	"(*runtime.Pinner).Pin":                      {nothing, "runtime/pinner.go: notes the address"},
	"(*runtime.Pinner).Unpin":                    {nothing, "runtime/pinner.go: forgets the addresses"},
	"internal/syscall/unix.SendtoInet4":          {readsData, "syscall/syscall_unix.go: sendtoInet4"},
	"internal/syscall/unix.SendtoInet6":          {readsData, "syscall/syscall_unix.go: sendtoInet6"},
	"internal/syscall/unix.SendmsgNInet4":        {readsData, "syscall/syscall_unix.go: sendmsgNInet4"},
	"internal/syscall/unix.SendmsgNInet6":        {readsData, "syscall/syscall_unix.go: sendmsgNInet6"},
	"internal/syscall/unix.Utimensat":            {reading, "syscall/syscall_linux.go: utimensat takes times"},
	"syscall.Statfs":                             {filling(1), "syscall/zsyscall_linux_amd64.go: SYS_STATFS fills buf"},
	"syscall.Fstatfs":                            {filling(1), "syscall/zsyscall_linux_amd64.go: SYS_FSTATFS fills buf"},
	"syscall.Uname":                              {filling(0), "syscall/zsyscall_linux_amd64.go: SYS_UNAME fills buf"},
	"syscall.Sysinfo": {
		filling(0), "syscall/zsyscall_linux_amd64.go: SYS_SYSINFO fills info"},
	"syscall.Getrusage": {
		filling(1), "syscall/zsyscall_linux_amd64.go: SYS_GETRUSAGE fills rusage"},
	"syscall.write":         {readsData, "syscall/zsyscall_linux_amd64.go: SYS_WRITE"},
	"syscall.pwrite":        {readsData, "syscall/zsyscall_linux_amd64.go: SYS_PWRITE64"},
	"syscall.read":          {fillsData, "syscall/zsyscall_linux_amd64.go: SYS_READ"},
	"syscall.pread":         {fillsData, "syscall/zsyscall_linux_amd64.go: SYS_PREAD64"},
	"syscall.Setxattr":      {readsData, "syscall/zsyscall_linux_amd64.go: SYS_SETXATTR"},
	"syscall.Sethostname":   {readsData, "syscall/zsyscall_linux_amd64.go: SYS_SETHOSTNAME"},
	"syscall.Setdomainname": {readsData, "syscall/zsyscall_linux_amd64.go: SYS_SETDOMAINNAME"},
	"syscall.Mlock": {
		nothing, "syscall/zsyscall_linux_amd64.go: SYS_MLOCK changes no bytes"},
	"syscall.Munlock": {
		nothing, "syscall/zsyscall_linux_amd64.go: SYS_MUNLOCK changes no bytes"},
	"syscall.Mprotect": {
		nothing, "syscall/zsyscall_linux_amd64.go: SYS_MPROTECT changes no bytes"},
	"syscall.Settimeofday":         {reading, "syscall/zsyscall_linux_amd64.go: SYS_SETTIMEOFDAY"},
	"syscall.EpollCtl":             {reading, "syscall/zsyscall_linux_amd64.go: SYS_EPOLL_CTL"},
	"syscall.bind":                 {reading, "syscall/zsyscall_linux_amd64.go: SYS_BIND"},
	"syscall.connect":              {reading, "syscall/zsyscall_linux_amd64.go: SYS_CONNECT"},
	"syscall.setsockopt":           {reading, "syscall/zsyscall_linux_amd64.go: SYS_SETSOCKOPT"},
	"syscall.utimensat":            {reading, "syscall/zsyscall_linux_amd64.go: SYS_UTIMENSAT"},
	"golang.org/x/sys/unix.write":  {readsData, "unix/zsyscall_linux.go: SYS_WRITE"},
	"golang.org/x/sys/unix.pwrite": {readsData, "unix/zsyscall_linux_amd64.go: SYS_PWRITE64"},
	"golang.org/x/sys/unix.read":   {fillsData, "unix/zsyscall_linux.go: SYS_READ"},
	"golang.org/x/sys/unix.pread":  {fillsData, "unix/zsyscall_linux_amd64.go: SYS_PREAD64"},
}
