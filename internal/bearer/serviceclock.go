package bearer

import (
	"context"
	"time"
)

// Dated notes the service's time in an answer that came at the given local time. Both have
// the clock of Config.Now.
//
// It matters for tokens that another process put into the store: their expiry is by that
// process's clock, which ours need not agree with. A token that came to this process is
// measured by its own clocks alone, so that a Date that is wrong costs one renewal.
func (b *Tokens) Dated(date, at time.Time) {
	ahead := date.Sub(at)
	b.ahead.Store(&ahead)
}

// serviceAhead is how far the service's clock is ahead of ours, 0 if that is not known.
func (b *Tokens) serviceAhead() time.Duration {
	if ahead := b.ahead.Load(); ahead != nil {
		return *ahead
	}
	return 0
}

// pastByService reports whether c came from another process and expires by the service's
// clock within the time in which a token is renewed.
func (b *Tokens) pastByService(c *credential, now time.Time) bool {
	ahead := b.ahead.Load()
	return ahead != nil && c.loaded.Load() && !now.Add(*ahead+b.cfg.Early).Before(c.token.Expiry.Add(c.token.Ahead))
}

// awaitOr returns the renewal of base, or base itself if there is none: that base has
// expired is only what a Date says, which may be a proxy's.
func (b *Tokens) awaitOr(ctx context.Context, base *credential) (*credential, error) {
	if b.heldBack(base) != nil {
		return base, nil
	}
	renewed, err := b.await(ctx, base)
	if err != nil && ctx.Err() == nil {
		return base, nil
	}
	return renewed, err
}
