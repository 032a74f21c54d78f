package interp

import (
	"fmt"

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
	case stmt.Op == esl.Send && channel.Capacity == 0 && len(s.receivers(i, stmt.Arg)) == 0:
		return fmt.Sprintf("nobody is at a receive of channel %s", channel.Name)
	case stmt.Op == esl.Send && channel.Capacity > 0 && is.Count == channel.Capacity:
		return fmt.Sprintf("channel %s is full", channel.Name)
	case stmt.Op == esl.Receive && channel.Capacity == 0 && !s.Meeting.Open:
		return fmt.Sprintf("there is no send on channel %s right before", channel.Name)
	case stmt.Op == esl.Receive && channel.Capacity > 0 && is.Count == 0:
		return fmt.Sprintf("channel %s is empty", channel.Name)
	}
	return ""
}

// receivers returns the threads other than the sender that are at a Receive of the
// channel.
func (s *State) receivers(sender, channel int) []int {
	var all []int
	for i := range s.Threads {
		if stmt, ok := s.next(i); ok && i != sender && stmt.Op == esl.Receive && stmt.Arg == channel {
			all = append(all, i)
		}
	}
	return all
}

// operate executes an enabled channel operation that changes something.
func (s *State) operate(i int, stmt esl.Stmt) {
	c := &s.Channels[stmt.Arg]
	unbuffered := s.Program.Channels[stmt.Arg].Capacity == 0
	switch {
	case stmt.Op == esl.CloseChannel:
		c.Closed = true
	case stmt.Op == esl.Send && unbuffered:
		s.Meeting = Meeting{true, stmt.Arg, i}
	case stmt.Op == esl.Send:
		c.Count++
	case unbuffered:
		s.Meeting = Meeting{}
	default:
		c.Count--
	}
}
