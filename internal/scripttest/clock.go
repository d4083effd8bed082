package scripttest

import "time"

// Clock is the time of the bubble. It draws the longest wait, so that a trace can say
// how long the waits are.
type Clock struct{}

// Now is the bubble's time.
func (Clock) Now() time.Time { return time.Now() }

// AfterFunc calls f when d has passed.
func (Clock) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

// Draw returns bound.
func (Clock) Draw(bound time.Duration) time.Duration { return bound }
