package limit

import (
	"os"
	"strconv"
	"strings"
)

// PeakMiB returns the largest resident size of the process so far, 0 where the
// operating system does not tell.
func PeakMiB() float64 {
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
