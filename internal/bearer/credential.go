package bearer

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
)

// credential is a token as it is sent.
type credential struct {
	token   walletfi.Token
	value   string      // of the Authorization header, empty if there is only a refresh token
	renewAt time.Time   // when it is to be renewed; zero if only a 401 tells
	refused atomic.Bool // the service answered 401 to it

	since time.Time        // when it was taken into use, by the monotonic clock
	left  [2]time.Duration // what it had left then until renewAt and until its expiry
	over  atomic.Bool      // it was seen to have expired

	loaded atomic.Bool // it is another process's, from the store
}

// age is how far a credential is on its way to its expiry.
type age uint8

const (
	young  age = iota
	ageing     // it is to be renewed, and can still be used
	ended
)

// age measures by two clocks and believes the later: the wall clock can be set
// back, and the monotonic clock stands still while the machine sleeps. What has
// ended stays so.
func (c *credential) age(now time.Time) age {
	gone := time.Since(c.since)
	switch {
	case c.over.Load():
		return ended
	case gone >= c.left[1] || !now.Before(c.token.Expiry) && !now.Before(c.renewAt):
		c.over.Store(true)
		return ended
	case !now.Before(c.renewAt) || gone >= c.left[0]:
		return ageing
	}
	return young
}

// newCredential decides when t is renewed: early before its expiry, and a random part
// of the spread more, at most half of what it has left, and not before notBefore.
func (b *Tokens) newCredential(t walletfi.Token, notBefore time.Time) *credential {
	c := &credential{token: t}
	if t.Access.IsZero() {
		c.refused.Store(true)
	} else {
		c.value = bearerScheme + t.Access.Reveal()
	}
	if t.Expiry.IsZero() || !b.refreshable(t) {
		return c
	}
	c.renewAt = t.Expiry
	if left := t.Expiry.Sub(b.cfg.Now()); left > 0 {
		early := b.cfg.Early + rand.N(max(0, min(b.cfg.Spread, left/10))+1)
		c.renewAt = t.Expiry.Add(-min(early, left/2))
	}
	if c.renewAt.Before(notBefore) {
		c.renewAt = notBefore
	}
	now := b.cfg.Now()
	c.since, c.left = time.Now(), [2]time.Duration{c.renewAt.Sub(now), max(t.Expiry.Sub(now), c.renewAt.Sub(now))}
	return c
}

func (b *Tokens) refreshable(t walletfi.Token) bool {
	return b.cfg.Refresh != nil && !t.Refresh.IsZero()
}

// due reports whether c cannot be used without a renewal, or should get one.
func (c *credential) due(now time.Time) bool {
	return c.refused.Load() || !c.renewAt.IsZero() && c.age(now) != young
}

// carries reports whether header, which Authorise set, has value.
func carries(header http.Header, value string) bool {
	for _, values := range header {
		if slices.Contains(values, value) {
			return true
		}
	}
	return false
}

// sensibleExpiry drops an expiry that is over before the token was ever used:
// a lifetime of 0, a negative one, or a clock that is far off. In the store
// it would make every process that reads it refresh at once.
//
// It also drops the monotonic reading, which stops while a machine sleeps.
func sensibleExpiry(expiry, now time.Time) time.Time {
	if !expiry.After(now) {
		return time.Time{}
	}
	return expiry.Round(0)
}

// replace makes t the current token if base still is, and returns the current
// one: a token that replaced base meanwhile, as by a sign-in, stays.
func (b *Tokens) replace(base *credential, t walletfi.Token, notBefore time.Time) *credential {
	b.mu.Lock()
	defer b.mu.Unlock()
	if current := b.current.Load(); current != base {
		return current
	}
	return b.install(t, notBefore)
}

// install makes t, which is in the store, the current token, under b.mu.
func (b *Tokens) install(t walletfi.Token, notBefore time.Time) *credential {
	var cred *credential
	if !t.Same(walletfi.Token{}) {
		cred = b.newCredential(t, notBefore)
	}
	if old := b.current.Load(); old != nil {
		b.previous = old.token
		if cred != nil && cred.value == old.value && old.refused.Load() {
			cred.refused.Store(true)
		}
	}
	b.current.Store(cred)
	b.seen, b.unsaved, b.failed = t, nil, failure{}
	// In the same step, so that a 401 to the new token never joins the renewal
	// that fetched it. A token that is itself due stays that renewal's work.
	if cred == nil || !cred.due(b.cfg.Now()) {
		b.flight = nil
	}
	return cred
}

// signedIn turns the absence of a token into an error.
func signedIn(c *credential) (*credential, error) {
	if c == nil {
		return nil, errSignIn
	}
	return c, nil
}

// headerSafe reports whether s is printable ASCII without spaces, as tokens
// are.
func headerSafe(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
