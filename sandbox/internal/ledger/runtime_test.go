package ledger

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// verdict lands a transaction in a slot of its own and says in short what became of it: "ok", the
// error of its last instruction, or with "refused" why it did not land.
func (f *fixture) verdict(payer solana.PublicKey, hash *solana.Hash, instructions ...solana.Instruction) string {
	f.t.Helper()
	f.slot++
	if hash == nil {
		newest, _ := f.Blockhash(0)
		hash = &newest
	}
	receipt, err := f.Submit(f.txOn(*hash, payer, instructions))
	if err != nil {
		var refused *TxError
		require.ErrorAs(f.t, err, &refused)
		return "refused " + refused.Kind
	}
	switch e := receipt.Err; {
	case e == nil:
		return "ok"
	case e.Kind != "InstructionError":
		return e.Kind
	case e.Cause.Kind == "Custom":
		return fmt.Sprint(e.Cause.Custom)
	default:
		return e.Cause.Kind
	}
}

// made creates an account with zeros in it, of a program.
func (f *fixture) made(payer solana.PublicKey, name string, size int, program solana.PublicKey) solana.PublicKey {
	f.t.Helper()
	k := f.key(name)
	f.ok(payer, in(solana.SystemProgramID, words(uint32(0), Rent(size), uint64(size), program), sw(payer), sw(k)))
	return k
}

// join is the data of an instruction whose first bytes are given.
func join(data []byte, more ...any) []byte { return append(data, words(more...)...) }

// Each is the smallest transaction of a class in which the ledger once differed from mainnet's runtime
// with mainnet's programs.
func TestVerdictsAreTheRuntimes(t *testing.T) {
	x := newTokens(t, NewMint{})
	y := newTokens(t, NewMint{Program: solana.Token2022ProgramID})
	memo, wallet := memoPrograms[0], x.key("wallet")
	x.Airdrop(wallet, sol)
	recent, rent := solana.SysVarRecentBlockHashesPubkey, solana.SysVarRentPubkey
	system := func(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
		return in(solana.SystemProgramID, data, accounts...)
	}
	budget := func(data ...any) solana.Instruction { return in(solana.ComputeBudget, words(data...)) }
	p256 := append([]byte{1, 0}, make([]byte, 14)...)
	unknown := solana.Hash{1}
	other := x.key("other mint")
	x.PutMint(other, NewMint{})
	for _, test := range []struct {
		class string
		f     *tokens
		want  string
		hash  *solana.Hash
		last  solana.Instruction
		first []solana.Instruction
	}{
		{"not executable", x, "refused InvalidProgramForExecution", nil, in(wallet, nil), nil},
		{"no such program", x, "refused ProgramAccountNotFound", nil, in(x.key("nothing"), nil), nil},
		{"token data short", x, "12", nil, x.do(nil, w(x.ofA), s(x.a)), nil},
		{"token tag unknown", x, "12", nil, x.do([]byte{99}, w(x.ofA), s(x.a)), nil},
		{"token-2022 tag unknown", y, "12", nil, y.do([]byte{99}, w(y.ofA), s(y.a)), nil},
		{"token-2022 data long", y, "InvalidInstructionData", nil,
			y.do(words(uint8(3), uint64(1), uint8(0)), w(y.ofA), w(y.ofB), s(y.a)), nil},
		{"token data long", x, "ok", nil, x.do(words(uint8(3), uint64(1), uint8(0)), w(x.ofA), w(x.ofB), s(x.a)), nil},
		{"no loaded data", x, "refused InvalidLoadedAccountsDataSizeLimit", nil, budget(uint8(4), uint32(0)), nil},
		{"little loaded data", x, "refused MaxLoadedAccountsDataSizeExceeded", nil, budget(uint8(4), uint32(1)), nil},
		{"ed25519 offsets", x, "3", nil, in(ed25519Program, append([]byte{1, 0}, make([]byte, 14)...)), nil},
		{"ed25519 length", x, "4", nil, in(ed25519Program, []byte{1, 0}), nil},
		{"secp256r1 offsets", x, "3", nil, in(secp256r1Program, p256), nil},
		{"secp256r1 count", x, "4", nil, in(secp256r1Program, append([]byte{139}, p256[1:]...)), nil},
		{"secp256k1 offsets", x, "2", nil, in(solana.Secp256k1ProgramID, make1(12)), nil},
		{"text of no amount", x, "InvalidArgument", nil, x.do([]byte{24, '.'}, r(x.mint)), nil},
		{"text of an amount", x, "ok", nil, x.do([]byte("\x180.5"), r(x.mint)), nil},
		{"another sysvar", x, "InvalidArgument", nil,
			x.do(join([]byte{0}, uint8(6), x.a, uint8(0)), w(x.made(x.a, "m1", mintSize, x.program)), r(x.a)), nil},
		{"multisig of none", x, "8", nil, x.do([]byte{19, 0}, w(x.made(x.a, "m2", 355, x.program)), r(x.a)), nil},
		{"multisig of nobody", x, "7", nil, x.do([]byte{19, 1}, w(x.made(x.a, "m3", 355, x.program))), nil},
		{"another's wallet as an account", x, "InvalidAccountData", nil, x.do([]byte{22}, w(wallet)), nil},
		{"another program's account", x, "ExternalAccountDataModified", nil,
			x.do([]byte{19, 1}, w(x.made(x.a, "m4", 355, memo)), r(x.a)), nil},
		{"token-2022 asks whose it is first", y, "IncorrectProgramId", nil, y.do([]byte{22}, w(y.b)), nil},
		{"a mint as an account", x, "InvalidAccountData", nil,
			x.do(words(uint8(3), uint64(1)), w(x.mint), w(x.ofB), s(x.a)), nil},
		{"a program's units", x, "ProgramFailedToComplete", nil,
			x.do([]byte{5}, w(x.ofA), s(x.a)), []solana.Instruction{budget(uint8(2), uint32(151))}},
		{"a builtin's units", x, "ComputationalBudgetExceeded", nil, transfer(x.a, x.b, 1),
			[]solana.Instruction{budget(uint8(2), uint32(151))}},
		{"memo of no text", x, "ProgramFailedToComplete", nil, in(memo, []byte{0xe2, 0x82}), nil},
		{"memo 1 of no text", x, "InvalidInstructionData", nil, in(memoPrograms[1], []byte{0xff}), nil},
		{"memo 1 asks for no signer", x, "ok", nil, in(memoPrograms[1], []byte("a"), r(wallet)), nil},
		{"nested account without accounts", x, "NotEnoughAccountKeys", nil,
			in(solana.SPLAssociatedTokenAccountProgramID, []byte{2}), nil},
		{"system account short", x, "MissingAccount", nil, system(words(uint32(2), uint64(1)), sw(x.a)), nil},
		{"nonce without its sysvar", x, "InvalidArgument", nil, system(words(uint32(4)), w(x.b), r(rent), s(x.a)), nil},
		{"nonce of another program", x, "InvalidAccountData", nil,
			system(words(uint32(7), x.a), w(x.made(x.a, "m5", 80, memo)), s(x.a)), nil},
		{"nonce in a wallet", x, "InvalidAccountData", nil, system(words(uint32(4)), w(x.b), r(recent), s(x.a)), nil},
		{"assign what is read-only", x, "ModifiedProgramId", nil, system(words(uint32(1), memo), s(x.b)), nil},
		{"pay what is read-only", x, "ReadonlyLamportChange", nil,
			system(words(uint32(2), uint64(1)), sw(x.a), r(x.b)), nil},
		{"an account as the mint", x, "InvalidAccountData", nil,
			x.do(words(uint8(8), uint64(1)), w(x.ofA), w(x.ofA), s(x.a)), nil},
		{"an account that token-2022 holds twice", y, "ProgramFailedToComplete", nil,
			y.do(words(uint8(8), uint64(1)), w(y.mint), w(y.mint), s(y.a)), nil},
		{"another mint", x, "3", nil, x.do(words(uint8(8), uint64(1)), w(x.ofA), w(other), s(x.a)), nil},
		{"a heap twice", x, "refused DuplicateInstruction", nil, budget(uint8(1), uint32(0)),
			[]solana.Instruction{budget(uint8(1), uint32(0))}},
		{"a heap that cannot be", x, "refused InstructionError", nil, budget(uint8(1), uint32(0)), nil},
		{"token data before accounts", x, "12", nil, x.do([]byte{16}, w(x.ofA)), nil},
		{"token-2022 data before accounts", y, "InvalidInstructionData", nil, y.do([]byte{34}, w(y.ofA)), nil},
		{"system data before accounts", x, "InvalidInstructionData", nil, system(words(uint32(2)), sw(x.a)), nil},
		{"a sysvar as token-2022's mint", y, "IncorrectProgramId", nil,
			y.do(join([]byte{0}, uint8(6), y.a, uint8(0)), r(rent), r(y.b)), nil},
		{"a text longer than memory", y, "ProgramFailedToComplete", nil,
			y.do(append(interfaceTag("spl_token_metadata_interface:remove_key_ix"), 0, 4, 0, 4, 0), w(y.mint), s(y.a)), nil},
		{"an option cut short", y, "InvalidInstructionData", nil, y.do([]byte{45, 1}, w(y.ofA), w(y.ofB)), nil},
		{"whose before which sysvar", y, "IncorrectProgramId", nil, y.do([]byte{2, 1}, w(y.b), r(y.a), r(y.a)), nil},
		{"whose before how many", y, "IncorrectProgramId", nil, y.do([]byte{1}, w(y.ofA), r(y.a)), nil},
		{"whose before whether it can be frozen", y, "IncorrectProgramId", nil, y.do([]byte{10}, w(y.ofA), r(rent), s(y.a)), nil},
		{"a batch cut short", y, "12", nil, y.do([]byte{255, 0}), nil},
		{"a permitted burn of no kind", y, "12", nil, y.do([]byte{46, 6}), nil},
		{"a permitted burn", y, "InvalidInstructionData", nil, y.do([]byte{46}), nil},
		{"a seed of no text", x, "InvalidInstructionData", nil,
			system(words(uint32(11), uint64(1), uint64(1), uint8(0xff), x.program), w(x.b), s(x.a), w(x.b)), nil},
		{"confidential supply", y, "InvalidInstructionData", nil, y.do([]byte{42}), nil},
		{"a sysvar that is none", x, "InvalidArgument", nil, x.do([]byte{17}, w(x.ofA), r(x.b)), nil},
		{"hash before budget", x, "refused BlockhashNotFound", &unknown, budget(uint8(0), uint32(1), uint32(0)), nil},
		{"table of an old slot", x, "InvalidInstructionData", nil,
			in(solana.AddressLookupTableProgramID, words(uint32(0), uint64(1447679), uint8(253)),
				w(wallet), s(x.b), sw(x.a)), nil},
	} {
		t.Run(test.class, func(t *testing.T) {
			f := test.f.fixture
			assert.Equal(t, test.want, f.verdict(test.f.a, test.hash, append(test.first, test.last)...))
		})
	}
}

func interfaceTag(name string) []byte {
	hash := sha256.Sum256([]byte(name))
	return hash[:8:8]
}

// make1 is data that begins with the count of one signature.
func make1(n int) []byte { return append([]byte{1}, make([]byte, n-1)...) }

func TestPayerKeepsItsRent(t *testing.T) {
	f := newFixture(t)
	poor := f.key("poor")
	f.Airdrop(poor, 5001)
	assert.Equal(t, "refused InsufficientFundsForRent", f.verdict(poor, nil, in(memoPrograms[0], nil)))
	assert.EqualValues(t, 5001, f.Balance(poor), "no fee is taken")
}

func TestNonceNeedsItsAuthorityToSign(t *testing.T) {
	f := newFixture(t)
	a, n := f.rich("a"), f.key("nonce")
	recent, rent := r(solana.SysVarRecentBlockHashesPubkey), r(solana.SysVarRentPubkey)
	create := words(uint32(0), Rent(nonceSize), uint64(nonceSize), solana.SystemProgramID)
	f.ok(a, in(solana.SystemProgramID, create, sw(a), sw(n)),
		in(solana.SystemProgramID, words(uint32(6), f.rich("authority")), w(n), recent, rent))
	value := nonceState(f.Account(n).Data).value()
	advance := func(authority *solana.AccountMeta) solana.Instruction {
		return in(solana.SystemProgramID, words(uint32(4)), w(n), recent, authority)
	}
	assert.Equal(t, "refused BlockhashNotFound", f.verdict(a, &value, advance(s(f.key("thief")))))
	assert.Equal(t, "ok", f.verdict(a, &value, advance(s(f.key("authority")))))
}

func TestClearedKeysKeepTheirBytes(t *testing.T) {
	for program, kept := range map[solana.PublicKey]bool{solana.TokenProgramID: true, solana.Token2022ProgramID: false} {
		x := newTokens(t, NewMint{Program: program})
		x.ok(x.a, x.do(words(uint8(4), uint64(5)), w(x.ofA), r(x.b), s(x.a)), x.do([]byte{5}, w(x.ofA), s(x.a)))
		account := x.token(x.ofA)
		assert.Zero(t, binary.LittleEndian.Uint32(account[72:]))
		assert.Equal(t, kept, solana.PublicKey(account[76:108]) == x.b)
	}
}

func TestUnwrappingIntoTheSameAccount(t *testing.T) {
	x := newTokens(t, NewMint{})
	x.PutMint(solana.WrappedSol, NewMint{Decimals: 9})
	account, _ := x.MintTo(x.a, solana.WrappedSol, 500)
	before := x.Balance(account)
	x.ok(x.a, x.do(words(uint8(45), uint8(1), uint64(200)), w(account), w(account), s(x.a)))
	assert.EqualValues(t, 300, x.token(account).Amount(), "the tokens go")
	assert.Equal(t, before, x.Balance(account), "the lamports stay")
}

func TestSignaturesAreVerified(t *testing.T) {
	f := newFixture(t)
	a := f.rich("a")
	text := []byte("hello")
	data := append([]byte{1, 0}, words(uint16(48), uint16(math.MaxUint16), uint16(16), uint16(math.MaxUint16),
		uint16(112), uint16(len(text)), uint16(math.MaxUint16))...)
	data = append(append(append(data, a[:]...), ed25519.Sign(f.keys[a], text)...), text...)
	assert.Equal(t, "ok", f.verdict(a, nil, in(ed25519Program, data)))
	data[len(data)-1]++
	assert.Equal(t, "2", f.verdict(a, nil, in(ed25519Program, data)))
}

func TestLookupTables(t *testing.T) {
	f := newFixture(t)
	a, b, owner := f.rich("a"), f.rich("b"), f.rich("owner")
	slot := f.slot
	number := binary.LittleEndian.AppendUint64(nil, slot)
	table, bump, err := solana.FindProgramAddress([][]byte{owner[:], number}, solana.AddressLookupTableProgramID)
	require.NoError(t, err)
	do := func(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
		return in(solana.AddressLookupTableProgramID, data, append([]*solana.AccountMeta{w(table), s(owner)}, accounts...)...)
	}
	extend := do(words(uint32(2), uint64(1), b), sw(a), r(solana.SystemProgramID))
	assert.Equal(t, "ok", f.verdict(a, nil, do(words(uint32(0), slot, bump), sw(a), r(solana.SystemProgramID)), extend))
	assert.Equal(t, []solana.PublicKey{b}, TableKeys(f.Account(table).Data))
	raw := f.tx(a, []solana.Instruction{transfer(a, b, 5)}, table)
	_, err = f.Submit(raw)
	assert.ErrorIs(t, err, ErrTableIndex, "addresses count from the next slot on")
	f.slot++
	receipt, err := f.Submit(raw)
	require.NoError(t, err)
	assert.Nil(t, receipt.Err)
	assert.Equal(t, "10", f.verdict(a, nil, in(solana.AddressLookupTableProgramID, words(uint32(2), uint64(1), b),
		r(table), s(owner), sw(a), r(solana.SystemProgramID))), "a table that is read-only")

	for _, step := range []struct {
		want string
		wait uint64
		data uint32
	}{{"InvalidArgument", 0, 4}, {"ok", 0, 3}, {"InvalidArgument", 0, 3}, {"InvalidArgument", 1, 4}, {"ok", 513, 4}} {
		f.slot += step.wait
		assert.Equal(t, step.want, f.verdict(a, nil, do(words(step.data), w(b))))
	}
	assert.Nil(t, f.Account(table))
}

func TestNestedAccountsAreRecovered(t *testing.T) {
	x := newTokens(t, NewMint{})
	inner := x.key("inner mint")
	x.PutMint(inner, NewMint{Decimals: 6, Authority: x.minter})
	nested, _ := x.MintTo(x.ofA, inner, 500)
	target, _ := x.MintTo(x.a, inner, 0)
	rescue := in(solana.SPLAssociatedTokenAccountProgramID, []byte{2},
		w(nested), r(inner), w(target), w(x.ofA), r(x.mint), sw(x.a), r(x.program))
	assert.Equal(t, "ok", x.verdict(x.a, nil, rescue))
	assert.EqualValues(t, 500, x.token(target).Amount())
	assert.Nil(t, x.Account(nested))
}

// The numbers are LiteSVM's, and the ledger's are within a tenth of them.
func TestUnitsAreAboutTheRuntimes(t *testing.T) {
	x := newTokens(t, NewMint{})
	y := newTokens(t, NewMint{Program: solana.Token2022ProgramID})
	for _, test := range []struct {
		f     *tokens
		units float64
		in    solana.Instruction
	}{
		{x, 150, transfer(x.a, x.b, 1)},
		{x, 76, x.do(words(uint8(3), uint64(1)), w(x.ofA), w(x.ofB), s(x.a))},
		{y, 1457, y.do(words(uint8(3), uint64(1)), w(y.ofA), w(y.ofB), s(y.a))},
		{x, 108, x.do([]byte{5}, w(x.ofA), s(x.a))},
		{x, 341, x.do([]byte{19, 1}, w(x.made(x.a, "m", 355, x.program)), r(x.a), r(x.b), r(x.minter), r(x.mint))},
		{x, 274, in(memoPrograms[0], []byte("before"))},
		{x, 845, in(memoPrograms[0], []byte("a"), s(x.a), s(x.b), s(x.minter), s(x.key("d")))},
		{x, 563, in(memoPrograms[1], []byte("hello"), s(x.a))},
		{y, 1223, y.do(words(uint8(3), uint64(1)), w(y.ofA), w(y.ofA), s(y.a))},
		{y, 1662, y.do(words(uint8(3), uint64(1)), w(y.ofA), w(y.ofB), s(y.a), r(y.b))},
		{x, 139, x.do(words(uint8(3), uint64(1)), w(x.ofA), w(x.ofB), s(x.a), r(x.b))},
	} {
		assert.InEpsilon(t, test.units, test.f.ok(test.f.a, test.in).Units, 0.1)
	}
}
