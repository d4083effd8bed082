package evidencetest

import "time"

// SetBack is a clock that tells real time, as far back as a test has set it.
type SetBack struct{ Off time.Duration }

// Now implements walletfi.Clock.
func (c *SetBack) Now() time.Time { return time.Now().Round(0).Add(c.Off) }

// AfterFunc implements walletfi.Clock.
func (*SetBack) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}

// HandClock is a clock that stands still.
type HandClock struct{ At time.Time }

// Now implements walletfi.Clock.
func (c *HandClock) Now() time.Time { return c.At }

// AfterFunc panics: nothing waits.
func (c *HandClock) AfterFunc(time.Duration, func()) func() bool { panic("nothing waits") }
