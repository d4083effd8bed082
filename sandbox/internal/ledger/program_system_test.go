package ledger

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func seeded(t *testing.T, base solana.PublicKey, seed string, owner solana.PublicKey) solana.PublicKey {
	t.Helper()
	k, err := solana.CreateWithSeed(base, seed, owner)
	require.NoError(t, err)
	return k
}

func system(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return in(solana.SystemProgramID, data, accounts...)
}

func TestSystemCreateAccount(t *testing.T) {
	f := newFixture(t)
	a, n := f.rich("a"), f.key("new")
	create := system(words(uint32(0), uint64(sol), uint64(100), solana.TokenProgramID), sw(a), sw(n))
	f.ok(a, create)
	assert.Equal(t, &Account{Lamports: sol, Owner: solana.TokenProgramID, Data: make([]byte, 100)}, f.Account(n))
	f.fails(Custom(0), a, system(words(uint32(0), uint64(sol), uint64(1), solana.TokenProgramID), sw(a), sw(n)))
	f.fails(ErrSigner, a, system(words(uint32(0), uint64(sol), uint64(1), solana.TokenProgramID), sw(a), w(f.key("other"))))
	f.fails(Custom(3), a, system(words(uint32(0), uint64(sol), uint64(maxSpace+1), solana.TokenProgramID), sw(a), sw(f.key("other"))))
	f.fails(ErrData, a, system(words(uint32(0), uint64(sol)), sw(a), sw(f.key("other"))))
	f.fails(ErrData, a, system(words(uint32(99)), sw(a)))
	f.fails(ErrData, a, system([]byte{1}, sw(a)))
	f.fails(errMissing, a, system(words(uint32(2), uint64(1)), sw(a)))
}

func TestLargeAccountsShareNothing(t *testing.T) {
	f := newFixture(t)
	f.Airdrop(f.key("a"), 100*sol)
	a, one, two := f.key("a"), f.key("one"), f.key("two")
	const space = 5000
	create := func(k solana.PublicKey) solana.Instruction {
		return system(words(uint32(0), Rent(space), uint64(space), solana.Token2022ProgramID), sw(a), sw(k))
	}
	f.ok(a, create(one), in(solana.Token2022ProgramID, []byte{22}, w(one)))
	f.ok(a, create(two))
	assert.NotEqual(t, make([]byte, space), f.Account(one).Data, "the first was written to")
	assert.Equal(t, make([]byte, space), f.Account(two).Data)
}

func TestSystemPrefundedAccount(t *testing.T) {
	f := newFixture(t)
	a, n := f.rich("a"), f.key("new")
	f.Airdrop(n, sol)
	f.ok(a, system(words(uint32(13), uint64(5), uint64(10), solana.TokenProgramID), sw(n), sw(a)))
	assert.Equal(t, &Account{Lamports: sol + 5, Owner: solana.TokenProgramID, Data: make([]byte, 10)}, f.Account(n))
}

func TestSystemSeeds(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	n := seeded(t, a, "stash", solana.TokenProgramID)
	f.ok(a, system(words(uint32(3), a, "stash", uint64(sol), uint64(8), solana.TokenProgramID), sw(a), w(n)))
	assert.Equal(t, solana.TokenProgramID, f.Account(n).Owner)
	f.fails(Custom(5), a, system(words(uint32(3), a, "other", uint64(sol), uint64(8), solana.TokenProgramID), sw(a), w(n)))

	purse := seeded(t, a, "purse", solana.SystemProgramID)
	f.Airdrop(purse, 3*sol)
	f.ok(a, system(words(uint32(11), uint64(sol), "purse", solana.SystemProgramID), w(purse), s(a), w(b)))
	assert.EqualValues(t, sol, f.Balance(b))
	f.fails(ErrSigner, a, system(words(uint32(11), uint64(sol), "purse", solana.SystemProgramID), w(purse), r(b), w(b)))

	alone := seeded(t, a, "alone", solana.TokenProgramID)
	f.Airdrop(alone, sol)
	f.ok(a, system(words(uint32(9), a, "alone", uint64(4), solana.TokenProgramID), w(alone), s(a)))
	assert.Len(t, f.Account(alone).Data, 4)
	given := seeded(t, a, "given", solana.TokenProgramID)
	f.Airdrop(given, sol)
	f.ok(a, system(words(uint32(10), a, "given", solana.TokenProgramID), w(given), s(a)))
	assert.Equal(t, solana.TokenProgramID, f.Account(given).Owner)
}

func TestSystemAssignAndAllocate(t *testing.T) {
	f := newFixture(t)
	a, n := f.rich("a"), f.rich("n")
	f.ok(a, system(words(uint32(8), uint64(16)), sw(n)))
	f.fails(Custom(0), a, system(words(uint32(8), uint64(16)), sw(n)))
	f.fails(ErrSigner, a, system(words(uint32(1), solana.TokenProgramID), w(n)))
	f.ok(a, system(words(uint32(1), solana.TokenProgramID), sw(n)))
	assert.Equal(t, solana.TokenProgramID, f.Account(n).Owner)
	f.fails(errArgument, a, transfer(n, a, 1))
	f.fails(errReadonlyLamports, a, system(words(uint32(2), uint64(1)), s(a), w(f.key("b"))), system(words(uint32(2), uint64(1)), sw(a), r(f.key("c"))))
}

func TestNonceTransaction(t *testing.T) {
	f := newFixture(t)
	a, b, n := f.rich("a"), f.key("b"), f.key("nonce")
	advance := system(words(uint32(4)), w(n), r(solana.SysVarRecentBlockHashesPubkey), s(a))
	f.ok(a,
		system(words(uint32(0), uint64(sol), uint64(nonceSize), solana.SystemProgramID), sw(a), sw(n)),
		system(words(uint32(6), a), w(n), r(solana.SysVarRecentBlockHashesPubkey), r(solana.SysVarRentPubkey)),
	)
	value := func() solana.Hash { return nonceState(f.Account(n).Data).value() }
	first := value()
	raw := f.txOn(first, a, []solana.Instruction{advance, transfer(a, b, sol)})
	failing := f.txOn(first, a, []solana.Instruction{advance, transfer(a, b, 100*sol)})
	f.slot += 10_000

	receipt, err := f.Submit(raw)
	require.NoError(t, err, "a nonce outlives any blockhash")
	require.Nil(t, receipt.Err)
	second := value()
	assert.NotEqual(t, first, second)
	_, err = f.Submit(failing)
	assert.Equal(t, ErrBlockhash, err, "the value was used up")

	f.slot++
	receipt, err = f.Submit(f.txOn(second, a, []solana.Instruction{advance, transfer(a, b, 100*sol)}))
	require.NoError(t, err)
	assert.NotNil(t, receipt.Err)
	assert.NotEqual(t, second, value(), "a failed transaction uses the value up too")

	f.fails(Custom(7), a, advance, advance)
	f.fails(ErrSigner, b, system(words(uint32(7), b), w(n), s(b)))
	f.ok(a, system(words(uint32(7), b), w(n), s(a)))
	assert.Equal(t, b, nonceState(f.Account(n).Data).authority())
	f.fails(errFunds, b, system(words(uint32(5), uint64(sol-1)), w(n), w(b), r(solana.SysVarRecentBlockHashesPubkey), r(solana.SysVarRentPubkey), s(b)))
	f.ok(b, system(words(uint32(5), uint64(sol)), w(n), w(b), r(solana.SysVarRecentBlockHashesPubkey), r(solana.SysVarRentPubkey), s(b)))
	assert.Nil(t, f.Account(n))
}
