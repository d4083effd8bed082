package paid

import "time"

// jump is a change of a clock.
type jump struct{ at, by time.Duration }

// clock is a process's own: off by any amount, and it jumps. What waits on it
// waits as on any computer, by a time that only goes on; if the process stands
// still, what is due waits until it goes on.
type clock struct {
	p     *proc
	born  time.Time
	off   time.Duration
	jumps []jump // by the time since birth
}

func newClock(p *proc) *clock {
	c := &clock{p: p, born: time.Now()}
	d, shares := p.dice.of("clock"), p.s.plan.Shares
	if d.of("off").chance(shares.Clocks) {
		c.off = d.of("how").long(time.Second, p.s.plan.Wrong)
		if d.of("side").chance(0.4) {
			c.off = -c.off
		}
	}
	if d.of("jump").chance(shares.Jumps) {
		for i := range d.of("jumps").int(1, 6) {
			at := d.of("at", i).long(2*time.Second, time.Hour)
			by := d.of("by", i).long(10*time.Second, p.s.plan.Wrong)
			if d.of("back", i).chance(0.4) {
				by = -by
			}
			c.jumps = append(c.jumps, jump{at, by})
		}
	}
	return c
}

// Now implements walletfi.Clock.
func (c *clock) Now() time.Time {
	now := time.Now()
	off, age := c.off, now.Sub(c.born)
	for _, j := range c.jumps {
		if age >= j.at {
			off += j.by
		}
	}
	return now.Add(off)
}

// AfterFunc implements walletfi.Clock.
func (c *clock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, func() {
		c.p.pass()
		f()
	}).Stop
}
