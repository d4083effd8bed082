package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
)

func TestWithheld(t *testing.T) {
	l := newFixture(t).Ledger
	mint, taxed := solana.PublicKey{1}, solana.PublicKey{2}
	l.PutMint(mint, NewMint{})
	l.PutMint(taxed, NewMint{Program: solana.Token2022ProgramID, FeeBasisPoints: 100, MaxFee: 1000})
	for _, m := range []solana.PublicKey{mint, taxed} {
		key, ok := l.MintTo(solana.PublicKey{3}, m, 7)
		assert.True(t, ok)
		account, ok := AsToken(l.Account(key))
		assert.True(t, ok)
		assert.Zero(t, account.Withheld())
		if held := extension(account, extensionFeeAmount); m == taxed {
			putUint64(held, 42)
			assert.EqualValues(t, 42, account.Withheld())
		}
	}
}
