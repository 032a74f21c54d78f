package notes

import "github.com/empire-go/empire-go/esl"

// AddSetters gives each process that may set a flag that stands for a value a copy more for each:
// two goroutines may do something because a third one has set it.
func AddSetters(p *esl.Program, values map[int]bool) {
	for i := range p.Processes {
		q := &p.Processes[i]
		if q.Copies == 1 {
			continue
		}
		set := map[int]bool{}
		for st := range p.StatementsFrom(q.Entry) {
			if st.Op == esl.Set && values[st.Arg] {
				set[st.Arg] = true
			}
		}
		if len(set) > 0 {
			q.Copies = max(q.Copies, 2+len(set))
		}
	}
}
