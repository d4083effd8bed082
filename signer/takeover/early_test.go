package takeover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// TestEarly: permissions from before there was a signer. The thief may take what comes into an
// account of Bob's, and closes that of his wrapped SOL; what goes there counts. Alice may take
// from another account of his, which is above his ceiling of a transaction.
func TestEarly(t *testing.T) {
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
		t.Run(row.what, func(t *testing.T) {
			r := newRig(t, 1, plan{nodes: 1, early: true})
			newCourt(r.c)
			d := &draft{payer: row.who, calls: row.set, blockhash: r.c.recent(2)}
			_, err := r.s.SignSet(t.Context(), "c0", signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{encoded(d.encode())},
				Intent: walletfi.Intent{Owner: row.who.String(), PayTo: []string{shop.String()},
					Spend: []walletfi.Asset{{Mint: row.mint.String(), Amount: 1 << 50}}},
			}})
			require.ErrorIs(t, err, signing.ErrRefused, row.what)
		})
	}
}
