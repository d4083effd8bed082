package bearer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
)

const (
	// earlyPatience is how long calls that still have a good token wait for its
	// renewal. They wait at all so that a program that ends after its call does
	// not end between the service's rotation and the store.
	earlyPatience = time.Second
	// firstRetry is the wait after a refresh that failed for a passing reason;
	// it doubles up to MinInterval.
	firstRetry = time.Second
	// crowdPatience is how long a renewal waits at least for those of other clients to
	// end. It is not part of RefreshTimeout, which would end most of a crowd's.
	crowdPatience = time.Minute
	// lockPoll is how often the store is read while another process refreshes.
	lockPoll = 50 * time.Millisecond
	// secondLook is when the store is read again after a refused refresh: a
	// process that rotated the token a moment before us may still be saving it.
	secondLook = 200 * time.Millisecond
)

// flight is a renewal in flight, for which any number of callers wait.
type flight struct {
	soon context.Context // ends with earlyPatience
	over chan struct{}   // closed with RefreshTimeout; no caller closes it
	done chan struct{}   // closed when cred and err are set
	cred *credential
	err  error
	by   context.Context // of the call that began it, whose worker it is
}

// wait has ctx's worker wait for f, which another one works for.
func (f *flight) wait(ctx context.Context) (end func()) {
	if atwork.Same(ctx, f.by) {
		return func() {}
	}
	wait := atwork.For(ctx)
	wait.Begin()
	return wait.End
}

// await returns the renewal of base, for callers that cannot do without.
func (b *Tokens) await(ctx context.Context, base *credential) (*credential, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := b.join(ctx, base)
	defer f.wait(ctx)()
	select {
	case <-f.done:
		return f.cred, f.err
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a token: %w", ctx.Err())
	case <-f.over:
	}
	select { // it is closed just after done, too
	case <-f.done:
		return f.cred, f.err
	default:
		return nil, b.abandon(f, base)
	}
}

// awaitBriefly returns the renewal of base, or base itself, which is still good,
// if the renewal fails or takes long.
func (b *Tokens) awaitBriefly(ctx context.Context, base *credential) (*credential, error) {
	if b.heldBack(base) != nil {
		return base, nil
	}
	f := b.join(ctx, base)
	defer f.wait(ctx)()
	select {
	case <-f.done:
	case <-f.soon.Done():
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a token: %w", ctx.Err())
	}
	select {
	case <-f.done:
		if f.err == nil {
			return f.cred, nil
		}
	default:
	}
	return base, nil
}

// join returns the renewal under way, or starts one for base. It takes off when there
// is a place for it.
func (b *Tokens) join(ctx context.Context, base *credential) *flight {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.flight != nil {
		return b.flight
	}
	ctx = context.WithoutCancel(ctx)
	soon, cancelSoon := context.WithTimeout(ctx, earlyPatience)
	f := &flight{
		by: ctx, soon: soon, over: make(chan struct{}), done: make(chan struct{}),
		err: errors.New("token refresh: ended without a result"),
	}
	b.flight = f
	b.cfg.Room.start(max(crowdPatience, b.cfg.RefreshTimeout), func(placed bool) {
		ctx, cancel := context.WithTimeout(ctx, b.cfg.RefreshTimeout)
		defer cancel()
		defer cancelSoon()
		defer close(f.done)
		defer b.land(f)
		if !placed {
			f.err = b.fail(base, errCrowded)
			return
		}
		place := &place{room: b.cfg.Room, held: true}
		context.AfterFunc(ctx, func() {
			place.leave() // at the end, or before: a Refresh that does not heed its ctx keeps no other one waiting
			close(f.over)
		})
		f.cred, f.err = b.renew(ctx, base, place)
	})
	return f
}

func (b *Tokens) land(f *flight) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.flight == f {
		b.flight = nil
	}
}

// abandon gives up on a refresh or a store that does not heed its deadline.
// A token that it returns later is still saved and used.
func (b *Tokens) abandon(f *flight, base *credential) error {
	b.land(f)
	return b.fail(base, fmt.Errorf("%w: no token within %s", walletfi.ErrUnavailable, b.cfg.RefreshTimeout))
}

// renew finds the successor of base: in memory, in the store, or at the
// service.
func (b *Tokens) renew(ctx context.Context, base *credential, place *place) (*credential, error) {
	if current := b.current.Load(); current != base {
		return signedIn(current)
	}
	cred, err := b.reload(ctx, base)
	if err != nil {
		return nil, err
	}
	if cred != base && !cred.due(b.cfg.Now()) {
		return cred, nil
	}
	if token := b.toSave(); token != nil {
		return b.keep(ctx, cred, *token)
	}
	if err := b.mayRefresh(cred); err != nil {
		return nil, err
	}
	cred, unlock, err := b.lock(ctx, cred, place)
	if unlock == nil {
		return cred, err
	}
	defer unlock()
	token, err := b.refresh(ctx, cred.token)
	if err == nil && (token.Access.IsZero() || !headerSafe(token.Access.Reveal())) {
		err = fmt.Errorf("%w: no access token that a header can carry", walletfi.ErrDecode)
	}
	if err != nil {
		return b.recover(ctx, cred, err)
	}
	if token.Refresh.IsZero() {
		token.Refresh = cred.token.Refresh
	}
	token.Expiry, token.Ahead = sensibleExpiry(token.Expiry, b.cfg.Now()), b.serviceAhead()
	b.mu.Lock()
	b.pace.spend(b.cfg.Now(), b.cfg.MinInterval)
	b.mu.Unlock()
	return b.keep(ctx, cred, token)
}

func (b *Tokens) refresh(ctx context.Context, old walletfi.Token) (token walletfi.Token, err error) {
	ctx, span := observing.Start(ctx, b.cfg.Observer, observe.TokenRefresh{Service: b.cfg.Service})
	err = observing.Through(span, func() error {
		token, err = b.cfg.Refresh(ctx, old)
		return err
	}, func(err error) observe.TokenRefreshEnd { return observe.TokenRefreshEnd{Err: err} })
	return token, err
}

// reload takes a token that another process put into the store, and returns base
// if there is nothing new.
func (b *Tokens) reload(ctx context.Context, base *credential) (*credential, error) {
	stored, err := b.cfg.Store.Load(ctx)
	if err != nil {
		return nil, storeFailure("load", err)
	}
	b.mu.Lock()
	news := !stored.Same(b.seen)
	b.mu.Unlock()
	if !news {
		if base == nil {
			return nil, errSignIn
		}
		return base, nil
	}
	if !headerSafe(stored.Access.Reveal()) {
		return nil, fmt.Errorf("%w: the token store holds a token that no header can carry", walletfi.ErrUnauthorized)
	}
	stored.Expiry = stored.Expiry.Round(0)
	cred := b.replace(base, stored, time.Time{})
	if cred != nil && cred.token.Same(stored) {
		cred.loaded.Store(true)
	}
	return signedIn(cred)
}

// toSave returns the token that a failing store did not take.
func (b *Tokens) toSave() *walletfi.Token {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.unsaved
}

// mayRefresh says why a refresh of cred is not to be tried now, if so.
func (b *Tokens) mayRefresh(cred *credential) error {
	if !b.refreshable(cred.token) {
		return fmt.Errorf("%w: the token is refused and nothing to refresh it with, sign in again", walletfi.ErrUnauthorized)
	}
	if err := b.heldBack(cred); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.pace.allows(b.cfg.Now(), b.cfg.MinInterval) {
		return fmt.Errorf("%w: a token that was refreshed a moment ago is refused again", walletfi.ErrUnauthorized)
	}
	return nil
}

// heldBack returns the failure that answers for a refresh of base, nil if a
// refresh may be tried.
func (b *Tokens) heldBack(base *credential) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed.holds(base, b.cfg.Now()) {
		return b.failed.err
	}
	return nil
}

// recover handles a failed refresh: if it was refused, another process may have
// rotated the token and saved the new one.
func (b *Tokens) recover(ctx context.Context, base *credential, failed error) (*credential, error) {
	if !refreshRefused(failed) {
		return nil, b.fail(base, failed)
	}
	for _, pause := range []time.Duration{0, secondLook} {
		select {
		case <-ctx.Done():
			return nil, b.fail(base, failed)
		case <-time.After(pause):
		}
		cred, err := b.reload(ctx, base)
		if err != nil {
			return nil, b.fail(base, errors.Join(failed, err))
		}
		if cred != base {
			return cred, nil
		}
	}
	return nil, b.fail(base, failed)
}
