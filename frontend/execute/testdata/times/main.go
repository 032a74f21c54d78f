// Command times computes with times and durations.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

func main() {
	t := time.Date(2024, time.February, 29, 12, 30, 45, 123456789, time.UTC)
	fmt.Println(t, t.Add(36*time.Hour).Weekday(), t.AddDate(1, 0, 0).Format(time.RFC1123), t.Unix(), t.YearDay())
	fmt.Println(t.Truncate(time.Hour), t.Round(time.Minute).Format("15:04:05.000"), t.Format(time.Kitchen), t.UnixNano())
	p, err := time.Parse("2006-01-02 15:04", "2023-05-06 07:08")
	fmt.Println(p, err, p.Before(t), t.Sub(p), p.Equal(p.In(time.FixedZone("x", 3600))))
	_, err = time.Parse(time.RFC3339, "no")
	fmt.Println(err)
	d, err := time.ParseDuration("1h15m30.918s")
	fmt.Println(d, err, d.Hours(), d.Round(time.Minute), time.Duration(0))
	b, err := t.MarshalJSON()
	fmt.Println(string(b), err, t.IsZero(), time.Time{}.IsZero(), time.Unix(1, 0).UTC())
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), "k", "v"))
	fmt.Println(ctx.Value("k"), ctx.Err())
	cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err(), context.Cause(ctx), errors.Is(ctx.Err(), context.Canceled))
	ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
	_, ok := ctx.Deadline()
	fmt.Println(ok, ctx.Err())
	cancel()
	cause, cancelCause := context.WithCancelCause(context.Background())
	cancelCause(errors.New("why"))
	fmt.Println(context.Cause(cause), cause)
	stop := context.AfterFunc(ctx, func() {})
	fmt.Println(stop())
	timer := time.AfterFunc(time.Hour, func() {})
	fmt.Println(timer.Stop(), timer.Stop())
}
