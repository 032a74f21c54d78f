// Package main: this file is added to instrumented programs. It writes to the
// file named by OBSERVATIONS which functions are entered from where, and at which
// sites the objects were allocated that expressions refer to, each once.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// observed holds what was seen. Objects are never freed, so that addresses stay theirs.
var observed struct {
	sync.Mutex
	file    *os.File
	written map[string]bool
	objects []observedObject // by address
}

type observedObject struct {
	begin, end uintptr
	site       int
	keep       unsafe.Pointer
}

// observeLine writes a line, if it is new. The caller has the lock.
func observeLine(format string, arguments ...any) {
	line := fmt.Sprintf(format, arguments...)
	if observed.written == nil {
		observed.written = map[string]bool{}
		observed.file, _ = os.OpenFile(os.Getenv("OBSERVATIONS"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	}
	if !observed.written[line] {
		observed.written[line] = true
		fmt.Fprintln(observed.file, line)
	}
}

// observeEnter is called at the entry of each function.
func observeEnter(function int) {
	pc := make([]uintptr, 1)
	frame := runtime.Frame{Function: "runtime.goexit"}
	if runtime.Callers(3, pc) > 0 {
		frame, _ = runtime.CallersFrames(pc).Next()
	}
	observed.Lock()
	defer observed.Unlock()
	observeLine("enter\t%d\t%s:%d\t%s", function, frame.File, frame.Line, frame.Function)
	if first, second := observedCallers(); second != "" {
		observeLine("chain\t%d\t%s\t%s", function, first, second)
	}
}

// observedCallers returns where the two functions of the program are that have led to the entry of one, each FILE:LINE
// of a call; "" where there are not two, or reflection or the runtime system is in between.
func observedCallers() (first, second string) {
	pc := make([]uintptr, 32)
	pc = pc[:runtime.Callers(4, pc)]
	self, observer, _, _ := runtime.Caller(0)
	prefix, _, _ := strings.Cut(runtime.FuncForPC(self).Name(), "observedCallers")
	frames := runtime.CallersFrames(pc)
	for more := len(pc) > 0; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if frame.File == observer || strings.HasPrefix(frame.Function, "reflect.") ||
			strings.HasPrefix(frame.Function, "runtime.") {
			return "", ""
		}
		if !strings.HasPrefix(frame.Function, prefix) || filepath.Dir(frame.File) != filepath.Dir(observer) {
			continue
		}
		at := fmt.Sprintf("%s:%d", frame.File, frame.Line)
		if first != "" {
			return first, at
		}
		first = at
	}
	return "", ""
}

// observedMemory returns where the memory that v refers to begins, and its size.
func observedMemory(v reflect.Value) (unsafe.Pointer, uintptr) {
	switch v.Kind() {
	case reflect.Pointer:
		return v.UnsafePointer(), v.Type().Elem().Size()
	case reflect.Slice:
		return v.UnsafePointer(), uintptr(v.Cap()) * v.Type().Elem().Size()
	case reflect.Map, reflect.Chan:
		return v.UnsafePointer(), 1
	case reflect.UnsafePointer:
		return v.UnsafePointer(), 0
	}
	return nil, 0
}

// observedAt returns the first object that ends behind the address.
func observedAt(address uintptr) int {
	i, _ := slices.BinarySearchFunc(observed.objects, address, func(o observedObject, a uintptr) int {
		if o.end <= a {
			return -1
		}
		return 1
	})
	return i
}

// observeNew records that v refers to what the site has allocated.
func observeNew[T any](site int, v T) T {
	memory, size := observedMemory(reflect.ValueOf(any(v)))
	if memory == nil || size == 0 {
		return v
	}
	observed.Lock()
	defer observed.Unlock()
	begin := uintptr(memory)
	i := observedAt(begin)
	if i == len(observed.objects) || observed.objects[i].begin > begin { // else append found room
		observed.objects = slices.Insert(observed.objects, i, observedObject{begin, begin + size, site, memory})
	}
	return v
}

// observe records what an expression refers to.
func observe[T any](expression int, v T) T {
	memory, _ := observedMemory(reflect.ValueOf(any(v)))
	if memory == nil {
		return v
	}
	observed.Lock()
	defer observed.Unlock()
	address := uintptr(memory)
	if i := observedAt(address); i < len(observed.objects) && observed.objects[i].begin <= address {
		observeLine("see\t%d\t%d", expression, observed.objects[i].site)
	}
	return v
}
