package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/webhooks"
)

// Seen is a [webhooks.Seen] in a database. With [Seen.CommitTx] a handler's own
// writes to the same database happen exactly once.
type Seen struct {
	store  *Store
	tidied atomic.Int64 // when expired keys were last removed, in milliseconds since 1970
}

// Seen returns the deliveries that were handled. All of a database are the same.
func (s *Store) Seen() *Seen { return &Seen{store: s} }

var _ webhooks.Seen = (*Seen)(nil)

const (
	tidyEvery = 10 * time.Second
	tidyBatch = 5000
	// unbounded is how long a delivery is remembered that did not come from a
	// receiver.
	unbounded = 24 * time.Hour
)

// Seen implements [webhooks.Seen]. It compares with the database's clock.
func (s *Seen) Seen(ctx context.Context, key string) (bool, error) {
	s.tidy(ctx)
	var one int
	err := s.store.row(ctx, "SELECT 1 FROM walletfi_seen WHERE key = ? AND until > NOW()", []any{digest(key)}, &one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Commit implements [webhooks.Seen].
func (s *Seen) Commit(ctx context.Context, key string, until time.Time) error {
	return s.store.write(ctx, func(ctx context.Context, tx transaction) error {
		_, err := tx.exec(ctx, `INSERT INTO walletfi_seen (key, until) VALUES (?, ?) ON CONFLICT (key) DO UPDATE
			SET until = CASE WHEN excluded.until > walletfi_seen.until THEN excluded.until ELSE walletfi_seen.until END`,
			digest(key), until.UnixMilli())
		return err
	})
}

// CommitTx commits a delivery within a transaction of the handler's own, which must
// be one of the same database: see [webhooks.Seen]. If it fails, roll back and
// return the error. [webhooks.ErrSeen] says that another process has handled the
// delivery; a receiver takes it for success.
//
//	func handle(ctx context.Context, d *webhooks.Delivery) error {
//		tx, err := db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if err := seen.CommitTx(ctx, tx, d); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, "UPDATE ..."); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// Call it first: of two processes that have the same delivery, one waits here for
// the other. A delivery that did not come from a [webhooks.Receiver] is remembered
// for a day.
func (s *Seen) CommitTx(ctx context.Context, tx *sql.Tx, d *webhooks.Delivery) error {
	if err := s.store.file.check(); err != nil {
		return s.store.failed(err)
	}
	until := d.RememberUntil()
	if until.IsZero() {
		until = time.Now().Add(unbounded)
	}
	changed, err := transaction{tx, s.store.dialect}.exec(ctx, `INSERT INTO walletfi_seen (key, until) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET until = excluded.until WHERE walletfi_seen.until <= NOW()`,
		digest(d.Key()), until.UnixMilli())
	if err != nil {
		return s.store.failed(err)
	}
	if changed == 0 {
		return webhooks.ErrSeen
	}
	d.Marked()
	return nil
}

// tidy removes expired keys now and then. If that fails, what matters fails too.
func (s *Seen) tidy(ctx context.Context) {
	now := time.Now().UnixMilli()
	last := s.tidied.Load()
	if now-last < tidyEvery.Milliseconds() && now >= last || !s.tidied.CompareAndSwap(last, now) {
		return
	}
	for removed := int64(tidyBatch); removed == tidyBatch; {
		err := s.store.write(ctx, func(ctx context.Context, tx transaction) (err error) {
			removed, err = tx.exec(ctx, `DELETE FROM walletfi_seen WHERE key IN
				(SELECT key FROM walletfi_seen WHERE until <= NOW() LIMIT ?)`, tidyBatch)
			return err
		})
		if err != nil {
			return
		}
	}
}

// digest identifies a key, which may be of any bytes and length.
func digest(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}
