package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet"
)

// TestNewerIsNotPruned: what an entry of a newer program keeps from being paid, this one
// cannot tell.
func TestNewerIsNotPruned(t *testing.T) {
	for schema, prunable := range map[int]bool{1: true, wallet.Schema: true, wallet.Schema + 1: false} {
		e := entryIn("key:a", 1, wallet.KeyConfirmed)
		e.Schema = schema
		require.Equal(t, prunable, e.Prunable(time.Now()), "schema %d", schema)
	}
}
