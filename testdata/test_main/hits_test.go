package hits_test

import (
	"fmt"
	"os"
	"testing"

	hits "github.com/empire-go/empire-go/testdata/test_main"
)

// page is made before the tests run, and shared by those that are parallel.
var page *hits.Page

func TestMain(m *testing.M) {
	page = hits.New()
	os.Exit(m.Run())
}

func TestVisit(t *testing.T) {
	t.Parallel()
	page.Visit("ann")
}

func TestPerVisitor(t *testing.T) {
	t.Parallel()
	if got := page.PerVisitor(); got < 0 {
		t.Errorf("%d visits per visitor", got)
	}
}

// BenchmarkVisit has goroutines that share a page of its own.
func BenchmarkVisit(b *testing.B) {
	shared := hits.New()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			shared.Visit("bob")
			shared.PerVisitor()
		}
	})
}

func ExamplePage_PerVisitor() {
	alone := hits.New()
	alone.Visit("cid")
	fmt.Println(alone.PerVisitor())
	// Output: 1
}

func FuzzVisit(f *testing.F) {
	f.Add("dan", 2)
	f.Fuzz(func(t *testing.T, who string, n int) {
		fuzzed := hits.New()
		for range min(n, 10) {
			fuzzed.Visit(who)
		}
		if n > 0 && fuzzed.PerVisitor() == 0 {
			t.Error("no visits")
		}
	})
}
