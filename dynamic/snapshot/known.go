package snapshot

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// known walks what package sync and others keep in ways of their own. It returns false for
// everything else.
func (w *walker) known(path string, t reflect.Type, v reflect.Value) bool {
	p := v.Addr().UnsafePointer()
	switch t.PkgPath() {
	case "sync":
		return w.sync(path, t, v, p)
	case "sync/atomic":
		return w.atomic(path, t, v, p)
	case "time":
		switch t.Name() {
		case "Time":
			w.line(path, (*time.Time)(p).UTC().Format(time.RFC3339Nano))
			return true
		case "Location", "Timer", "Ticker":
			return true
		}
	}
	return opaque[t.PkgPath()+"."+t.Name()]
}

// opaque are types whose insides say nothing about a program.
var opaque = map[string]bool{
	"os.File": true, "math/rand.Rand": true, "math/rand.rngSource": true, "math/rand.runtimeSource": true,
	"math/rand/v2.Rand": true, "math/rand/v2.PCG": true, "math/rand/v2.ChaCha8": true,
	"reflect.rtype": true, "internal/abi.Type": true, "hash/maphash.Seed": true, "hash/maphash.Hash": true,
	"unique.Handle": true, "weak.Pointer": true, "regexp.Regexp": true,
}

func (w *walker) sync(path string, t reflect.Type, v reflect.Value, p unsafe.Pointer) bool {
	switch t.Name() {
	case "Mutex":
		m := (*sync.Mutex)(p)
		w.lock(path, m.TryLock, m.Unlock)
	case "RWMutex":
		m := (*sync.RWMutex)(p)
		if readers := v.FieldByName("readerCount"); readers.IsValid() && !isZero(readers) && m.TryRLock() {
			m.RUnlock()
			w.line(path, "locked by readers: "+strconv.FormatInt(number(readers), 10))
			break
		}
		w.lock(path, m.TryLock, m.Unlock)
	case "Once":
		text := "not done"
		if *(*byte)(p) != 0 {
			text = "done"
		}
		w.line(path, text)
	case "WaitGroup":
		if state := v.FieldByName("state"); state.IsValid() {
			w.line(path, strconv.Itoa(int(int32(uint64(number(state))>>32))))
		}
	case "Cond":
		l := v.FieldByName("L")
		w.walk(path+".L", l.Type(), l.Addr().UnsafePointer())
	case "Pool":
	case "Map":
		var all []entry
		(*sync.Map)(p).Range(func(key, value any) bool {
			all = append(all, entry{key: boxed(key), value: boxed(value)})
			return true
		})
		w.entries(path, all)
	default:
		return false
	}
	return true
}

// boxed returns a value in an interface.
func boxed(v any) reflect.Value {
	box := reflect.New(reflect.TypeFor[any]()).Elem()
	if v != nil {
		box.Set(reflect.ValueOf(v))
	}
	return box
}

// lock says whether a lock is held, by trying to take it.
func (w *walker) lock(path string, try func() bool, unlock func()) {
	text := "locked"
	if try() {
		unlock()
		text = "not locked"
	}
	w.line(path, text)
}

// number returns the number in a struct of package sync/atomic, or one that is a number.
func number(v reflect.Value) int64 {
	for v.Kind() == reflect.Struct {
		inner := v.FieldByName("v")
		if !inner.IsValid() {
			if inner = v.FieldByName("u"); !inner.IsValid() {
				return 0
			}
		}
		v = inner
	}
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	}
	return 0
}

func isZero(v reflect.Value) bool { return number(v) == 0 }

func (w *walker) atomic(path string, t reflect.Type, v reflect.Value, p unsafe.Pointer) bool {
	name, _, _ := strings.Cut(t.Name(), "[")
	switch name {
	case "Bool":
		w.line(path, strconv.FormatBool((*atomic.Bool)(p).Load()))
	case "Int32", "Int64", "Uint32", "Uint64", "Uintptr":
		if f := v.FieldByName("v"); name == "Uintptr" {
			w.line(path, "an address")
		} else {
			w.line(path, basic(f))
		}
	case "Pointer":
		w.pointer(path, t.Field(0).Type.Elem().Elem(), atomic.LoadPointer((*unsafe.Pointer)(p))) // its field _ [0]*T
	case "Value":
		value := boxed((*atomic.Value)(p).Load())
		w.copied(path, value)
	default:
		return false
	}
	return true
}
