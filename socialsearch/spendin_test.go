package socialsearch_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/socialsearch/spendtest"
)

// TestSpendIn: what is spent is kept in a token store as in any other, and goes on after a restart.
func TestSpendIn(t *testing.T) {
	spendtest.Run(t, func(*testing.T) spendtest.Store {
		tokens := &walletfi.MemoryTokenStore{}
		open := func(*testing.T) socialsearch.SpendStore { return socialsearch.SpendIn(tokens) }
		return spendtest.Store{Open: open, Reopen: open}
	})
}

// TestSpendInOfAToken: a store that holds a token is not one of what is spent, and stays as it is.
func TestSpendInOfAToken(t *testing.T) {
	tokens := &walletfi.MemoryTokenStore{}
	signedIn := walletfi.Token{Access: walletfi.NewSecret("eyJ0eXAi"), Refresh: walletfi.NewSecret("r")}
	require.NoError(t, tokens.Save(context.Background(), signedIn))
	store := socialsearch.SpendIn(tokens)
	_, ok, err := store.Reserve(t.Context(), "1", 5, 10)
	require.ErrorContains(t, err, "something else")
	require.False(t, ok)
	_, err = store.Settle(t.Context(), "1", 5)
	require.Error(t, err)
	_, err = store.State(t.Context())
	require.Error(t, err)
	now, err := tokens.Load(t.Context())
	require.NoError(t, err)
	require.True(t, now.Same(signedIn))
}
