package bearer

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
)

// keep saves token and then puts it in the place of base. It has time of its
// own for that, since a rotated token that is lost costs a sign-in.
func (b *Tokens) keep(ctx context.Context, base *credential, token walletfi.Token) (*credential, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.cfg.RefreshTimeout)
	defer cancel()
	select {
	case b.saving <- struct{}{}:
		defer func() { <-b.saving }()
	case <-ctx.Done():
		return nil, b.setAside(base, token, ctx.Err())
	}
	if current := b.current.Load(); current != base {
		return signedIn(current)
	}
	saved, err := b.cfg.Store.Replace(ctx, base.token, token)
	if err != nil {
		return nil, b.setAside(base, token, err)
	}
	if saved {
		return signedIn(b.replace(base, token, b.cfg.Now().Add(b.cfg.MinInterval)))
	}
	cred, err := b.reload(ctx, base)
	if err == nil && cred == base {
		err = storeFailure("replace", errors.New("it has the old token and does not take the new one"))
	}
	if err != nil {
		return nil, b.fail(base, err)
	}
	return cred, nil
}

// setAside keeps a token that the store did not take for the next attempt to
// save it.
func (b *Tokens) setAside(base *credential, token walletfi.Token, err error) error {
	b.mu.Lock()
	if b.current.Load() == base {
		b.unsaved = &token
	}
	b.mu.Unlock()
	return b.fail(base, storeFailure("the new token could not be saved", err))
}
