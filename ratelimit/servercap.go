package ratelimit

import (
	"cmp"
	"slices"
	"time"
)

// serverCap is what the service said of its own count: at most left more
// requests until then. left is below 0 where more are under way than it
// allowed.
type serverCap struct {
	until time.Duration // since the limiter was made
	left  int
}

// serverCaps are the caps that are in force, by rising time. A cap that is
// neither the tighter nor the longer one of any two says nothing and is not
// kept, so that left rises too.
type serverCaps []serverCap

// maxServerCaps bounds what a service with an odd clock can make us remember.
const maxServerCaps = 16

func (c *serverCaps) add(told serverCap, now time.Duration) {
	c.expire(now)
	if told.until <= now {
		return
	}
	for _, old := range *c {
		if old.until >= told.until && old.left <= told.left {
			return
		}
	}
	kept := slices.DeleteFunc(*c, func(old serverCap) bool {
		return old.until <= told.until && old.left >= told.left
	})
	i, _ := slices.BinarySearchFunc(kept, told.until, func(old serverCap, until time.Duration) int {
		return cmp.Compare(old.until, until)
	})
	kept = slices.Insert(kept, i, told)
	if n := len(kept); n > maxServerCaps {
		// The two longest become one, as tight as the tighter and as long as the
		// longer.
		kept[n-2].until = kept[n-1].until
		kept = kept[:n-1]
	}
	*c = kept
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

// shift adds by to what each cap allows.
func (c serverCaps) shift(by int) {
	for i := range c {
		c[i].left += by
	}
}

// ready tells whether one more may go: the first cap is the tightest.
func (c *serverCaps) ready(now time.Duration) bool {
	c.expire(now)
	return len(*c) == 0 || (*c)[0].left > 0
}

// earliest is when a request that has so many others ahead of it is under no
// cap that those use up.
func (c *serverCaps) earliest(now time.Duration, ahead int) time.Duration {
	c.expire(now)
	at := now
	for _, told := range *c {
		if told.left <= ahead {
			at = told.until
		}
	}
	return at
}
