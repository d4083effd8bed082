package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
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
	assert.EqualValues(t, int64(6960*(128+10<<20)), Rent(10<<20))
	assert.Equal(t, Rent(10<<20), Rent(10<<20+1), "no account is longer")
	assert.Equal(t, Rent(10<<20), Rent(^uint64(0)))
	assert.Equal(t, "1.000000001 SOL", SOL(walletfi.Amount(1_000_000_001)))
}

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

func TestTokenState(t *testing.T) {
	usdc, owner, thief, friend := address("usdc"), address("owner"), address("thief"), address("friend")
	d := make([]byte, TokenAccountSize)
	copy(d, usdc[:])
	copy(d[32:], owner[:])
	binary.LittleEndian.PutUint64(d[64:], 5)
	binary.LittleEndian.PutUint32(d[72:], 1)
	copy(d[76:], thief[:])
	d[108] = 1
	binary.LittleEndian.PutUint64(d[121:], 3)
	binary.LittleEndian.PutUint32(d[129:], 1)
	copy(d[133:], friend[:])
	good := State{2_039_280, Token2022, d}

	state, ok := ReadTokenState(good)
	require.True(t, ok)
	assert.Equal(t, TokenState{usdc, owner, 5, thief, 3, friend, false}, state)
	many := State{good.Lamports, Token, bytes.Repeat([]byte{0xfe}, TokenAccountSize)} // each byte of each number
	state, ok = ReadTokenState(many)
	require.True(t, ok)
	assert.Equal(t, uint64(0xfefefefefefefefe), state.Amount)
	assert.Equal(t, uint64(0xfefefefefefefefe), state.Delegated)
	for at, is := range map[int]func(TokenState) bool{
		72: func(s TokenState) bool { return s.Delegate == thief && s.Delegated == 3 }, 129: func(s TokenState) bool { return s.CloseAuthority == friend },
	} { // each byte of an option says that there is one
		none := State{good.Lamports, Token, bytes.Clone(d)}
		clear(none.Data[at : at+4])
		state, ok := ReadTokenState(none)
		require.True(t, ok)
		assert.False(t, is(state), "what lies behind an option that is none is nobody's")
		if at == 72 {
			assert.Zero(t, state.Delegate)
			assert.Zero(t, state.Delegated)
		} else {
			assert.Zero(t, state.CloseAuthority)
		}
		for i := range 4 {
			none.Data[at+i] = 1
			state, ok := ReadTokenState(none)
			require.True(t, ok)
			assert.True(t, is(state))
			none.Data[at+i] = 0
		}
	}
	extended := good
	extended.Data = append(bytes.Clone(good.Data), accountTypeToken, 1, 2)
	_, ok = ReadTokenState(extended)
	assert.True(t, ok)
	for name, change := range map[string]func(*State){
		"another program": func(a *State) { a.Owner = address("exchange") },
		"short":           func(a *State) { a.Data = a.Data[:164] },
		"uninitialised":   func(a *State) { a.Data[108] = 0 },
		"a mint":          func(a *State) { a.Data = append(a.Data, 1) },
	} {
		bad := State{good.Lamports, good.Owner, bytes.Clone(good.Data)}
		change(&bad)
		state, ok := ReadTokenState(bad)
		assert.False(t, ok, name)
		assert.Zero(t, state, name)
	}
}
