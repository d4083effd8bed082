package signing

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDerivationsEqualSolanaGo(t *testing.T) {
	for i := range 200 {
		wallet, mint := addressOf(string(rune(i))), addressOf(string(rune(1000+i)))
		for _, program := range []PublicKey{TokenProgram, Token2022Program} {
			want, _, err := solana.FindProgramAddress([][]byte{wallet[:], program[:], mint[:]}, solana.SPLAssociatedTokenAccountProgramID)
			require.NoError(t, err)
			require.Equal(t, PublicKey(want), AssociatedTokenAddress(wallet, mint, program))
		}
		want, err := solana.CreateWithSeed(solana.PublicKey(wallet), "seed", solana.PublicKey(mint))
		require.NoError(t, err)
		require.Equal(t, PublicKey(want), SeedAddress(wallet, "seed", mint))
	}
}

func TestDerivationsAreBounded(t *testing.T) {
	var d derivations
	d.known = map[derivation]PublicKey{}
	for i := range maxDerivations {
		var k PublicKey
		binary.LittleEndian.PutUint32(k[:], uint32(i))
		d.known[derivation{wallet: k}] = k
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { assert.Equal(t, ourUSDC, d.associated(owner, usdc, TokenProgram)) })
	}
	group.Wait()
	assert.Less(t, len(d.known), 5)
}
