package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	empire "github.com/empire-go/empire-go"
)

// listValue is a flag value of words separated by commas. Giving the flag again
// adds to it. Empty words are kept: the request rejects them by name.
type listValue []string

func (l *listValue) String() string { return strings.Join(*l, ",") }
func (l *listValue) Type() string   { return "list" }
func (l *listValue) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		*l = append(*l, strings.TrimSpace(word))
	}
	return nil
}

// countValue is a positive number.
type countValue int

func (c *countValue) String() string { return strconv.Itoa(int(*c)) }
func (c *countValue) Type() string   { return "number" }
func (c *countValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no positive number; write one such as 2", text)
	}
	*c = countValue(n)
	return nil
}

// durationValue is a positive duration.
type durationValue time.Duration

func (d *durationValue) String() string {
	if *d == 0 {
		return "" // there is no default
	}
	text := time.Duration(*d).String()
	return strings.TrimSuffix(text, "m0s") + map[bool]string{true: "m"}[strings.HasSuffix(text, "m0s")]
}
func (d *durationValue) Type() string { return "duration" }
func (d *durationValue) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is no positive duration; write one such as 60s or 5m", text)
	}
	*d = durationValue(v)
	return nil
}

// budgetValue is a positive duration, or none.
type budgetValue time.Duration

func (b *budgetValue) String() string {
	if time.Duration(*b) == empire.NoBudget {
		return "none"
	}
	return (*durationValue)(b).String()
}
func (b *budgetValue) Type() string { return "duration" }
func (b *budgetValue) Set(text string) error {
	if text == "none" {
		*b = budgetValue(empire.NoBudget)
		return nil
	}
	if err := (*durationValue)(b).Set(text); err != nil {
		return fmt.Errorf("%q is no positive duration; write one such as 2m, or none", text)
	}
	return nil
}

// sizeValue is a positive number of bytes.
type sizeValue int64

// units of sizes, longest names first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40},
	{"B", 1},
}

func (s *sizeValue) String() string {
	for _, u := range []int{2, 1, 0} {
		if n := int64(*s); n >= sizeUnits[u].bytes && n%sizeUnits[u].bytes == 0 {
			return fmt.Sprintf("%d%s", n/sizeUnits[u].bytes, sizeUnits[u].name)
		}
	}
	return fmt.Sprintf("%dB", int64(*s))
}

func (s *sizeValue) Type() string { return "size" }

func (s *sizeValue) Set(text string) error {
	number, unit := strings.TrimSpace(text), int64(1)
	for _, u := range sizeUnits {
		if n, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = strings.TrimSpace(n), u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	bytes := v * float64(unit)
	if err != nil || !(bytes >= 1) || bytes >= math.MaxInt64 {
		return fmt.Errorf("%q is no size of memory; write one such as 4GiB or 512MiB", text)
	}
	if bytes < 1<<20 {
		return fmt.Errorf("%q is less than any program takes; write a size such as 4GiB or 512MiB", text)
	}
	*s = sizeValue(bytes)
	return nil
}
