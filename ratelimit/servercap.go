package ratelimit

import (
	"cmp"
	"slices"
	"time"
)

// serverCap is a limit that the service stated: at most left more requests
// until then. left is negative if more requests are under way than the service
// allowed.
type serverCap struct {
	until time.Duration // since the limiter was made
	left  int
	told  time.Duration // the until that the waiters were last held against
}

// jitter is by how much the same end can seem to move from answer to answer: a
// service states it in whole seconds. What moves no further is no news.
const jitter = time.Second

// serverCaps are the caps in force, by rising time. A cap that is neither
// tighter nor longer than another is dropped, so that left rises too.
type serverCaps []serverCap

// maxServerCaps bounds the memory that a service with an odd clock can use.
const maxServerCaps = 16

// add reports whether the cap is news for those who wait.
func (c *serverCaps) add(stated serverCap, now time.Duration) (news bool) {
	c.expire(now)
	if stated.until <= now {
		return false
	}
	stated.told, news = stated.until, true
	for _, old := range *c {
		if old.left > stated.left {
			continue
		}
		if old.until >= stated.until {
			return false
		}
		if old.told+jitter >= stated.until {
			stated.told, news = old.told, false
		}
	}
	rest := slices.DeleteFunc(*c, func(old serverCap) bool {
		return old.until <= stated.until && old.left >= stated.left
	})
	i, _ := slices.BinarySearchFunc(rest, stated.until, func(old serverCap, until time.Duration) int {
		return cmp.Compare(old.until, until)
	})
	rest = slices.Insert(rest, i, stated)
	if n := len(rest); n > maxServerCaps {
		// Merge the two longest: as tight as the tighter, as long as the longer.
		rest[n-2].until, rest[n-2].told = rest[n-1].until, rest[n-1].told
		rest, news = rest[:n-1], true
	}
	*c = rest
	return news
}

func (c *serverCaps) expire(now time.Duration) {
	n := 0
	for n < len(*c) && (*c)[n].until <= now {
		n++
	}
	if n > 0 {
		*c = slices.Delete(*c, 0, n)
	}
}

// shift adds by to the number of each cap.
func (c serverCaps) shift(by int) {
	for i := range c {
		c[i].left += by
	}
}

// ready reports whether another request may go: the first cap is the tightest.
func (c *serverCaps) ready(now time.Duration) bool {
	c.expire(now)
	return len(*c) == 0 || (*c)[0].left > 0
}

// earliest returns the instant from which no cap refuses a request that has so
// many others ahead of it.
func (c *serverCaps) earliest(now time.Duration, ahead int) time.Duration {
	c.expire(now)
	at := now
	for _, stated := range *c {
		if stated.left <= ahead {
			at = stated.until
		}
	}
	return at
}

// stated is the count that the service stated, and the requests that it may not have counted.
type stated struct {
	caps     serverCaps
	underWay int // requests that were admitted and not yet answered
}

func (s *stated) tighten(now time.Duration, remaining int, in time.Duration) (news bool) {
	return s.caps.add(serverCap{until: addSaturating(now, in), left: max(remaining, 0) - s.underWay}, now)
}

func (s *stated) ready(now time.Duration) bool { return len(s.caps) == 0 || s.caps.ready(now) }

func (s *stated) reserve() {
	s.underWay++
	s.caps.shift(-1)
}

func (s *stated) release(sent bool) {
	s.underWay--
	if !sent {
		// Every cap has this request taken off: it went after the cap came, or
		// was under way then.
		s.caps.shift(+1)
	}
}
