package relevance

// maxQuestions bounds the questions that are told apart between two looks.
const maxQuestions = 8

// truths is a set of answers to questions: bit i is set if it may be that the questions whose
// bits are set in i are answered yes, and the others no.
type truths [1 << maxQuestions / 64]uint64

// all is what is known when nothing is.
func all() (t truths) { return t.complement() }

// yes is what is known when the question is answered yes.
func yes(question int) (t truths) {
	for i := range 1 << maxQuestions {
		if i>>question&1 == 1 {
			t[i/64] |= 1 << (i % 64)
		}
	}
	return t
}

func (t truths) complement() truths {
	for i := range t {
		t[i] = ^t[i]
	}
	return t
}

func (t truths) and(u truths) truths {
	for i := range t {
		t[i] &= u[i]
	}
	return t
}

func (t truths) or(u truths) truths {
	for i := range t {
		t[i] |= u[i]
	}
	return t
}

func (t truths) isEmpty() bool { return t == truths{} }

// implies tells whether what is known implies that the answers are among u.
func (t truths) implies(u truths) bool { return t.and(u) == t }

// without is what is known when the answer to the question is not.
func (t truths) without(question int) (free truths) {
	for i := range 1 << maxQuestions {
		if t[i/64]>>(i%64)&1 == 1 {
			other := i ^ 1<<question
			free[i/64] |= 1 << (i % 64)
			free[other/64] |= 1 << (other % 64)
		}
	}
	return free
}

// answer is what is known of the questions where a condition is true, and where it is not; where
// it asks something else, too, it may be either.
type answer struct{ yes, no truths }

func unknown() answer { return answer{all(), all()} }

func constantly(is bool) answer {
	if is {
		return answer{yes: all()}
	}
	return answer{no: all()}
}

func (a answer) negatedIf(negated bool) answer {
	if negated {
		return answer{a.no, a.yes}
	}
	return a
}

// choose is the answer to one question where a is true, and to another one where it is not.
func (a answer) choose(then, otherwise answer) answer {
	return answer{
		yes: a.yes.and(then.yes).or(a.no.and(otherwise.yes)),
		no:  a.yes.and(then.no).or(a.no.and(otherwise.no)),
	}
}

// isDecided tells whether it follows from what is known.
func (a answer) isDecided(known truths) bool {
	return known.and(a.yes).isEmpty() || known.and(a.no).isEmpty()
}

// with adds one of the answers to what is known. Where that says otherwise, it is of an earlier
// look, and no longer counts.
func (a answer) with(known, answers truths) truths {
	if sum := known.and(answers); !sum.isEmpty() {
		return sum
	}
	return a.forgottenIn(known).and(answers)
}

// forgottenIn is what is known without the questions that the answer is about.
func (a answer) forgottenIn(known truths) truths {
	for _, question := range a.questions() {
		known = known.without(question)
	}
	return known
}

// questions returns those that the answer is about.
func (a answer) questions() (about []int) {
	for i := range maxQuestions {
		if a.yes.without(i) != a.yes || a.no.without(i) != a.no {
			about = append(about, i)
		}
	}
	return about
}
