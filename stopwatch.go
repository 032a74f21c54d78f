package empire

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// stopwatch adds up the time spent in the stages.
type stopwatch struct{ spent map[string]time.Duration }

func (s *stopwatch) set(stage string, d time.Duration) {
	if s.spent == nil {
		s.spent = map[string]time.Duration{}
	}
	s.spent[stage] += d
}

// since adds the time since begin to a stage.
func (s *stopwatch) since(stage string, begin time.Time) { s.set(stage, time.Since(begin)) }

// timings returns the times in milliseconds.
func (s *stopwatch) timings() *Timings {
	ms := func(stage string) float64 {
		return float64(s.spent[stage].Round(10*time.Microsecond)) / float64(time.Millisecond)
	}
	return &Timings{
		Load: ms("load"), SSA: ms("ssa"), PointsTo: ms("base") + ms("refine"), Base: ms("base"), Refine: ms("refine"),
		Reduce: ms("reduce"), Lower: ms("lower"), Check: ms("check"), Total: ms("total"),
	}
}

// peakMiB returns the largest resident size of the process so far, 0 where the
// operating system does not tell.
func peakMiB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				return 0
			}
			return kib / 1024
		}
	}
	return 0
}
