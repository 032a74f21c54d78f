package cpds

import "slices"

// Labels returns the labels of the final configurations, each once, in the order
// in which they first occur in the components; just "" if there are none. A
// component with no final configuration of a label that others have takes any of
// its final ones as that.
func (s *System) Labels() []string {
	var labels []string
	for _, c := range s.Components {
		for _, f := range c.Final {
			if f.Label != "" && !slices.Contains(labels, f.Label) {
				labels = append(labels, f.Label)
			}
		}
	}
	if labels == nil {
		labels = []string{""}
	}
	return labels
}
