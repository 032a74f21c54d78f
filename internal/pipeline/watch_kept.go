package pipeline

import (
	"context"
	"encoding/json"

	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/internal/answers"
)

// keptPlan is a plan of what to watch with the directory that its positions are relative to.
type keptPlan struct {
	Plan json.RawMessage
	Root string
}

// Watch returns the plan of what to watch for a request, and the directory of the main module. Where the request has a
// store of answers, a plan of earlier is found without loading anything, as long as the text of all sources that it
// depends on is the same. One that lacks facts for want of time or memory is not kept: next time there may be enough.
func Watch(ctx context.Context, r Request) (*watch.Plan, string, error) {
	key, tree := "", (*answers.Tree)(nil)
	if r.Answers != nil {
		if t, err := answers.ReadTree(r.Dir, r.Packages); err == nil {
			tree, key = t, r.Answers.Key("watch", watch.Schema, string(marshal(r)), t.Text())
		}
	}
	if tree != nil {
		kept := keptPlan{}
		if r.Answers.GetJSON(key, &kept) {
			if plan, err := watch.Decode(kept.Plan); err == nil {
				return plan, kept.Root, nil
			}
		}
	}
	session, err := Open(ctx, r)
	if err != nil {
		return nil, "", err
	}
	_, root := session.ModuleRoot()
	w, err := session.watch(ctx, r)
	if err != nil {
		return nil, "", err
	}
	plan := w.plan
	if tree != nil && !w.isRushed {
		if text, err := plan.Encode(); err == nil && tree.IsUnchanged() {
			r.Answers.PutJSON(key, keptPlan{text, root})
		}
	}
	return plan, root, nil
}
