package sqlstore

import (
	"context"
	"crypto/rand"
	"time"
)

// unlockTimeout bounds an unlock. If it fails, the lock ends with its lease.
const unlockTimeout = 2 * time.Second

// TryLock implements [walletfi.TokenStore]. The lease is by the server's clock, or
// the machine's with SQLite. A lock that was taken in the future, because the
// clock was set back since, does not count.
func (t *TokenStore) TryLock(ctx context.Context, lease time.Duration) (unlock func(), err error) {
	if err := t.usable(); err != nil {
		return nil, err
	}
	holder, taken := rand.Text(), false
	err = t.store.write(ctx, func(ctx context.Context, tx transaction) error {
		if err := t.row(ctx, tx); err != nil {
			return err
		}
		changed, err := tx.exec(ctx, `UPDATE walletfi_tokens SET holder = ?, locked = NOW(), until = NOW() + ?
			WHERE name = ? AND (holder = '' OR until <= NOW() OR locked > NOW() + ?)`,
			holder, milliseconds(lease), t.name, setBack.Milliseconds())
		taken = changed > 0
		return err
	})
	if err != nil || !taken {
		return nil, err
	}
	return func() { t.unlock(context.WithoutCancel(ctx), holder) }, nil
}

func (t *TokenStore) unlock(ctx context.Context, holder string) {
	ctx, cancel := context.WithTimeout(ctx, unlockTimeout)
	defer cancel()
	_ = t.store.write(ctx, func(ctx context.Context, tx transaction) error {
		_, err := tx.exec(ctx, "UPDATE walletfi_tokens SET holder = '' WHERE name = ? AND holder = ?", t.name, holder)
		return err
	})
}
