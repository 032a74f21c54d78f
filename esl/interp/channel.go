package interp

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// channelBlocked says why a thread cannot execute a channel operation now.
func (s *State) channelBlocked(i int, stmt esl.Stmt) string {
	channel, is := s.Program.Channels[stmt.Arg], s.Channels[stmt.Arg]
	switch {
	case is.Closed && (stmt.Op == esl.Send || stmt.Op == esl.CloseChannel):
		return fmt.Sprintf("channel %s is closed", channel.Name)
	case stmt.Op == esl.ReceiveClosed && (!is.Closed || is.Count > 0):
		return fmt.Sprintf("channel %s is not closed and empty", channel.Name)
	case stmt.Op == esl.Send && channel.Capacity == 0 && len(s.receivers(i, stmt, s.passes(i))) == 0:
		return fmt.Sprintf("nobody is at a receive of channel %s", channel.Name)
	case stmt.Op == esl.Send && channel.Capacity > 0 && is.Count == channel.Capacity:
		return fmt.Sprintf("channel %s is full", channel.Name)
	case stmt.Op == esl.Receive && channel.Capacity == 0 && !s.Meeting.Open:
		return fmt.Sprintf("there is no send on channel %s right before", channel.Name)
	case stmt.Op == esl.Receive && channel.Capacity > 0 && is.Count == 0:
		return fmt.Sprintf("channel %s is empty", channel.Name)
	case stmt.Op == esl.Receive && channel.Capacity > 0 && is.Values[0] != stmt.Value:
		return fmt.Sprintf("the first value in channel %s is %d", channel.Name, is.Values[0])
	}
	return ""
}

// receivers returns the threads other than the sender that are at a Receive of what a Send sends. Of a sender that
// does not wait, those that wait.
func (s *State) receivers(sender int, send esl.Stmt, passes bool) []int {
	return s.partners(sender, esl.Stmt{Op: esl.Receive, Arg: send.Arg, Value: send.Value}, passes)
}

// partners returns the threads other than i that are at an operation on a channel; but where i does not wait, those
// that do.
func (s *State) partners(i int, op esl.Stmt, passes bool) []int {
	var all []int
	for j := range s.Threads {
		if i == j || passes && s.passes(j) {
			continue
		}
		if slices.ContainsFunc(s.offers(j), func(stmt esl.Stmt) bool {
			return stmt.Op == op.Op && stmt.Arg == op.Arg && stmt.Value == op.Value
		}) {
			all = append(all, j)
		}
	}
	return all
}

// operate executes an enabled channel operation that changes something.
func (s *State) operate(i int, stmt esl.Stmt, passes bool) {
	c := &s.Channels[stmt.Arg]
	unbuffered := s.Program.Channels[stmt.Arg].Capacity == 0
	switch {
	case stmt.Op == esl.CloseChannel:
		c.Closed = true
	case stmt.Op == esl.Send && unbuffered:
		s.Meeting = Meeting{true, stmt.Arg, i, passes, stmt.Value}
	case stmt.Op == esl.Send:
		c.Count++
		c.Values = append(slices.Clone(c.Values), stmt.Value)
	case unbuffered:
		s.Meeting = Meeting{}
	default:
		c.Count--
		c.Values = slices.Clone(c.Values[1:])
	}
}
