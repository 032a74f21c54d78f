// Package main hands functions and objects to the standard library, which runs and
// returns them. TestRun requires what it does.
package main

import (
	"bufio"
	"bytes"
	"container/heap"
	"container/list"
	"container/ring"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"log"
	"maps"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"text/template"
	"time"
	"unsafe"
)

type item struct {
	rank int
	next *item
}

func (i *item) String() string               { return "item" + strconv.Itoa(i.rank) }
func (i *item) Write(p []byte) (int, error)  { i.rank += len(p); return len(p), nil }
func (i *item) Read(p []byte) (int, error)   { i.rank++; return 0, io.EOF }
func (i *item) Close() error                 { i.next = nil; return nil }
func (i *item) MarshalJSON() ([]byte, error) { return []byte(strconv.Itoa(i.rank)), nil }
func (i *item) Next() *item                  { return i.next }
func (i *item) Is(err error) bool            { return err == io.EOF }
func (i *item) Error() string                { return "item" }
func (i *item) As(target any) bool {
	if p, ok := target.(**path); ok {
		*p = &path{i}
		return true
	}
	return false
}

type path struct{ at *item }

func (p *path) Error() string { return "path" }

func use(all ...*item) {
	for _, i := range all {
		if i != nil {
			i.rank++
		}
	}
}

type queue []*item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].rank < q[j].rank }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*item)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func containers() {
	q := queue{{rank: 3}, {rank: 2}}
	heap.Init(&q)
	heap.Push(&q, &item{rank: 1})
	q[0].rank = 9
	heap.Fix(&q, 0)
	use(heap.Remove(&q, 1).(*item), heap.Pop(&q).(*item), q[0])
	l := list.New()
	e := l.PushFront(&item{rank: 4})
	l.InsertAfter(&item{rank: 5}, e)
	l.MoveToBack(e)
	other := list.New()
	other.PushFrontList(l)
	for e := other.Front(); e != nil; e = e.Next() {
		use(e.Value.(*item))
	}
	use(l.Remove(e).(*item), e.Value.(*item))
	r := ring.New(3)
	for i := range r.Len() {
		r.Value = &item{rank: i}
		r = r.Next()
	}
	r.Move(1).Do(func(v any) { use(v.(*item)) })
	s := ring.New(1)
	s.Value = &item{rank: 6}
	use(r.Link(s).Value.(*item), s.Prev().Value.(*item), r.Unlink(1).Value.(*item))
}

func sorting() {
	all := []*item{{rank: 3}, {rank: 1}, {rank: 2}}
	sort.SliceStable(all, func(i, j int) bool { return all[i].rank < all[j].rank })
	sort.Stable(sort.Reverse(queue(all)))
	slices.SortStableFunc(all, func(a, b *item) int { return a.rank - b.rank })
	i := slices.IndexFunc(all, func(i *item) bool { return i.rank == 2 })
	use(all[i])
	k, _ := sort.Find(len(all), func(i int) int { return 2 - all[i].rank })
	use(all[k], all[sort.Search(len(all), func(i int) bool { return all[i].rank > 1 })])
	sorted := slices.SortedFunc(slices.Values(all), func(a, b *item) int { return b.rank - a.rank })
	use(sorted[0], slices.MaxFunc(sorted, func(a, b *item) int { return a.rank - b.rank }))
	for _, chunk := range slices.Collect(slices.Chunk(all, 2)) {
		use(chunk...)
	}
	for _, i := range slices.Backward(slices.Grow(slices.Repeat(all, 2), 1)) {
		use(i)
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(i *item) bool { return i.rank == 1 })
	kept = slices.CompactFunc(kept, func(a, b *item) bool { return a == b })
	kept = slices.Replace(kept, 0, 1, &item{rank: 7}, &item{rank: 8})
	use(kept...)
	m := map[string]*item{"a": all[0], "b": {rank: 9}}
	maps.Insert(m, maps.All(map[string]*item{"c": {rank: 10}}))
	maps.Copy(m, map[string]*item{"d": {rank: 11}})
	for _, k := range slices.Sorted(maps.Keys(m)) {
		use(m[k])
	}
	next, stop := iter.Pull(maps.Values(m))
	v, _ := next()
	use(v)
	stop()
	same := slices.EqualFunc(all, kept, func(a, b *item) bool { return a == b })
	fmt.Fprintln(io.Discard, same, slices.ContainsFunc(kept, func(i *item) bool { return i == v }))
}

func text() {
	seen := &item{}
	count := func(r rune) rune { seen = &item{rank: int(r), next: seen}; return r }
	strings.Map(count, "ab")
	strings.FieldsFunc("a b", func(r rune) bool { use(seen); return r == ' ' })
	bytes.IndexFunc([]byte("ab"), func(r rune) bool { count(r); return false })
	for part := range strings.SplitSeq("a,b", ",") {
		seen = &item{rank: len(part), next: seen}
	}
	strings.TrimLeftFunc("x", func(r rune) bool { use(seen.next); return true })
	scanner := bufio.NewScanner(strings.NewReader("one two"))
	scanner.Split(func(data []byte, end bool) (int, []byte, error) {
		use(seen)
		return bufio.ScanWords(data, end)
	})
	for scanner.Scan() {
		use(seen)
	}
	var sink io.Writer = seen
	w := bufio.NewWriter(io.MultiWriter(sink, io.Discard))
	fmt.Fprintf(w, "%v %s", seen, []any{&item{rank: 12}, fmt.Stringer(&item{rank: 13})})
	w.Flush()
	io.Copy(sink, io.TeeReader(io.MultiReader(&item{rank: 14}, strings.NewReader("x")), &item{rank: 15}))
	logger := log.New(&item{rank: 16}, "", 0)
	logger.Print(&item{rank: 17})
	set := flag.NewFlagSet("x", flag.ContinueOnError)
	set.Func("f", "", func(string) error { use(seen); return nil })
	set.Parse([]string{"-f", "x"})
	r, pipe := io.Pipe()
	go func() { pipe.CloseWithError(&item{rank: 18}) }()
	_, err := r.Read(make([]byte, 1))
	use(err.(*item))
}

type shared struct {
	m     sync.Map
	v     atomic.Value
	p     atomic.Pointer[item]
	u     unsafe.Pointer
	pool  sync.Pool
	cond  *sync.Cond
	ready *item
}

func sharing() {
	s := &shared{pool: sync.Pool{New: func() any { return &item{rank: 19} }}}
	s.m.Store(1, &item{rank: 20})
	old, _ := s.m.Swap(1, &item{rank: 21})
	use(old.(*item))
	now, _ := s.m.Load(1)
	s.m.CompareAndSwap(1, now, &item{rank: 22})
	was, _ := s.m.LoadOrStore(2, &item{rank: 23})
	use(was.(*item))
	last, _ := s.m.LoadAndDelete(1)
	use(last.(*item))
	s.m.CompareAndDelete(2, was)
	s.m.Store(&item{rank: 24}, 1)
	s.m.Range(func(k, v any) bool { use(k.(*item)); return true })
	s.m.Clear()
	s.v.Store(&item{rank: 25})
	use(s.v.Swap(&item{rank: 26}).(*item))
	v := s.v.Load()
	s.v.CompareAndSwap(v, &item{rank: 27})
	use(s.v.Load().(*item))
	use(s.p.Swap(&item{rank: 28}))
	i := s.p.Load()
	s.p.CompareAndSwap(i, &item{rank: 29})
	use(i, s.p.Load())
	atomic.StorePointer(&s.u, unsafe.Pointer(&item{rank: 30}))
	use((*item)(atomic.LoadPointer(&s.u)), (*item)(atomic.SwapPointer(&s.u, unsafe.Pointer(&item{rank: 31}))))
	atomic.CompareAndSwapPointer(&s.u, s.u, unsafe.Pointer(&item{rank: 32}))
	use((*item)(s.u))
	one := s.pool.Get().(*item)
	s.pool.Put(&item{rank: 33})
	use(one, s.pool.Get().(*item))
	s.cond = sync.NewCond(new(sync.Mutex))
	go func() {
		s.cond.L.Lock()
		s.ready = &item{rank: 34}
		s.cond.L.Unlock()
		s.cond.Broadcast()
	}()
	s.cond.L.Lock()
	for s.ready == nil {
		s.cond.Wait()
	}
	use(s.ready)
	s.cond.L.Unlock()
	once := sync.OnceValue(func() *item { return &item{rank: 35} })
	use(once(), once())
	sync.OnceFunc(func() { use(s.ready) })()
	var group sync.WaitGroup
	group.Go(func() { use(s.p.Load()) })
	group.Wait()
}

func waiting() {
	type key struct{}
	ctx, cancel := context.WithTimeoutCause(context.WithValue(context.Background(), key{}, &item{rank: 36}), time.Millisecond, &item{rank: 37})
	defer cancel()
	<-ctx.Done()
	use(ctx.Value(key{}).(*item), context.Cause(ctx).(*item))
	after := make(chan *item, 1)
	stop := context.AfterFunc(context.WithoutCancel(ctx), func() {})
	stop()
	timer := time.AfterFunc(0, func() { after <- &item{rank: 38} })
	use(<-after)
	timer.Reset(time.Hour)
	timer.Stop()
	<-time.NewTimer(time.Microsecond).C
	<-time.After(time.Microsecond)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	fmt.Fprintln(io.Discard, <-signals)
}

func failing() {
	err := fmt.Errorf("a: %w", errors.Join(io.ErrUnexpectedEOF, &item{rank: 39}))
	var found *item
	if errors.As(err, &found) {
		use(found)
	}
	var p *path
	if errors.As(err, &p) {
		use(p.at)
	}
	if i, ok := errors.AsType[*item](err); ok {
		use(i)
	}
	if i, ok := errors.AsType[*path](err); ok {
		use(i.at)
	}
	fmt.Fprintln(io.Discard, errors.Is(err, io.EOF), err)
}

type document struct {
	Name  string
	Items []*item
}

type service struct{ last *item }

func (s *service) Handle(i *item) *item { s.last = i; return &item{rank: 40, next: i} }
func (s *service) Ready() bool          { return s.last != nil }
func (s service) Count() int            { return s.last.rank }

func reflecting() {
	s := &service{}
	called := reflect.ValueOf(s.Handle).Call([]reflect.Value{reflect.ValueOf(&item{rank: 41})})
	use(called[0].Interface().(*item), s.last)
	reflect.ValueOf(s).MethodByName("Handle").Call([]reflect.Value{reflect.ValueOf(&item{rank: 42})})
	reflect.ValueOf(s).MethodByName("Ready").Call(nil)
	for i := range reflect.TypeOf(*s).NumMethod() {
		reflect.ValueOf(*s).Method(i).Call(nil)
	}
	use(s.last)
	direct := reflect.ValueOf(func(i *item, more ...*item) { use(append(more, i)...) })
	direct.Call([]reflect.Value{reflect.ValueOf(&item{rank: 43}), reflect.ValueOf(&item{rank: 44})})
	text, err := json.Marshal(&item{rank: 45})
	fmt.Fprintln(io.Discard, string(text), err)
	fmt.Fprintln(io.Discard, &document{Items: []*item{{rank: 47}}}, document{Items: []*item{{rank: 48}}}, map[string][1]*item{"a": {{rank: 49}}})
	text, err = json.Marshal(struct{ Of *document }{&document{"a", []*item{{rank: 50}}}})
	fmt.Fprintln(io.Discard, string(text), err)
	t := template.Must(template.New("").Funcs(template.FuncMap{"rank": func(i *item) int { return i.rank }}).Parse("{{rank .}}"))
	t.Execute(io.Discard, &item{rank: 46})
}

func main() {
	containers()
	sorting()
	text()
	sharing()
	waiting()
	failing()
	reflecting()
}
