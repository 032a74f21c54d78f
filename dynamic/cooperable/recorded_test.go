package cooperable

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// TestRecorded checks random traces once more as recorded ones, which come in an order of their own: whether one is
// serializable is the same.
func TestRecorded(t *testing.T) {
	defer func(n int) { *traces = n }(*traces)
	*traces = min(*traces, 1000)
	eachRandom(t, func(text []byte, list []events.Event) {
		var file bytes.Buffer
		err := std.Import(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }, &file)
		if cut := (*events.CutError)(nil); err != nil && !errors.As(err, &cut) {
			t.Fatalf("%v\n%s", err, text)
		}
		recorded, err := events.Recorded(func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(file.Bytes())), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Check(context.Background(), recorded, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := Check(context.Background(), source(t, text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (got.Violations > 0) != (want.Violations > 0) || got.Events != want.Events ||
			(got.Cut == "") != (want.Cut == "") {
			t.Errorf("%d violations of %d events as a recorded trace, %d of %d else, in\n%s", got.Violations, got.Events,
				want.Violations, want.Events, text)
		}
	})
}
