package wallet

import (
	"errors"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// TestBlindLater: a set is signed step by step only if nothing is wrong with it but that
// nobody shows what a transaction after the first does.
func TestBlindLater(t *testing.T) {
	for name, row := range map[string]struct {
		err   error
		also  []*signing.GuardError
		steps bool
	}{
		"the second":          {err: &signing.GuardError{Rule: signing.RuleBlind, Transaction: 1}, steps: true},
		"the first":           {err: &signing.GuardError{Rule: signing.RuleBlind}},
		"another rule":        {err: &signing.GuardError{Rule: signing.RuleUnknownProgram, Transaction: 1}},
		"another refusal too": {err: &signing.GuardError{Rule: signing.RuleBlind, Transaction: 1}, also: []*signing.GuardError{{}}},
		"no refusal":          {err: errors.New("lost")},
		"no error":            {},
	} {
		t.Run(name, func(t *testing.T) {
			e := &execution{result: &Result{Report: &signing.Report{Also: row.also}}}
			require.Equal(t, row.steps, e.blindLater(row.err))
		})
	}
}

// TestKept: the journal keeps a set up to a size, and none of a key that does not go on.
func TestKept(t *testing.T) {
	const text = 1024 // a whole part of mostKept, so that the largest set has just that size
	var tx *signing.Transaction
	for n := 500; tx == nil || len(tx.Base64()) < text; n++ {
		tx = decoded(t, solana.NewInstruction(solana.PublicKey{7}, nil, make([]byte, n)))
	}
	require.Len(t, tx.Base64(), text)
	require.Zero(t, mostKept%text)
	const fits = mostKept / text
	u := walletfi.Unsigned{LastValidBlockHeight: 7, Blockhash: "hash"}
	for n, whole := range map[int]bool{1: true, fits: true, fits + 1: false} {
		set := (&execution{}).kept(u, slices.Repeat([]*signing.Transaction{tx}, n))
		if require.Equal(t, whole, set != nil, n); whole {
			require.Equal(t, slices.Repeat([]walletfi.Base64Transaction{tx.Base64()}, n), set.Transactions)
			require.Equal(t, u.LastValidBlockHeight, set.LastValidBlockHeight)
			require.Equal(t, u.Blockhash, set.Blockhash)
		}
	}
	require.Nil(t, (&execution{entry: Entry{Derived: true}}).kept(u, []*signing.Transaction{tx}))
}

// TestRest: nothing goes on but a set that stopped between two steps, by its own transactions.
func TestRest(t *testing.T) {
	first, second := decoded(t, solana.NewInstruction(solana.PublicKey{7}, nil, []byte{1})), decoded(t, solana.NewInstruction(solana.PublicKey{7}, nil, []byte{2}))
	stopped := func() Entry {
		return Entry{
			Asked: walletfi.Intent{Owner: "owner"},
			Steps: []EntryStep{{State: KeyConfirmed, Message: messageID(first)}, {State: KeyReleased, Message: messageID(second)}},
			Set:   &EntrySet{Transactions: []walletfi.Base64Transaction{first.Base64(), second.Base64()}, LastValidBlockHeight: 7, Blockhash: "hash"},
		}
	}
	for name, c := range map[string]struct {
		change func(*Entry)
		goesOn bool
	}{
		"it stopped":                 {func(*Entry) {}, true},
		"it is a bundle":             {func(e *Entry) { e.Bundle = true }, false},
		"its key is derived":         {func(e *Entry) { e.Derived = true }, false},
		"it was signed whole":        {func(e *Entry) { e.Steps[1].Message = "" }, false},
		"nothing was executed":       {func(e *Entry) { e.Steps[0].State = KeyReleased }, false},
		"all was executed":           {func(e *Entry) { e.Steps[1].State = KeyConfirmed }, false},
		"the second failed":          {func(e *Entry) { e.Steps[1].State = KeyFailed }, false},
		"the second is in doubt":     {func(e *Entry) { e.Steps[1].State = KeyInDoubt }, false},
		"the second alone":           {func(e *Entry) { e.Steps[0].State, e.Steps[1].State = KeyReleased, KeyConfirmed }, false},
		"another order was kept":     {func(e *Entry) { slices.Reverse(e.Set.Transactions) }, false},
		"one of them was kept":       {func(e *Entry) { e.Set.Transactions = e.Set.Transactions[:1] }, false},
		"what was kept is no set":    {func(e *Entry) { e.Set.Transactions[1] = "no transaction" }, false},
		"nothing was kept":           {func(e *Entry) { e.Set = nil }, false},
		"the last of three was left": {func(e *Entry) { e.Steps[1].State = KeyConfirmed; third(e, second) }, true},
	} {
		e := stopped()
		c.change(&e)
		rest, ok := e.rest(walletfi.Unsigned{})
		require.Equal(t, c.goesOn, ok, name)
		if ok {
			require.Equal(t, e.Asked, rest.Intent)
			require.Equal(t, uint64(7), rest.LastValidBlockHeight)
			require.Equal(t, "hash", rest.Blockhash)
			require.Len(t, rest.Transactions, len(e.Steps))
		}
	}
	e := stopped()
	e.Set = nil
	_, ok := e.rest(walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{first.Base64(), second.Base64()}})
	require.True(t, ok, "the caller has them")
	_, ok = e.rest(walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{second.Base64(), first.Base64()}})
	require.False(t, ok, "the caller has others")
}

// third adds a transaction that is left.
func third(e *Entry, tx *signing.Transaction) {
	e.Steps = append(e.Steps, EntryStep{State: KeyReleased, Message: messageID(tx)})
	e.Set.Transactions = append(e.Set.Transactions, tx.Base64())
}
