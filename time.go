package walletfi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/instant"
)

// Clock is the time of a client, for tests that do not wait: a sandbox's moves by
// hand, and what is due on the way happens at its time. It is safe for concurrent
// use.
type Clock interface {
	// Now is the clock's time.
	Now() time.Time
	// AfterFunc calls f once, in a goroutine of its own, when d has passed on the
	// clock; at once if d is 0 or less. stop keeps it from being called, and reports
	// whether it did.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// Now is the time of c, or real time if c is nil.
func Now(c Clock) time.Time {
	if c == nil {
		return time.Now()
	}
	return c.Now()
}

// Sleep waits until d has passed on c, or in real time if c is nil. If ctx ends before
// that, or has ended, it returns ctx's error at once. It does not wait if d is 0 or
// less. A program that waits by the clock of its [Options] alone can be tested without
// waiting.
func Sleep(ctx context.Context, c Clock, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	over := make(chan struct{})
	if c == nil {
		defer time.AfterFunc(d, func() { close(over) }).Stop()
	} else {
		wait := atwork.For(ctx)
		defer c.AfterFunc(d, func() { wait.End(); close(over) })()
		wait.Begin()
		defer wait.End()
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Go runs f in a goroutine that works by c: a sandbox's clock does not move on while f
// works, which is always but when f, with the context that it gets, waits in [Sleep], in
// a call of a client or in a wait of another Go. So f must not wait for anything else
// that happens later on the clock; a goroutine that reads a feed, for example, is started
// without Go. wait waits until f has returned, or until its ctx ends, whose error it then
// returns. With another clock, or nil, Go is the go statement.
func Go(ctx context.Context, c Clock, f func(ctx context.Context)) (wait func(ctx context.Context) error) {
	ctx, worker := atwork.Begin(ctx, c, atwork.Joined)
	ended := atwork.NewGate()
	go func() {
		defer worker.End()
		defer ended.Open()
		f(ctx)
	}()
	return ended.Wait
}

// Time is an instant in a response. The zero value means that the service sent
// null or nothing, or what could not be read. It marshals to RFC 3339.
type Time struct{ time.Time }

// UnmarshalJSON reads the date-times of ISO 8601, in the extended and the basic
// form, with any offset or none (UTC); a bare date (midnight UTC); and Unix
// seconds, milliseconds or microseconds, bare or quoted, with or without a
// fraction. The size of the number tells them apart: seconds reach to the end of
// the year 9999, which is 253402300799. What is later than that year is an error.
func (t *Time) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) || bytes.Equal(b, []byte(`""`)) {
		*t = Time{}
		return nil
	}
	text, read := string(b), instant.Unix[string]
	if b[0] == '"' {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		read = instant.Parse[string]
	}
	parsed, ok := read(text)
	if !ok {
		return fmt.Errorf("walletfi: %.40q is not a time", text)
	}
	t.Time = parsed
	return nil
}

// MarshalJSON writes RFC 3339, null for the zero value. A time outside of the
// years 0 to 9999 is an error: nothing would read it as the same time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	if text, err := t.Time.MarshalJSON(); err == nil {
		return text, nil
	}
	return t.UTC().MarshalJSON() // its offset is one that RFC 3339 does not have
}
