// Package rules is the precision rules of the front end, as data: what each lets the model
// leave out, and why no run of the program is lost by that. A rule is a claim about every run;
// where it is in doubt, it does not apply, and the model has more runs than the program.
//
// The analyses that the rules are made of are the rooms beside this package (see package
// frontend/lower for how they meet). A Record notes which rules a model rests on, and which ones
// a bound has switched off.
package rules

import "sync"

// Rule is one precision rule.
type Rule struct {
	Name   string // as a result names it: "rests on: joins, private memory"
	Claim  string // what is taken for granted where it applies, in one sentence
	Reason string // why that is sound
	Bound  string // beyond which it is switched off; empty if there is none
	Room   string // the package that finds it out

	Case     string // the program under testdata that needs it
	NearMiss string // the one that it must not take: it looks alike, and has a violation
}

// The rules, in the order of the table.
var (
	Joins = &Rule{
		Name:  "joins",
		Claim: "Wait of a wait group returns only when every goroutine that was started for the group is done.",
		Reason: "All operations on the group are known, each goroutine calls Done once as its last act, and Add has " +
			"counted it before it was started.",
		Room: "order", Case: "fork_join_fixed", NearMiss: "read_before_join",
	}
	ChannelJoins = &Rule{
		Name:  "channel joins",
		Claim: "Who has received as often as goroutines were started, or from each channel, goes on when all are done.",
		Reason: "Each goroutine sends once, or closes its channel, as its last act, and nobody else sends to the channel " +
			"or receives from it.",
		Room: "order", Case: "channel_join_count_fixed", NearMiss: "channel_join_count",
	}
	Gates = &Rule{
		Name:  "gates",
		Claim: "A wait group for a few goroutines that are started once each is a flag for each of them.",
		Reason: "Each flag is set by Done and by nothing else, so that Wait passes exactly when the goroutines that were " +
			"started have set theirs.",
		Bound: "four goroutines", Room: "order", Case: "ready_and_done_fixed", NearMiss: "gate_opened_by_third",
	}
	Once = &Rule{
		Name:  "once",
		Claim: "The function handed to Once.Do runs once, and every Do returns after it.",
		Reason: "It is evident which Once each call is on, no call on it is left out of the model, and the Once is never " +
			"assigned anew.",
		Room: "order", Case: "once_value_fixed", NearMiss: "once_again",
	}
	OneWayFlags = &Rule{
		Name:   "one-way flags",
		Claim:  "Who finds a boolean field true comes after who has set it, and nobody finds it false afterwards.",
		Reason: "Every store to the field in the program, once others can reach it, stores true.",
		Room:   "order", Case: "ready_too_early_fixed", NearMiss: "ready_too_early",
	}
	PrivateMemory = &Rule{
		Name:  "private memory",
		Claim: "What is done to memory that no other goroutine can reach yet interferes with nothing.",
		Reason: "No pointer to it was stored in shared memory, sent, captured by a go statement or handed to what is not " +
			"followed, on any path to the access.",
		Room: "fresh", Case: "late_setup_fixed", NearMiss: "map_published_first",
	}
	FrozenContents = &Rule{
		Name:   "frozen contents",
		Claim:  "A read of contents that nobody writes once others can reach them interferes with nothing.",
		Reason: "Every store to them in the program is made while they are private.",
		Room:   "fresh", Case: "snapshot_swapped_fixed", NearMiss: "snapshot_swapped",
	}
	SettledFields = &Rule{
		Name:  "settled fields",
		Claim: "To read a field that nobody writes once others can reach the object gives the same value at any time.",
		Reason: "Every store to the field in the program is made while the object is private; what is done to the memory " +
			"that it leads to still counts.",
		Room: "ownership", Case: "delegated_store_fixed", NearMiss: "replaced_store",
	}
	CompletedResults = &Rule{
		Name:  "completed results",
		Claim: "Who has waited for an object's own wait group or channel reads fields that are filled in for good.",
		Reason: "One function, which runs once for each object, fills them in before it signals, and every other access " +
			"comes after a wait for the signal of the same object.",
		Room: "ownership", Case: "result_waited_for_fixed", NearMiss: "result_filled_twice",
	}
	HandedOver = &Rule{
		Name:   "handed over",
		Claim:  "Who takes an object out of a channel or pool is the only one to have it since it was put in.",
		Reason: "Everybody puts in only what he has made or taken out before, once, and keeps no pointer to it.",
		Bound:  "four calls between", Room: "ownership", Case: "handed_through_channel_fixed",
		NearMiss: "handed_through_channel",
	}
	ElementsOnce = &Rule{
		Name:   "elements once",
		Claim:  "A loop over a slice or map comes to the isolated object in one iteration at most.",
		Reason: "One instruction in the program makes it an element, each time of a new object, and nothing copies elements.",
		Room:   "ownership", Case: "handed_out_twice_fixed", NearMiss: "handed_out_twice",
	}
	TakenContents = &Rule{
		Name:  "taken contents",
		Claim: "Who has put something new in the place of what a field held has the old contents alone.",
		Reason: "Nothing but the field and local variables ever leads to what it holds, and nothing is put back that was " +
			"taken. (What is appended to it without the lock of who takes it may put it back: that loses an update of the " +
			"field, which is a violation by itself.)",
		Bound: "64 fields", Room: "ownership", Case: "buffer_taken_fixed", NearMiss: "buffer_taken",
	}
	OwnElements = &Rule{
		Name:  "elements of its own",
		Claim: "Goroutines that a loop starts access different elements of one array.",
		Reason: "All that they do with it is in the function with which they begin, with an index that no other one has. " +
			"(What the elements lead to they may read elsewhere.)",
		Room: "ownership", Case: "results_by_index_fixed", NearMiss: "results_by_index",
	}
	Keys = &Rule{
		Name:  "keys",
		Claim: "What is done to two entries of one map, with keys that differ, interferes with nothing.",
		Reason: "The keys are different constants, or were made by what makes no key twice: a counter that only grows, " +
			"an allocation, the number of a goroutine in its loop.",
		Bound: "six constants", Room: "keys", Case: "map_tickets_fixed", NearMiss: "map_tickets",
	}
	Shards = &Rule{
		Name:  "shards",
		Claim: "What is done to two elements of one array, with indices that differ, interferes with nothing.",
		Reason: "Of the indices that the program computes, two arbitrary ones are modelled, with the locks and the data " +
			"that sibling arrays have there: any two elements may be these.",
		Room: "keys", Case: "lock_stripes_fixed", NearMiss: "lock_stripes",
	}
	NeverMade = &Rule{
		Name:  "never made",
		Claim: "A function value is not called that is made only where an option is set which the program never sets.",
		Reason: "By the points-to analysis the option holds nothing, so that the branch that makes the function value is " +
			"never taken.",
		Room: "modref", Case: "unused_option_fixed", NearMiss: "unused_option",
	}
	OwnLocks = &Rule{
		Name:  "own locks",
		Claim: "What is done to an object under the object's own lock is one indivisible access where the lock is taken.",
		Reason: "Every access to the objects of the site is made with the lock of the same object held, so that nobody " +
			"comes between those of one critical section.",
		Room: "lockset", Case: "session_registry_fixed", NearMiss: "session_registry",
	}
	LockOfCondition = &Rule{
		Name:   "lock of a condition",
		Claim:  "Wait of a condition variable lets go of the lock that the same object's constructor gave it.",
		Reason: "The variable is set once in the program, together with its lock, to a lock of the same object.",
		Room:   "lockset", Case: "cond_queue_fixed", NearMiss: "same_condition",
	}
	ChannelLocks = &Rule{
		Name:  "channel locks",
		Claim: "A channel of capacity one is a lock, which one of its two operations takes and the other one releases.",
		Reason: "In the model, every goroutine releases only what it has taken, or what was taken for it by the one that " +
			"started it, and the channel is never closed.",
		Room: "notes", Case: "semaphore_context_fixed", NearMiss: "semaphore_in_workers",
	}
	ContextsOver = &Rule{
		Name: "contexts that are over",
		Claim: "The error of a context, or its cause, is not nil after a receive from its Done, or after its error was " +
			"not nil.",
		Reason: "Package context promises it, the methods are those of its types, and both calls are evidently on one " +
			"context.",
		Room: "order", Case: "token_context_fixed", NearMiss: "context_in_field",
	}
	Loggers = &Rule{
		Name:  "loggers",
		Claim: "What a logger runs of its writer is a critical section of a lock of the logger.",
		Reason: "Packages log and log/slog promise it, and each writer is given to one logger, once; what else calls the " +
			"writer takes no lock.",
		Room: "lockset", Case: "logger_writer_fixed", NearMiss: "logger_writer",
	}
	Companions = &Rule{
		Name: "companions",
		Claim: "What a constructor makes along with the isolated object, and only its field leads to, is the isolated " +
			"object's own.",
		Reason: "The field is written once, before the object is published, with what the same activation has made.",
		Room:   "isolate", Case: "locker_per_object_fixed", NearMiss: "swapped_lock",
	}
	FrozenFlags = &Rule{
		Name:  "frozen flags",
		Claim: "A boolean field that the constructor fills, and nothing writes later, has one value for each object.",
		Reason: "Every store to it is where the object is allocated, before anything else is done with the object; where " +
			"the value is not known, the model has the goroutines for each.",
		Bound: "two fields whose values are not known", Room: "isolate", Case: "lock_if_shared_fixed",
		NearMiss: "shared_too_late",
	}
	LoadsAgain = &Rule{
		Name:  "loads made again",
		Claim: "A pointer that a function loads again from a field leads to the object that it led to before.",
		Reason: "Nothing writes the field when others can reach its object, and neither the function nor what it calls " +
			"stores to it.",
		Room: "mustalias", Case: "limits_by_option_fixed", NearMiss: "limits_replaced",
	}
	GrownFlags = &Rule{
		Name:   "grown flags",
		Claim:  "A flag that was seen or made true stays true of the object, for whoever has the pointer.",
		Reason: "Every store to it in the program, once the object is made, stores true.",
		Bound:  "three flags of one object", Room: "isolate", Case: "rollback_after_commit_fixed", NearMiss: "done_again",
	}
	Parents = &Rule{
		Name:  "locks of parents",
		Claim: "The lock of the object that a field of the isolated object leads to is always the same one.",
		Reason: "The field is frozen, in objects that look alike, too; every other pointer to such an object may be to " +
			"this one or to another one.",
		Bound: "three objects, from parent to parent", Room: "isolate", Case: "lock_of_parent_fixed",
		NearMiss: "parent_changes",
	}
	Members = &Rule{
		Name:  "members",
		Claim: "What is found in a slice or map of a parent has this parent.",
		Reason: "The slice or map is the parent's own, and all that is put in, anywhere in the program, is new and has " +
			"its frozen field set to the parent.",
		Room: "isolate", Case: "rooms_of_parent_fixed", NearMiss: "adopted_by_parent",
	}
	Spans = &Rule{
		Name:  "spans",
		Claim: "A function that is a unit by its own accesses is one only from the first of them to the last.",
		Reason: "By scenarios.md rule 2 it is a unit for these accesses; what it does before and after touches neither " +
			"the object nor what leads to it.",
		Bound: "500 objects looked at for one value", Room: "units", Case: "clear_and_max_fixed", NearMiss: "unit_in_caller",
	}
	Steps = &Rule{
		Name:  "memory that guards itself",
		Claim: "Who does one indivisible thing to memory that guards itself opens no unit of work by that.",
		Reason: "No unit does two things to one such object, so that nobody can tell in which order single steps of " +
			"others came.",
		Bound: "300 steps in one function", Room: "units", Case: "counter_drained_fixed", NearMiss: "drained_by_two_calls",
	}
	DeadReads = &Rule{
		Name:   "dead reads",
		Claim:  "A read no longer matters when nothing computed from it is live and the branches on it have closed.",
		Reason: "Nothing that the unit does from there on depends on what was read (scenarios.md, checked again, a).",
		Bound:  "24 reads and 2,000 instructions in one function", Room: "relevance", Case: "header_before_fixed",
		NearMiss: "tally_before_total",
	}
	DecidedAgain = &Rule{
		Name: "decided again",
		Claim: "A read no longer matters where what its branches ask is decided on second reads of the same " +
			"locations.",
		Reason: "On every way on to a later event the second answers imply the formula of the first ones, or answer each " +
			"question anew, and no value of the first is used after that (scenarios.md, checked again, b).",
		Bound: "24 reads and 2,000 instructions in one function, 8 questions between two looks",
		Room:  "relevance", Case: "look_again_fixed",
		NearMiss: "double_check_stale",
	}
	SwapExpects = &Rule{
		Name: "swap expects",
		Claim: "What a compare-and-swap expects no longer matters once it has succeeded, or has failed and the location " +
			"is read again, and what was decided on it is decided again.",
		Reason: "A swap that succeeds has found the value still there; one that fails has changed nothing (scenarios.md, " +
			"checked again, c).",
		Bound: "24 reads and 2,000 instructions in one function", Room: "relevance", Case: "swap_loop_fixed",
		NearMiss: "peak_compared_once",
	}
	PureIterations = &Rule{
		Name:   "pure iterations",
		Claim:  "What was read in an iteration that did nothing does not matter once control is back where it began.",
		Reason: "A run without that iteration is a run, too (Flanagan, Freund and Qadeer, TSE 31(4), 2005).",
		Bound:  "24 reads and 2,000 instructions in one function", Room: "relevance", Case: "cond_queue_fixed",
		NearMiss: "gives_up",
	}
	FailedTries = &Rule{
		Name:   "failed tries",
		Claim:  "What a function has read that says it could not do something does not matter once the loop tries again.",
		Reason: "On the ways that return so it has only looked, so that the iteration did nothing.",
		Bound:  "24 reads and 2,000 instructions in one function", Room: "relevance", Case: "tried_again_fixed",
		NearMiss: "tries_counted",
	}
	Counters = &Rule{
		Name:  "counters",
		Claim: "An increment whose result is dropped, in a critical section of its own, is one indivisible increment.",
		Reason: "Every access to the location holds the lock, so that nothing comes between its two halves, and " +
			"increments commute (scenarios.md, counters).",
		Room: "notes", Case: "counter_fixed", NearMiss: "counter",
	}
	PassingReads = &Rule{
		Name: "passing reads",
		Claim: "A violation is a note if its read decides only how long to wait or what to call, or only that its loop " +
			"goes round.",
		Reason: "Where the ways meet again set, locks and values are what they would be had the read given something else.",
		Bound:  "24 reads and 2,000 instructions in one function", Room: "relevance", Case: "waits_around_fixed",
		NearMiss: "waits_around_kept",
	}
	Removals = &Rule{
		Name:  "removals",
		Claim: "A violation is a note if it needs that a unit takes out of a map the entry that it has put in.",
		Reason: "All put in only where there is nothing and take out only what they have put in, under one lock, so that " +
			"the entry is the unit's own meanwhile.",
		Room: "relevance", Case: "in_flight_fixed", NearMiss: "in_flight",
	}
	Output = &Rule{
		Name:   "output",
		Claim:  "A violation is a note if the values that it reads flow into logs, metrics or formatting for output only.",
		Reason: "Nothing that the program computes depends on them (scenarios.md, notes).",
		Room:   "relevance", Case: "note_fixed", NearMiss: "logger_and_stderr",
	}
	LibrarySteps = &Rule{
		Name:  "library steps",
		Claim: "A violation is a note if it lies within calls of a library, on what guards itself.",
		Reason: "The library has locks for it: that its calls are one step each, as far as its users can tell, is its own " +
			"affair. What calls it twice is asked by itself.",
		Room: "notes", Case: "library_call_within", NearMiss: "library_call_twice",
	}
)

// Table is all rules, in order.
var Table = []*Rule{
	Joins, ChannelJoins, Gates, Once, OneWayFlags,
	PrivateMemory, FrozenContents, SettledFields, CompletedResults, HandedOver, ElementsOnce, TakenContents,
	OwnElements, Keys, Shards, NeverMade,
	OwnLocks, LockOfCondition, ChannelLocks, ContextsOver, Loggers, Companions, FrozenFlags, LoadsAgain, GrownFlags,
	Parents, Members,
	Spans, Steps,
	DeadReads, DecidedAgain, SwapExpects, PureIterations, FailedTries, Counters,
	PassingReads, Removals, Output, LibrarySteps,
}

// Record notes what becomes of the rules for one model. A nil Record notes nothing. It may be
// used by several goroutines.
type Record struct {
	mu             sync.Mutex
	used, switched map[*Rule]bool
}

// Use notes that the model rests on the rule, if it applies, and returns whether it does.
func (r *Record) Use(rule *Rule, applies bool) bool {
	if applies && r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.used == nil {
			r.used = map[*Rule]bool{}
		}
		r.used[rule] = true
	}
	return applies
}

// SwitchOff notes that a bound has kept the rule from being tried somewhere.
func (r *Record) SwitchOff(rule *Rule) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.switched == nil {
		r.switched = map[*Rule]bool{}
	}
	r.switched[rule] = true
}

// Used returns the rules that the model rests on, in the order of the table.
func (r *Record) Used() []*Rule { return r.of(func() map[*Rule]bool { return r.used }) }

// SwitchedOff returns the rules that a bound has switched off somewhere, in the order of the
// table.
func (r *Record) SwitchedOff() []*Rule { return r.of(func() map[*Rule]bool { return r.switched }) }

func (r *Record) of(set func() map[*Rule]bool) (all []*Rule) {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rule := range Table {
		if set()[rule] {
			all = append(all, rule)
		}
	}
	return all
}
