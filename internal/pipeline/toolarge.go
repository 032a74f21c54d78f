package pipeline

import (
	"context"
	"errors"

	"github.com/empire-go/empire-go/limit"
)

// What lowering has made when it passes the share of a query is lost. So it is not tried with a share that a model has
// passed which is like the one in question, and no larger: that waits for the next round.

// triedLike is what models that are alike have in common: their program, their detail, and the share of the budget with
// which they are lowered.
type triedLike struct {
	entry  string
	detail detail
	share  limit.Work
}

func (a *analysis) triedLike(ctx context.Context, m model) triedLike {
	left, _ := limit.Left(ctx)
	return triedLike{a.entry.Name, m.detail, left + limit.Spent(ctx)}
}

// tooLarge is the size of the last model that has passed the share, in instructions that are kept. As larger ones are
// not tried, it is the smallest one.
type tooLarge map[triedLike]int

func (t tooLarge) has(like triedLike, m model) bool {
	least, isKnown := t[like]
	return isKnown && m.kept.KeptInstructions >= least
}

// note notes how lowering has ended.
func (t *tooLarge) note(like triedLike, m model, err error) {
	late := new(limitError)
	if !errors.As(err, &late) || late.bound != limit.ErrBudget {
		return
	}
	if *t == nil {
		*t = tooLarge{}
	}
	(*t)[like] = m.kept.KeptInstructions
}
