package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
)

func TestTransferFee(t *testing.T) {
	l := newFixture(t).Ledger
	free, taxed := solana.PublicKey{1}, solana.PublicKey{2}
	l.PutMint(free, NewMint{})
	l.PutMint(taxed, NewMint{Program: solana.Token2022ProgramID, FeeBasisPoints: 100, MaxFee: 1000})
	for _, c := range []struct {
		mint         solana.PublicKey
		amount, want uint64
	}{{free, 10_000, 0}, {taxed, 0, 0}, {taxed, 1, 1}, {taxed, 100, 1}, {taxed, 101, 2}, {taxed, 99_999, 1000}, {taxed, 1 << 63, 1000}} {
		m, ok := AsMint(l.Account(c.mint))
		assert.True(t, ok)
		assert.Equal(t, c.want, TransferFee(m, c.amount), "of %d", c.amount)
	}
}
