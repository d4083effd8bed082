package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// setBack is by how much the clock may be behind the last renewal of a lease.
const setBack = time.Second

// Renew implements [wallet.Journal].
func (j *Journal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if err := storable("holder", holder, maxKey); err != nil {
		return err
	}
	return j.store.write(ctx, func(ctx context.Context, tx transaction) error {
		if lease <= 0 {
			_, err := tx.exec(ctx, "DELETE FROM walletfi_holders WHERE holder = ?", holder)
			return err
		}
		_, err := tx.exec(ctx, `INSERT INTO walletfi_holders (holder, renewed, until) VALUES (?, NOW(), NOW() + ?)
			ON CONFLICT (holder) DO UPDATE SET renewed = excluded.renewed, until = excluded.until`, holder, milliseconds(lease))
		return err
	})
}

// Alive implements [wallet.Journal]. A holder whose lease was renewed in the
// future is not alive: the clock was set back, and its lease would not end for as
// long. If it is there after all, it renews the lease soon, and what it stored
// without one is unknown, not paid twice.
func (j *Journal) Alive(ctx context.Context, holder string) (alive bool, err error) {
	if err := storable("holder", holder, maxKey); err != nil {
		return false, err
	}
	err = j.store.row(ctx, "SELECT until > NOW() AND renewed <= NOW() + ? FROM walletfi_holders WHERE holder = ?",
		[]any{setBack.Milliseconds(), holder}, &alive)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return alive, err
}

// tidyHolders drops the leases that ended a day ago. It also shows that the
// database can be written.
func (s *Store) tidyHolders(ctx context.Context) error {
	return s.write(ctx, func(ctx context.Context, tx transaction) error {
		_, err := tx.exec(ctx, "DELETE FROM walletfi_holders WHERE until < NOW() - ?", (24 * time.Hour).Milliseconds())
		return err
	})
}

// milliseconds rounds up: a lease must not end early.
func milliseconds(d time.Duration) int64 { return int64((d + time.Millisecond - 1) / time.Millisecond) }
