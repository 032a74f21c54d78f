package instrument

import (
	"go/importer"
	"go/types"
	"strings"
	"testing"
)

// TestHandsOver is which functions of packages that are done with what they are given put it
// where others find it.
func TestHandsOver(t *testing.T) {
	from := importer.Default()
	for name, want := range map[string]bool{
		"sync.Map.Store": true, "sync.Map.Load": false, "sync.Map.CompareAndSwap": true, "sync.Map.CompareAndDelete": false,
		"sync.Pool.Put": true, "time.AfterFunc": true, "time.NewTimer": false, "runtime.SetFinalizer": true,
		"runtime.AddCleanup": true, "runtime.KeepAlive": false, "reflect.Value.Send": true, "reflect.Value.Set": false,
		"reflect.Select": true, "sort.Slice": false,
	} {
		parts := strings.Split(name, ".")
		pkg, err := from.Import(parts[0])
		if err != nil {
			t.Fatal(err)
		}
		obj := pkg.Scope().Lookup(parts[1])
		if len(parts) == 3 {
			obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, pkg, parts[2])
		}
		if got := handsOver(obj.(*types.Func)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestMethodHooks is the hooks of methods of package sync; what golang.org/x/sync does with
// groups has none.
func TestMethodHooks(t *testing.T) {
	pkg, err := importer.Default().Import("sync")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]syncMethod{
		"Mutex.Lock": {"Lock", "lock"}, "Mutex.TryLock": {"TryLock", "trylock"}, "RWMutex.Lock": {"WLock", "lock"},
		"RWMutex.TryLock": {"TryWLock", "trylock"}, "RWMutex.TryRLock": {"TryRLock", "trylock"},
		"RWMutex.RUnlock": {"RUnlock", "runlock"},
		"WaitGroup.Go":    {"GoGroup", "go"}, "WaitGroup.Done": {"Done", "done"}, "Cond.Wait": {"CondWait", "wait"},
		"Cond.Broadcast": {"Broadcast", "broadcast"}, "Once.Do": {"Once", "once"}, "RWMutex.RLocker": {}, "Map.Load": {},
	} {
		typ, method, _ := strings.Cut(name, ".")
		obj, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup(typ).Type(), true, pkg, method)
		if got, _ := methodHook(obj.(*types.Func)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
