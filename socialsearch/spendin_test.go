package socialsearch_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

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
	r, err := store.Reserve(t.Context(), "1", 5, 10)
	require.ErrorContains(t, err, "something else")
	require.False(t, r.Reserved)
	_, err = store.Settle(t.Context(), "1", 5)
	require.Error(t, err)
	_, err = store.State(t.Context())
	require.Error(t, err)
	now, err := tokens.Load(t.Context())
	require.NoError(t, err)
	require.True(t, now.Same(signedIn))
}

// TestSpendInOfGarbage: what says something else than what was spent is not read as nothing spent.
func TestSpendInOfGarbage(t *testing.T) {
	whole := `{"spent":5,"reserved":0,"byID":{}}`
	for _, token := range []walletfi.Token{
		{Refresh: walletfi.NewSecret("r")}, {Access: walletfi.NewSecret("null")}, {Access: walletfi.NewSecret("{}")},
		{Access: walletfi.NewSecret(`{"spent":null,"reserved":null,"byID":{}}`)},
		{Access: walletfi.NewSecret(`{"spent":-5,"reserved":0,"byID":{}}`)},
		{Access: walletfi.NewSecret(`{"spent":5,"reserved":0,"byID":{"\"1\"":-1}}`)},
		{Access: walletfi.NewSecret(`{"spent":5,"reserved":0,"byID":{},"more":1}`)},
	} {
		tokens := &walletfi.MemoryTokenStore{}
		require.NoError(t, tokens.Save(t.Context(), token))
		r, err := socialsearch.SpendIn(tokens).Reserve(t.Context(), "1", 5, 100)
		require.ErrorContains(t, err, "something else", token.Access.Reveal())
		require.False(t, r.Reserved)
		now, err := tokens.Load(t.Context())
		require.NoError(t, err)
		require.True(t, now.Same(token))
	}
	tokens := &walletfi.MemoryTokenStore{}
	require.NoError(t, tokens.Save(t.Context(), walletfi.Token{Access: walletfi.NewSecret(whole)}))
	state, err := socialsearch.SpendIn(tokens).State(t.Context())
	require.NoError(t, err)
	require.Equal(t, socialsearch.MeterState{Spent: 5}, state)
}

// TestSpendInOfAnyID: an id may be any bytes.
func TestSpendInOfAnyID(t *testing.T) {
	store := socialsearch.SpendIn(&walletfi.MemoryTokenStore{})
	for _, id := range []string{"\xff", "\xfe", ""} {
		r, err := store.Reserve(t.Context(), id, 5, 100)
		require.NoError(t, err)
		require.True(t, r.Reserved)
	}
	for i, id := range []string{"\xff", "\xfe", ""} {
		state, err := store.Settle(t.Context(), id, 1)
		require.NoError(t, err)
		require.Equal(t, socialsearch.MeterState{Spent: socialsearch.Cost(i + 1), Reserved: socialsearch.Cost(10 - 5*i)}, state)
	}
}

// overtaken is a store in which another process always comes first.
type overtaken struct{ walletfi.MemoryTokenStore }

func (*overtaken) Replace(context.Context, walletfi.Token, walletfi.Token) (bool, error) {
	return false, nil
}

// TestSpendInThatIsOvertaken: whoever always comes second waits between, and ends with the caller's time.
func TestSpendInThatIsOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		r, err := socialsearch.SpendIn(&overtaken{}).Reserve(ctx, "1", 5, 100)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.False(t, r.Reserved)
	})
}
