package pipeline

import "slices"

// Harms are the values of Harm.Status, the worst first.
var Harms = []string{HarmSeen, HarmPossible, HarmUnknown, HarmNone}

// Severity is the place of a harm among Harms: 0 is the worst. Where nobody has looked for harm,
// h is nil, and nothing is known.
func (h *Harm) Severity() int {
	if h == nil || !slices.Contains(Harms, h.Status) {
		return slices.Index(Harms, HarmUnknown)
	}
	return slices.Index(Harms, h.Status)
}

// Severity is that of a data race. One that counts is at least possible, and no race is harmless.
func (r *Race) Severity() int {
	if r.Level == "error" {
		return min(r.Harm.Severity(), slices.Index(Harms, HarmPossible))
	}
	return min(r.Harm.Severity(), slices.Index(Harms, HarmUnknown))
}
