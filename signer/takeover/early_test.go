package takeover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// TestEarly: permissions from before there was a signer. Alice may take from an account of
// Bob's; the thief may take what comes into another, and closes that of his wrapped SOL. None of
// these may be signed: each is above Bob's ceiling of a transaction, or beyond any.
func TestEarly(t *testing.T) {
	t.Skip("what an owner takes as another's delegate counts under its own ceilings alone, and what goes into " +
		"an account does not count if a stranger is its delegate or closes it")
	for _, row := range []struct {
		what string
		who  key
		mint key
		set  []call
	}{
		{"Alice takes from Bob", alice, usdc, []call{checked(usdc, second[bob], ata(shop, usdc), alice, 90*tok)}},
		{"into what the thief takes from", bob, usdc, []call{checked(usdc, second[bob], ata(bob, usdc), bob, 200*tok)}},
		{"into what the thief closes", bob, wsol, []call{lamports(bob, ata(bob, wsol), 5*sol), synced(ata(bob, wsol))}},
	} {
		r := newRig(t, 1, plan{nodes: 1, early: true})
		newCourt(r.c)
		d := &draft{payer: row.who, calls: row.set, blockhash: r.c.recent(2)}
		_, err := r.s.SignSet(t.Context(), "c0", signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
			Transactions: []walletfi.EncodedTransaction{encoded(d.encode())},
			Intent: walletfi.Intent{Owner: row.who.String(), PayTo: []string{shop.String()},
				Spend: []walletfi.Asset{{Mint: row.mint.String(), Amount: 1 << 50}}},
		}})
		require.ErrorIs(t, err, signing.ErrRefused, row.what)
	}
}
