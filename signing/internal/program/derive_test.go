package program

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func address(name string) Key { return Key(sha256.Sum256([]byte(name))) }

func TestDerivationsEqualSolanaGo(t *testing.T) {
	for i := range 200 {
		wallet, mint := address(string(rune(i))), address(string(rune(1000+i)))
		for _, by := range []Key{Token, Token2022} {
			want, _, err := solana.FindProgramAddress([][]byte{wallet[:], by[:], mint[:]}, solana.SPLAssociatedTokenAccountProgramID)
			require.NoError(t, err)
			require.Equal(t, Key(want), AssociatedAddress(wallet, mint, by))
		}
		want, err := solana.CreateWithSeed(solana.PublicKey(wallet), "seed", solana.PublicKey(mint))
		require.NoError(t, err)
		require.Equal(t, Key(want), SeedAddress(wallet, "seed", mint))
	}
}

func TestDerivationsAreBounded(t *testing.T) {
	var d Derivations
	d.known = map[derivation]Key{}
	for i := range maxDerivations - 1 {
		var k Key
		binary.LittleEndian.PutUint32(k[:], uint32(i))
		d.known[derivation{wallet: k}] = k
	}
	owner, usdc := address("owner"), address("usdc")
	require.Equal(t, AssociatedAddress(usdc, owner, Token), d.Associated(usdc, owner, Token))
	require.Len(t, d.known, maxDerivations, "there is room for one more")
	ours := AssociatedAddress(owner, usdc, Token)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { assert.Equal(t, ours, d.Associated(owner, usdc, Token)) })
	}
	group.Wait()
	assert.Less(t, len(d.known), 5)
}
