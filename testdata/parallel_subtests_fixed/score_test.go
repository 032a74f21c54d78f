package score

import "testing"

// TestBoard has parallel subtests that share a board.
func TestBoard(t *testing.T) {
	board := &Board{}
	board.Add(5)
	t.Cleanup(func() {
		if board.Mean() < 0 {
			t.Error("negative mean")
		}
	})
	t.Run("add", func(t *testing.T) {
		t.Parallel()
		board.Add(3)
	})
	t.Run("mean", func(t *testing.T) {
		t.Parallel()
		if board.Mean() < 0 {
			t.Error("negative mean")
		}
	})
}

// TestAlone has a board of its own and runs when the one before has ended.
func TestAlone(t *testing.T) {
	board := &Board{}
	t.Run("add", func(t *testing.T) { board.Add(3) })
	t.Run("mean", func(t *testing.T) {
		if got := board.Mean(); got != 3 {
			t.Errorf("mean is %d, want 3", got)
		}
	})
}
