package program

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// What is known of each program, held against the ledger's own lists: builtins
// are System, compute budget, vote, the loaders and the first two precompiles.
func TestKnown(t *testing.T) {
	for id, want := range map[string]Known{
		"11111111111111111111111111111111":             {"System", OfSystem, true},
		"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA":  {"Token", OfToken, false},
		"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb":  {"Token-2022", OfToken, false},
		"ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL": {"Associated Token Account", OfAssociatedToken, false},
		"ComputeBudget111111111111111111111111111111":  {"Compute Budget", OfComputeBudget, true},
		"Ed25519SigVerify111111111111111111111111111":  {"Ed25519", OfPrecompile, true},
		"KeccakSecp256k11111111111111111111111111111":  {"Secp256k1", OfPrecompile, true},
		"Secp256r1SigVerify1111111111111111111111111":  {"Secp256r1", OfPrecompile, false},
		"MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr":  {"Memo", OfMemo, false},
		"Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo":  {"Memo v1", OfMemo, false},
		"Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH":  {"Memo v4", OfMemo, false},
		"Stake11111111111111111111111111111111111111":  {"Stake", Denied, false},
		"BPFLoaderUpgradeab1e11111111111111111111111":  {"Upgradeable Loader", Denied, true},
		"LoaderV411111111111111111111111111111111111":  {"Loader v4", Denied, true},
		"BPFLoader1111111111111111111111111111111111":  {"BPF Loader", Denied, true},
		"BPFLoader2111111111111111111111111111111111":  {"BPF Loader 2", Denied, true},
		"AddressLookupTab1e1111111111111111111111111":  {"Address Lookup Table", Denied, false},
		"Vote111111111111111111111111111111111111111":  {"Vote", Denied, true},
	} {
		k, ok := txwire.DecodeKey(id)
		require.True(t, ok, id)
		assert.Equal(t, want, *Lookup(&k), id)
		assert.Equal(t, want.Name, Name(k))
		assert.Equal(t, want.Kind == OfToken, IsToken(k), id)
		near := k
		near[31] ^= 1
		assert.Equal(t, Known{}, *Lookup(&near), "an address beside %s", id)
		assert.Equal(t, near.String(), Name(near))
	}
	assert.Len(t, known, 18)
}

func TestAssets(t *testing.T) {
	usdc := address("usdc")
	for mint, want := range map[Key]Key{usdc: usdc, NativeMint: NativeMint, NativeMint2022: NativeMint} {
		assert.Equal(t, want, Asset(mint))
	}
	assert.Equal(t, "SOL (in lamports)", AssetName(NativeMint))
	assert.Equal(t, usdc.String(), AssetName(usdc))
	for _, row := range []struct {
		mint, by Key
		native   bool
	}{
		{NativeMint, Token, true}, {NativeMint2022, Token2022, true},
		{NativeMint, Token2022, false}, {NativeMint2022, Token, false}, {usdc, Token, false}, {usdc, Token2022, false},
	} {
		assert.Equal(t, row.native, IsNative(row.mint, row.by))
	}
	assert.Panics(t, func() { key("no key") })
}

func TestRent(t *testing.T) {
	assert.EqualValues(t, 890_880, Rent(0))
	assert.EqualValues(t, TokenAccountRent, Rent(165))
	assert.EqualValues(t, 2_039_280, TokenAccountRent)
	assert.EqualValues(t, 6960*(128+195), Token2022AccountRent)
	assert.EqualValues(t, 6960*(128+10_240), CalledRent)
	assert.EqualValues(t, 6960*(128+10<<20), Rent(10<<20))
	assert.Equal(t, Rent(10<<20), Rent(10<<20+1), "no account is longer")
	assert.Equal(t, Rent(10<<20), Rent(^uint64(0)))
	assert.Equal(t, "1.000000001 SOL", SOL(1_000_000_001))
}
