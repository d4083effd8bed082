package ledger

import (
	"fmt"
	"math"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What an instruction uses depends on the accounts that it finds. The numbers are LiteSVM's.
func TestUnitsDependOnTheAccounts(t *testing.T) {
	x := newTokens(t, NewMint{})
	y := newTokens(t, NewMint{Program: solana.Token2022ProgramID})
	taxed := newTokens(t, NewMint{Program: solana.Token2022ProgramID, FeeBasisPoints: 100, MaxFee: 50})
	move := func(f *tokens, amount uint64, to solana.PublicKey, more ...*solana.AccountMeta) solana.Instruction {
		return f.do(words(uint8(3), amount), append([]*solana.AccountMeta{w(f.ofA), w(to), s(f.a)}, more...)...)
	}
	checked := func(f *tokens, amount uint64, to solana.PublicKey) solana.Instruction {
		return f.do(words(uint8(12), amount, uint8(6)), w(f.ofA), r(f.mint), w(to), s(f.a))
	}
	for name, test := range map[string]struct {
		f     *tokens
		units float64
		in    solana.Instruction
	}{
		"to itself":               {x, 124, move(x, 5, x.ofA)},
		"to itself, checked":      {x, 158, checked(x, 5, x.ofA)},
		"to itself, the long way": {x, 133, move(x, 5, x.ofA, r(x.b))},
		"of nothing":              {x, 94, move(x, 0, x.ofB)},
		"burn of nothing":         {x, 144, x.do(words(uint8(8), uint64(0)), w(x.ofA), w(x.mint), s(x.a))},
		"to itself, Token-2022":   {y, 1223, move(y, 5, y.ofA)},
		"to another, Token-2022":  {y, 1457, move(y, 5, y.ofB)},
		"with a fee":              {taxed, 2848, checked(taxed, 100, taxed.ofB)},
		"no account to harvest":   {taxed, 842, taxed.do([]byte{26, 4}, w(taxed.mint))},
		"an account to harvest":   {taxed, 1245, taxed.do([]byte{26, 4}, w(taxed.mint), w(taxed.ofB))},
		"none worth a harvest":    {taxed, 3508, taxed.do([]byte{26, 4}, w(taxed.mint), w(taxed.ofB), r(taxed.b))},
		"stake's accounts":        {x, 1071, in(solana.StakeProgramID, words(uint32(13)), r(x.a), r(x.b))},
	} {
		assert.InEpsilon(t, test.units, test.f.ok(test.f.a, test.in).Units, 0.1, name)
	}
}

// What an amount in words uses depends on its digits.
func TestUnitsOfTexts(t *testing.T) {
	f := newFixture(t)
	a := f.rich("a")
	mints := map[string]solana.PublicKey{}
	mint := func(program solana.PublicKey, decimals uint8) solana.PublicKey {
		name := fmt.Sprint(program, decimals)
		if _, ok := mints[name]; !ok {
			mints[name] = f.key(name)
			f.PutMint(mints[name], NewMint{Program: program, Decimals: decimals, Authority: a})
		}
		return mints[name]
	}
	token, token2022 := solana.TokenProgramID, solana.Token2022ProgramID
	for _, test := range []struct {
		program  solana.PublicKey
		decimals uint8
		data     []byte
		units    float64
	}{
		{token, 0, words(uint8(23), uint64(1)), 234}, {token, 6, words(uint8(23), uint64(0)), 204},
		{token, 6, words(uint8(23), uint64(1)), 357}, {token, 3, words(uint8(23), uint64(1_000_000)), 535},
		{token, 1, words(uint8(23), uint64(math.MaxUint64)), 687}, {token, 9, words(uint8(23), uint64(1e19)), 909},
		{token, 6, append([]byte{24}, "12.25"...), 637}, {token, 9, append([]byte{24}, "123456789"...), 2040},
		{token2022, 0, words(uint8(23), uint64(1)), 804}, {token2022, 6, words(uint8(23), uint64(0)), 1443},
		{token2022, 9, words(uint8(23), uint64(12345)), 1479}, {token2022, 1, words(uint8(23), uint64(12345)), 1205},
		{token2022, 6, append([]byte{24}, "123.456"...), 1673}, {token2022, 0, append([]byte{24}, "1"...), 1019},
		{token2022, 9, append([]byte{24}, "123456789"...), 2741},
	} {
		got := f.ok(a, in(test.program, test.data, r(mint(test.program, test.decimals))))
		assert.InEpsilon(t, test.units, got.Units, 0.1, "%d decimals, %q", test.decimals, test.data)
	}
}

func TestUnitsOfMerges(t *testing.T) {
	x := newStakes(t)
	for name, test := range map[string]struct {
		to, from bool // delegated
		units    float64
	}{
		"neither": {false, false, 9295}, "the source": {false, true, 10_325},
		"the target": {true, false, 14_840}, "both": {true, true, 15_896},
	} {
		to, from := x.stake(name+" to", 2*sol), x.stake(name+" from", 2*sol)
		for k, delegated := range map[solana.PublicKey]bool{to: test.to, from: test.from} {
			if delegated {
				x.ok(x.payer, x.delegate(k))
			}
		}
		assert.InEpsilon(t, test.units, x.ok(x.payer, x.merge(to, from)).Units, 0.1, name)
	}
}

// A program's memory costs units before it runs: 8 for each 32 KiB after the first.
func TestUnitsOfTheHeap(t *testing.T) {
	f := newFixture(t)
	a := f.rich("a")
	heap := in(solana.ComputeBudget, words(uint8(1), uint32(256<<10)))
	assert.EqualValues(t, 150+274+56, f.ok(a, heap, in(memoPrograms[0], []byte("hello"))).Units)

	memo := Compiled{Program: 1, Data: []byte("hello")}
	keys := []solana.PublicKey{a, memoPrograms[0]}
	receipt, err := f.Submit(f.v1(4|8|16, words(uint32(55), uint32(1<<20), uint32(256<<10)), keys, memo))
	require.NoError(t, err)
	assert.Equal(t, errNoHeap, receipt.Err.Cause)
	assert.Equal(t, []string{
		"Program " + memoPrograms[0].String() + " invoke [1]",
		"Failed to create SBF VM: Computational budget exceeded",
		"Program " + memoPrograms[0].String() + " failed: Failed to create program execution environment",
	}, receipt.Logs)
	assert.EqualValues(t, 55, receipt.Units)
}

// A mint with a multiplier cuts what is less than its smallest unit, one that bears interest rounds.
func TestShownAmounts(t *testing.T) {
	f := newFixture(t)
	a := f.rich("a")
	returned := func(m solana.PublicKey, data []byte) string {
		logs := f.ok(a, in(solana.Token2022ProgramID, data, r(m))).Logs
		require.Len(t, logs, 5)
		return logs[3][len("Program return: "+solana.Token2022ProgramID.String()+" "):]
	}
	scaled, _ := f.mintWith(a, 60, join([]byte{43, 0}, a, uint64(0x3ff8000000000000)))
	assert.Equal(t, "MC4wMDAwMDE=", returned(scaled, words(uint8(23), uint64(1))), "0.000001, not 0.000002")
	t.Run("interest", func(t *testing.T) {
		f.t = t
		interest, _ := f.mintWith(a, 56, join([]byte{33, 0}, a, uint16(0)))
		assert.Equal(t, "AgAAAAAAAAA=", returned(interest, append([]byte{24}, "1.5e-6"...)), "2, not 1")
		assert.Equal(t, "//////////8=", returned(interest, append([]byte{24}, "18446744073709.551616"...)))
		f.fails(errArgument, a, in(solana.Token2022ProgramID, append([]byte{24}, "1_0"...), r(interest)))
	})
}

// How far Token-2022 gets before it counts the accounts differs from instruction to instruction. The answers are
// LiteSVM's.
func TestTooFewAccounts(t *testing.T) {
	y := newTokens(t, NewMint{Program: solana.Token2022ProgramID})
	key := solana.PublicKey{}
	made := func(name string, size int) *solana.AccountMeta { return w(y.made(y.a, name, size, y.program)) }
	mint, account, wallet := w(y.mint), w(y.ofA), w(y.a)
	for name, test := range map[string]struct {
		want string
		data []byte
		all  []*solana.AccountMeta
	}{
		"approve, whose":       {"IncorrectProgramId", words(uint8(4), uint64(5)), []*solana.AccountMeta{wallet}},
		"burn, whose":          {"IncorrectProgramId", words(uint8(8), uint64(5)), []*solana.AccountMeta{account, wallet}},
		"burn, how many":       {"NotEnoughAccountKeys", words(uint8(8), uint64(5)), []*solana.AccountMeta{wallet}},
		"transfer, whose":      {"IncorrectProgramId", words(uint8(3), uint64(5)), []*solana.AccountMeta{mint, wallet, s(y.a)}},
		"revoke":               {"NotEnoughAccountKeys", []byte{5}, []*solana.AccountMeta{mint}},
		"a multisig":           {"IncorrectProgramId", []byte{2, 1}, []*solana.AccountMeta{wallet}},
		"reallocate":           {"InvalidAccountData", []byte{29, 1, 2}, []*solana.AccountMeta{mint, account}},
		"an unknown fee":       {"12", []byte{26, 9}, nil},
		"an unknown state":     {"12", []byte{28, 9, 1}, nil},
		"an unknown guard":     {"12", []byte{34, 9}, []*solana.AccountMeta{mint}},
		"an unknown pause":     {"12", []byte{44, 9}, nil},
		"withheld":             {"IncorrectProgramId", []byte{26, 2}, []*solana.AccountMeta{account, wallet, s(y.a)}},
		"nobody's delegate":    {"InvalidArgument", join([]byte{35}, key), []*solana.AccountMeta{made("m", 300)}},
		"a group of nothing":   {"12", join([]byte{40, 0}, key, key), []*solana.AccountMeta{made("g", 82)}},
		"a group of a mint":    {"6", join([]byte{40, 0}, key, key), []*solana.AccountMeta{mint}},
		"confidential, no key": {"InvalidInstructionData", []byte{27, 0}, nil},
		"approval, few":        {"NotEnoughAccountKeys", []byte{27, 3}, []*solana.AccountMeta{account, mint}},
		"approval, other mint": {"3", []byte{27, 3}, []*solana.AccountMeta{account, wallet, s(y.a)}},
		"credits, other owner": {"4", []byte{27, 9}, []*solana.AccountMeta{account, s(y.b)}},
		"harvest to a mint":    {"InvalidAccountData", []byte{37, 3}, []*solana.AccountMeta{mint}},
		"pending burn":         {"NotEnoughAccountKeys", []byte{42, 5}, nil},
		"no such confidential": {"12", []byte{27, 15}, nil},
		"no room for fees":     {"InvalidAccountData", join([]byte{37, 0}, key, key), []*solana.AccountMeta{made("f", 82)}},
	} {
		t.Run(name, func(t *testing.T) {
			y.t = t
			assert.Equal(t, test.want, y.verdict(y.a, nil, y.do(test.data, test.all...)))
		})
	}
}

// Token takes a multisig of Token-2022, too.
func TestMultisigOfTheOtherProgram(t *testing.T) {
	x := newTokens(t, NewMint{})
	owner := x.made(x.a, "owner", multisigSize, solana.Token2022ProgramID)
	x.ok(x.a, in(solana.Token2022ProgramID, []byte{19, 1}, w(owner), r(x.b)),
		x.do(words(uint8(6), uint8(2), uint8(1), owner), w(x.ofA), s(x.a)))
	x.fails(ErrSigner, x.a, x.do(words(uint8(3), uint64(5)), w(x.ofA), w(x.ofB), r(owner)))
	x.ok(x.a, x.do(words(uint8(3), uint64(5)), w(x.ofA), w(x.ofB), r(owner), s(x.b)))
	assert.Equal(t, [2]uint64{995, 5}, x.amounts())
}
