package kit

import "time"

// WaitUntil calls look until it returns true: at once, after every interval, and
// a last time when timeout has passed, by the sandbox's clock. Each call happens
// at its own time, also if the clock is advanced by far more at once; what look
// saw last is what is true at that time. With a manual clock only Advance ends
// the wait. The lock is released meanwhile, so that other requests are served.
// WaitUntil returns early if the caller disconnects or the sandbox closes.
func (c *Call) WaitUntil(timeout, interval time.Duration, look func() bool) {
	if look() {
		return
	}
	over := make(chan struct{})
	deadline := c.Now().Add(timeout)
	cancel := func() {}
	var plan func()
	plan = func() {
		at := c.Now().Add(interval)
		if at.After(deadline) {
			at = deadline
		}
		cancel = c.At(at, func() {
			if look() || !c.Now().Before(deadline) {
				close(over)
				return
			}
			plan()
		})
	}
	plan()
	back := c.WaitAside()
	c.Unlock()
	select {
	case <-over:
	case <-c.Request.Context().Done():
	case <-c.done:
	}
	c.Lock()
	back()
	cancel()
}
