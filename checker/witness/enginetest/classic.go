package enginetest

import (
	"slices"
	"strings"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/cpds"
)

// Classic is a system with a known answer for its one label.
type Classic struct {
	Name   string
	System *cpds.System
	Status checker.Status // the true one
	Word   string         // Common: a shortest word
	Open   bool           // Empty, but no regular languages separate the components
	Counts bool           // Open, but the numbers of actions tell them apart
}

// Classics returns pairs of languages with known intersections.
func Classics() []Classic {
	return []Classic{
		{Name: "balanced and as many closed as opened, one of them too early", System: System(balanced, early),
			Status: checker.Empty, Open: true},
		{Name: "a^n b^n and a^n b^m with m /= n", System: System(nested, unlike), Status: checker.Empty, Open: true,
			Counts: true},
		{Name: "a^n b^n and a^n b^m with m > n", System: System(nested, longer), Status: checker.Empty, Open: true,
			Counts: true},
		{Name: "a^n b^n and a^n b^(n+1), separated by parity", System: System(nested, oneLonger), Status: checker.Empty},
		{Name: "a^n b^n and (a|b)* a", System: System(nested, endsInA), Status: checker.Empty},
		{Name: "a^n b^n and b a*", System: System(nested, beginsWithB), Status: checker.Empty},
		{Name: "a^n b^n and a a a b*", System: System(nested, threeAs), Status: checker.Common, Word: "aaabbb"},
		{Name: "a^n b^n and a a a b b", System: System(nested, threeTwo), Status: checker.Empty},
		{Name: "a^n b^n and a (a a)* b (b b)*", System: System(nested, oddOdd), Status: checker.Common, Word: "ab"},
		{Name: "a^n b^n and a (a a)* b b (b b)*", System: System(nested, oddEven), Status: checker.Empty},
		{Name: "a^n b^n c* and a* b^n c^n and at least 3", System: System(nestedC, nestedBC, threeOfEach),
			Status: checker.Common, Word: "aaabbbccc"},
		{Name: "balanced and a a b b b", System: System(balanced, threeTwoB), Status: checker.Empty},
		{Name: "left recursion is regular", System: System(leftRecursive, endsInA), Status: checker.Common, Word: "a"},
	}
}

var (
	// p main calls f, which is a f b or a b.
	nested = Text{
		Rules:  []string{"p m - p f e", "p f a p f' ", "p f' - p f r", "p f' - p r", "p r b p"},
		Finals: []string{"p e"},
	}
	longer = Text{
		Rules:  []string{"p m - p f l", "p f a p f'", "p f' - p f r", "p f' - p r", "p r b p", "p l b p e", "p l b p l"},
		Finals: []string{"p e"},
	}
	// More b than a, in p, or more a than b, in q.
	unlike = Text{
		Rules: []string{
			"p m - p f l", "p f a p f'", "p f' - p f r", "p f' - p r", "p r b p", "p l b p e", "p l b p l",
			"p m a q m", "q m a q m", "q m - q f e", "q f a q f'", "q f' - q f r", "q f' - q r", "q r b q",
		},
		Finals: []string{"p e", "q e"},
	}
	// As many a as b, in any order: the stack has what is too many of either. Then b, as many
	// of both, a, and as many of both.
	early = Text{
		Rules: slices.Concat(
			[]string{"p z b q z", "q z a r z"}, asMany("p"), asMany("q"), asMany("r")),
		Finals: []string{"r z"},
	}
	oneLonger = Text{
		Rules:  []string{"p m - p f l", "p f a p f'", "p f' - p f r", "p f' - p r", "p r b p", "p l b p e"},
		Finals: []string{"p e"},
	}
	endsInA     = Text{Rules: []string{"p s a p s", "p s b p s", "p s a q s"}, Finals: []string{"q s"}}
	beginsWithB = Text{Rules: []string{"p s b q s", "q s a q s"}, Finals: []string{"q s"}}
	threeAs     = Text{Rules: []string{"p s a q s", "q s a r s", "r s a t s", "t s b t s"}, Finals: []string{"t s"}}
	threeTwo    = Text{Rules: []string{"p s a q s", "q s a r s", "r s a t s", "t s b u s", "u s b v s"},
		Finals: []string{"v s"}}
	threeTwoB = Text{Rules: []string{"p s a q s", "q s a r s", "r s b t s", "t s b u s", "u s b v s"},
		Finals: []string{"v s"}}
	oddOdd = Text{Rules: []string{"p s a q s", "q s a p s", "q s b r s", "r s b t s", "t s b r s"},
		Finals: []string{"r s"}}
	oddEven = Text{Rules: []string{"p s a q s", "q s a p s", "q s b r s", "r s b t s", "t s b r s"},
		Finals: []string{"t s"}}
	nestedC = Text{
		Rules:  []string{"p m - p f c", "p f a p f'", "p f' - p f r", "p f' - p r", "p r b p", "p c c p c"},
		Finals: []string{"p c"},
	}
	nestedBC = Text{
		Rules:  []string{"p m a p m", "p m - p f e", "p f b p f'", "p f' - p f r", "p f' - p r", "p r c p"},
		Finals: []string{"p e"},
	}
	threeOfEach = Text{Rules: []string{"p s a q s", "q s a r s", "r s a t s", "t s a t s", "t s b t s", "t s c t s"},
		Finals: []string{"t s"}}
	balanced      = Text{Rules: []string{"p m - p s e", "p s - p", "p s a p s r", "p r b p s"}, Finals: []string{"p e"}}
	leftRecursive = Text{Rules: []string{"p f - p f g", "p f a p", "p g a p"}, Finals: []string{"p g"}}
)

// asMany are rules by which a control reads as many a as b.
func asMany(control string) (rules []string) {
	for _, r := range []string{"p z a p A z", "p A a p A A", "p A b p", "p z b p B z", "p B b p B B", "p B a p"} {
		rules = append(rules, strings.ReplaceAll(r, "p", control))
	}
	return rules
}
