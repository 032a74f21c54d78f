package knowledge

// The effects of several functions.
var (
	reads  = Effect{Reads: true}
	writes = Effect{Reads: true, Writes: true}

	atomicRead   = Effect{Reads: true, Atomic: true, First: true}
	atomicWrite  = Effect{Writes: true, Atomic: true, First: true}
	atomicChange = Effect{Reads: true, Writes: true, Atomic: true, First: true}
	atomicTry    = Effect{Reads: true, Writes: true, Atomic: true, First: true, MayFail: true}
)

// synchronisation is package sync. Each method of its containers is one indivisible access
// to the field that the container is. What a Pool hands out is any of its items, so that
// its operations commute like increments.
var synchronisation = table{
	"sync": {
		"Cond.Broadcast": {Cond: Broadcast},
		"Cond.Signal":    {Cond: Signal},
		"Cond.Wait":      {Cond: CondWait},

		"Map.Clear":            {Container: MapClear, Effect: atomicWrite},
		"Map.CompareAndDelete": {Container: MapCompareAndDelete, Effect: atomicTry},
		"Map.CompareAndSwap":   {Container: MapCompareAndSwap, Effect: atomicTry},
		"Map.Delete":           {Container: MapDelete, Effect: atomicWrite},
		"Map.Load":             {Container: MapLoad, Effect: atomicRead},
		"Map.LoadAndDelete":    {Container: MapLoadAndDelete, Effect: atomicChange},
		"Map.LoadOrStore":      {Container: MapLoadOrStore, Effect: atomicChange},
		"Map.Range": {Container: MapRange,
			Effect: Effect{Reads: true, Atomic: true, First: true, CallsBack: true}},
		"Map.Store": {Container: MapStore, Effect: atomicWrite},
		"Map.Swap":  {Container: MapSwap, Effect: atomicChange},

		"Mutex.Lock":    {Lock: Lock},
		"Mutex.TryLock": {Lock: TryLock},
		"Mutex.Unlock":  {Lock: Unlock},

		"NewCond": {Makes: NewCond, Wraps: true},

		"Once.Do":     {Once: true, Wraps: true},
		"Once.doSlow": {Wraps: true},
		"OnceFunc":    {Makes: NewOnce, Wraps: true},
		"OnceValue":   {Makes: NewOnce, Wraps: true},
		"OnceValues":  {Makes: NewOnce, Wraps: true},

		"Pool.Get": {Container: PoolGet,
			Effect: Effect{Reads: true, Writes: true, Atomic: true, First: true, Commutes: true, CallsBack: true}},
		"Pool.Put": {Container: PoolPut,
			Effect: Effect{Reads: true, Writes: true, Atomic: true, First: true, Commutes: true}},

		"RWMutex.Lock":     {Lock: Lock, Shared: true},
		"RWMutex.RLock":    {Lock: RLock, Shared: true},
		"RWMutex.RLocker":  {Makes: ReadLocker, Wraps: true},
		"RWMutex.RUnlock":  {Lock: RUnlock, Shared: true},
		"RWMutex.TryLock":  {Lock: TryLock, Shared: true},
		"RWMutex.TryRLock": {Lock: TryRLock, Shared: true},
		"RWMutex.Unlock":   {Lock: Unlock, Shared: true},

		"WaitGroup.Add":  {Group: Add},
		"WaitGroup.Done": {Group: Done},
		"WaitGroup.Go":   {Group: Go, Wraps: true},
		"WaitGroup.Wait": {Group: Wait},

		"poolDequeue.popHead":  {Audited: true, Evidence: "sync/poolqueue.go: slots hold what pushHead has put there"},
		"poolDequeue.popTail":  {Audited: true, Evidence: "sync/poolqueue.go: slots hold what pushHead has put there"},
		"poolDequeue.pushHead": {Audited: true, Evidence: "sync/poolqueue.go: an eface is what an interface is"},
		"poolRaceAddr":         {Audited: true, Evidence: "sync/pool.go: the address is for the race detector only"},

		"rlocker.Lock":   {Lock: RLock, Shared: true},
		"rlocker.Unlock": {Lock: RUnlock, Shared: true},
	},
}

// extended is the modules golang.org/x/sync.
var extended = table{
	"golang.org/x/sync/errgroup": {
		"Group.Go":       {Group: Go, Wraps: true},
		"Group.SetLimit": {Group: SetLimit},
		"Group.TryGo":    {Group: TryGo, Wraps: true},
		"Group.Wait":     {Group: Wait},
		"WithContext":    {Makes: NewGroup, Wraps: true},
	},
	"golang.org/x/sync/semaphore": {
		"NewWeighted":         {Makes: NewSemaphore, Wraps: true},
		"Weighted.Acquire":    {Semaphore: Lock},
		"Weighted.Release":    {Semaphore: Unlock},
		"Weighted.TryAcquire": {Semaphore: TryLock},
	},
	"golang.org/x/sync/singleflight": {
		"Group.Do":     {Flight: Do},
		"Group.DoChan": {Flight: FlightElse},
		"Group.Forget": {Flight: FlightElse},
	},
}

// atomics is package sync/atomic: the functions, as LoadInt32, and the methods of its
// types. Those through which pointers go have rows of their own.
var atomics = table{
	"sync/atomic": {
		"Add*":            {Atomic: AtomicAdd, Effect: atomicAdd},
		"And*":            {Atomic: AtomicAnd, Effect: atomicChange},
		"CompareAndSwap*": {Atomic: AtomicCompareAndSwap, Effect: atomicTry},
		"Load*":           {Atomic: AtomicLoad, Effect: atomicRead},
		"Or*":             {Atomic: AtomicOr, Effect: atomicChange},
		"Store*":          {Atomic: AtomicStore, Effect: atomicWrite},
		"Swap*":           {Atomic: AtomicSwap, Effect: atomicChange},

		"CompareAndSwapPointer": {Atomic: AtomicCompareAndSwap, Effect: atomicTry, Flow: FlowCompareAndSwap},
		"LoadPointer":           {Atomic: AtomicLoad, Effect: atomicRead, Flow: FlowLoad},
		"StorePointer":          {Atomic: AtomicStore, Effect: atomicWrite, Flow: FlowStore},
		"SwapPointer":           {Atomic: AtomicSwap, Effect: atomicChange, Flow: FlowSwap},

		"Pointer.CompareAndSwap": {Atomic: AtomicCompareAndSwap, Effect: atomicTry, Flow: FlowCompareAndSwap},
		"Pointer.Load":           {Atomic: AtomicLoad, Effect: atomicRead, Flow: FlowLoad},
		"Pointer.Store":          {Atomic: AtomicStore, Effect: atomicWrite, Flow: FlowStore},
		"Pointer.Swap":           {Atomic: AtomicSwap, Effect: atomicChange, Flow: FlowSwap},

		"Value.CompareAndSwap": {Atomic: AtomicCompareAndSwap, Effect: atomicTry, Flow: FlowCompareAndSwap},
		"Value.Load":           {Atomic: AtomicLoad, Effect: atomicRead, Flow: FlowLoad},
		"Value.Store":          {Atomic: AtomicStore, Effect: atomicWrite, Flow: FlowStore},
		"Value.Swap":           {Atomic: AtomicSwap, Effect: atomicChange, Flow: FlowSwap},
	},
}

var atomicAdd = Effect{Reads: true, Writes: true, Atomic: true, First: true, Adds: true}
