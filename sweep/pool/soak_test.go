//go:build linux

package pool

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/empire-go/empire-go/sweep/child"
)

// TestSoak sweeps again and again for EMPIRE_SOAK, as 30m, while workers, nodes and coordinators are killed, or workers
// stopped for a while, at random. Each table is that of one process, and neither the memory nor the open files of the
// node that lives on grow.
func TestSoak(t *testing.T) {
	limit, err := time.ParseDuration(os.Getenv("EMPIRE_SOAK"))
	if err != nil {
		t.Skip("EMPIRE_SOAK says how long")
	}
	r := newFaultRig(t)
	want, _ := r.alone("none")
	kills := map[string]int{}
	var memory, files []int
	twice, sweeps, coordinators := 0.0, 0, 0
	begin := time.Now()
	for ; time.Since(begin) < limit; sweeps++ {
		p := r.coordinate("--again")
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			r.killAtRandom(stop, kills)
		}()
		if rand.IntN(3) == 0 {
			time.Sleep(time.Second + rand.N(3*time.Second))
			p.kill()
			p = r.coordinate("--again")
			coordinators++
		}
		p.wait(t, 10*time.Minute)
		close(stop)
		<-done
		line := summary.FindString(p.err.String())
		twice += max(figure(line, "twice"), 0)
		if p.out.String() != want || figure(line, "lost") > 0 {
			t.Fatalf("sweep %d: the table is another one: %s\n%s", sweeps, line, tailOf(p.err.String()))
		}
		bytes, open := usage(r.nodes[0].Process.Pid)
		memory, files = append(memory, int(bytes>>20)), append(files, open)
		if sweeps%10 == 0 {
			t.Logf("%.0f minutes: %d sweeps, node 0 has %d MiB and %d open files, kills %v, answered twice %.0f",
				time.Since(begin).Minutes(), sweeps+1, bytes>>20, open, kills, twice)
		}
	}
	t.Logf("%s: %d sweeps of %d queries, all tables right, kills %v, of coordinators %d, answered twice %.0f",
		time.Since(begin), sweeps, r.parts, kills, coordinators, twice)
	third := len(memory) / 3
	if third < 5 {
		return
	}
	for what, all := range map[string][]int{"MiB": memory, "open files": files} {
		first, last := median(all[third/2:third+third/2]), median(all[len(all)-third:])
		t.Logf("node 0: %d %s in the first third, %d in the last", first, what, last)
		if last > first+first/4+10 {
			t.Errorf("node 0: %s grow from %d to %d", what, first, last)
		}
	}
}

func median(all []int) int {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// killAtRandom kills processes until it is told to stop. All are there again then. Node 0 lives on.
func (r *faultRig) killAtRandom(stop chan struct{}, kills map[string]int) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(500*time.Millisecond + rand.N(4*time.Second)):
		}
		i := rand.IntN(4)
		switch n := rand.IntN(10); {
		case n < 6:
			kills["worker"]++
			r.workers[i].kill()
			r.work(i)
		case n < 8:
			kills["stopped"]++
			r.workers[i].Process.Signal(syscall.SIGSTOP)
			time.Sleep(r.silence * 3 / 2)
			r.workers[i].Process.Signal(syscall.SIGCONT)
		default:
			i = 1 + rand.IntN(2)
			kills["node"]++
			r.nodes[i].kill()
			time.Sleep(time.Second)
			r.start(i)
		}
	}
}

// usage returns the resident size of a process in bytes, and how many files it has open.
func usage(pid int) (memory int64, files int) {
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)) // of a process that is gone there are none
	return child.ResidentSize(pid), len(open)
}
