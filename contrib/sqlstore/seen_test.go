package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/webhooks"
	"github.com/walletfi/walletfi-go/webhooks/seentest"
)

// handlerTx is a transaction of a handler's.
type handlerTx struct {
	*sql.Tx
	ctx  context.Context
	seen *sqlstore.Seen
}

func (x handlerTx) Mark(d *webhooks.Delivery) error { return x.seen.CommitTx(x.ctx, x.Tx, d) }

// TestSeen runs the suite on each engine.
func TestSeen(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		fresh := newEngine(e.dialect)
		seentest.Run(t, func(t *testing.T) seentest.Store {
			e := fresh(t)
			open := func(t *testing.T) webhooks.Seen { return e.open(t).Seen() }
			db := e.open(t).DB()
			return seentest.Store{Open: open, Reopen: open, Begin: func(t *testing.T, s webhooks.Seen) seentest.Tx {
				tx, err := db.BeginTx(t.Context(), nil)
				require.NoError(t, err)
				return handlerTx{tx, t.Context(), s.(*sqlstore.Seen)}
			}}
		})
	})
}

// TestSeenIsTidied: what has expired is removed.
func TestSeenIsTidied(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		for n := range 50 {
			require.NoError(t, s.Seen().Commit(t.Context(), fmt.Sprint(n), time.Now().Add(time.Duration(n-40)*time.Hour)))
		}
		_, err := s.Seen().Seen(t.Context(), "a")
		require.NoError(t, err)
		var left int
		require.NoError(t, s.DB().QueryRowContext(t.Context(), "SELECT count(*) FROM walletfi_seen").Scan(&left))
		require.Equal(t, 9, left)
	})
}
