package ledger

import (
	"testing"

	bin "github.com/gagliardetto/binary"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tokens is a ledger with a mint of 6 decimals, of which a holds 1,000.
type tokens struct {
	*fixture
	a, b, minter solana.PublicKey // wallets with SOL
	mint         solana.PublicKey
	ofA, ofB     solana.PublicKey // their accounts; b's is empty
	program      solana.PublicKey
}

func newTokens(t *testing.T, n NewMint) *tokens {
	f := newFixture(t)
	x := &tokens{fixture: f, a: f.rich("a"), b: f.rich("b"), minter: f.rich("minter"), mint: f.key("mint"), program: n.Program}
	if x.program.IsZero() {
		x.program = solana.TokenProgramID
	}
	n.Decimals, n.Authority = 6, x.minter
	f.PutMint(x.mint, n)
	x.ofA, _ = f.MintTo(x.a, x.mint, 1000)
	x.ofB, _ = f.MintTo(x.b, x.mint, 0)
	return x
}

// do is an instruction of the token program.
func (x *tokens) do(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return in(x.program, data, accounts...)
}

func (x *tokens) amounts() [2]uint64 {
	return [2]uint64{x.token(x.ofA).Amount(), x.token(x.ofB).Amount()}
}

func (x *tokens) supply() uint64 {
	m, ok := AsMint(x.Account(x.mint))
	require.True(x.t, ok)
	return m.Supply()
}

func TestLayoutIsTheLibraries(t *testing.T) {
	x := newTokens(t, NewMint{})
	x.ok(x.a, x.do(words(uint8(4), uint64(77)), w(x.ofA), r(x.b), s(x.a)))
	var account token.Account
	require.NoError(t, bin.NewBinDecoder(x.Account(x.ofA).Data).Decode(&account))
	assert.Equal(t, x.mint, account.Mint)
	assert.Equal(t, x.a, account.Owner)
	assert.EqualValues(t, 1000, account.Amount)
	assert.Equal(t, x.b, *account.Delegate)
	assert.EqualValues(t, 77, account.DelegatedAmount)
	assert.Equal(t, token.Initialized, account.State)
	assert.Nil(t, account.IsNative)
	assert.Nil(t, account.CloseAuthority)
	var mint token.Mint
	require.NoError(t, bin.NewBinDecoder(x.Account(x.mint).Data).Decode(&mint))
	assert.EqualValues(t, 1000, mint.Supply)
	assert.EqualValues(t, 6, mint.Decimals)
	assert.Equal(t, x.minter, *mint.MintAuthority)
}

func TestTokenTransfers(t *testing.T) {
	x := newTokens(t, NewMint{})
	plain := func(n uint64, authority *solana.AccountMeta) solana.Instruction {
		return x.do(words(uint8(3), n), w(x.ofA), w(x.ofB), authority)
	}
	checked := func(n uint64, decimals uint8) solana.Instruction {
		return x.do(words(uint8(12), n, decimals), w(x.ofA), r(x.mint), w(x.ofB), s(x.a))
	}
	x.ok(x.a, plain(100, s(x.a)))
	x.ok(x.a, checked(50, 6))
	assert.Equal(t, [2]uint64{850, 150}, x.amounts())
	x.fails(tokenFunds, x.a, plain(851, s(x.a)))
	x.fails(tokenDecimals, x.a, checked(1, 5))
	x.fails(tokenOwnerMismatch, x.a, plain(1, s(x.b)))
	x.fails(ErrSigner, x.b, plain(1, r(x.a)))
	x.fails(errReadonly, x.a, x.do(words(uint8(3), uint64(1)), r(x.ofA), w(x.ofB), s(x.a)))
	x.fails(tokenInvalid, x.a, x.do([]byte{3, 1}, w(x.ofA), w(x.ofB), s(x.a)))
	x.ok(x.a, x.do(words(uint8(3), uint64(850)), w(x.ofA), w(x.ofA), s(x.a)))
	assert.Equal(t, [2]uint64{850, 150}, x.amounts(), "to oneself changes nothing")

	other := x.key("other mint")
	x.PutMint(other, NewMint{Decimals: 6})
	elsewhere, _ := x.MintTo(x.b, other, 1)
	x.fails(tokenMintMismatch, x.a, x.do(words(uint8(3), uint64(1)), w(x.ofA), w(elsewhere), s(x.a)))
	x.fails(errProgram, x.a, in(solana.Token2022ProgramID, words(uint8(3), uint64(1)), w(x.ofA), w(x.ofB), s(x.a)))
	x.fails(errAccountData, x.a, x.do(words(uint8(3), uint64(1)), w(x.mint), w(x.ofB), s(x.a)))
}

func TestTokenDelegates(t *testing.T) {
	x := newTokens(t, NewMint{})
	move := func(n uint64) solana.Instruction {
		return x.do(words(uint8(3), n), w(x.ofA), w(x.ofB), s(x.b))
	}
	x.ok(x.a, x.do(words(uint8(13), uint64(300), uint8(6)), w(x.ofA), r(x.mint), r(x.b), s(x.a)))
	x.ok(x.b, move(200))
	assert.EqualValues(t, 100, x.token(x.ofA).DelegatedAmount())
	x.fails(tokenFunds, x.b, move(101))
	x.ok(x.b, move(100))
	_, has := x.token(x.ofA).Delegate()
	assert.False(t, has, "what is used up is gone")
	x.fails(tokenOwnerMismatch, x.b, move(1))

	x.ok(x.a, x.do(words(uint8(4), uint64(5)), w(x.ofA), r(x.b), s(x.a)))
	x.ok(x.a, x.do([]byte{5}, w(x.ofA), s(x.a)))
	x.fails(tokenOwnerMismatch, x.b, move(1))
}

func TestTokenMintBurnFreezeClose(t *testing.T) {
	x := newTokens(t, NewMint{})
	x.ok(x.minter, x.do(words(uint8(7), uint64(50)), w(x.mint), w(x.ofB), s(x.minter)))
	x.ok(x.minter, x.do(words(uint8(14), uint64(50), uint8(6)), w(x.mint), w(x.ofB), s(x.minter)))
	assert.EqualValues(t, 1100, x.supply())
	x.fails(tokenOwnerMismatch, x.a, x.do(words(uint8(7), uint64(50)), w(x.mint), w(x.ofB), s(x.a)))
	x.fails(tokenOverflow, x.minter, x.do(words(uint8(7), uint64(1<<64-1)), w(x.mint), w(x.ofB), s(x.minter)))

	x.ok(x.b, x.do(words(uint8(8), uint64(40)), w(x.ofB), w(x.mint), s(x.b)))
	x.ok(x.b, x.do(words(uint8(15), uint64(60), uint8(6)), w(x.ofB), w(x.mint), s(x.b)))
	assert.EqualValues(t, 1000, x.supply())
	x.fails(tokenFunds, x.b, x.do(words(uint8(8), uint64(1)), w(x.ofB), w(x.mint), s(x.b)))
	x.fails(tokenDecimals, x.a, x.do(words(uint8(15), uint64(1), uint8(9)), w(x.ofA), w(x.mint), s(x.a)))

	freeze := func(tag byte, by solana.PublicKey) solana.Instruction {
		return x.do([]byte{tag}, w(x.ofA), r(x.mint), s(by))
	}
	x.fails(tokenOwnerMismatch, x.a, freeze(10, x.a))
	x.ok(x.minter, freeze(10, x.minter))
	x.fails(tokenState, x.minter, freeze(10, x.minter))
	x.fails(tokenFrozen, x.a, x.do(words(uint8(8), uint64(1)), w(x.ofA), w(x.mint), s(x.a)))
	x.fails(tokenFrozen, x.a, x.do(words(uint8(3), uint64(1)), w(x.ofA), w(x.ofB), s(x.a)))
	x.ok(x.minter, freeze(11, x.minter))

	x.fails(tokenNotEmpty, x.a, x.do([]byte{9}, w(x.ofA), w(x.a), s(x.a)))
	x.fails(tokenOwnerMismatch, x.a, x.do([]byte{9}, w(x.ofB), w(x.a), s(x.a)))
	before := x.Balance(x.a)
	x.ok(x.b, x.do([]byte{9}, w(x.ofB), w(x.a), s(x.b)))
	assert.Equal(t, before+Rent(165), x.Balance(x.a))
	assert.Nil(t, x.Account(x.ofB))
}

func TestTokenAuthorities(t *testing.T) {
	x := newTokens(t, NewMint{})
	give := func(account solana.PublicKey, kind uint8, to *solana.PublicKey, by solana.PublicKey) solana.Instruction {
		data := []byte{6, kind, 0}
		if to != nil {
			data = append([]byte{6, kind, 1}, to[:]...)
		}
		return x.do(data, w(account), s(by))
	}
	x.ok(x.a, give(x.ofA, 3, &x.b, x.a))
	x.fails(tokenOwnerMismatch, x.a, give(x.ofA, 3, nil, x.a))
	closer, _ := x.token(x.ofA).CloseAuthority()
	assert.Equal(t, x.b, closer)
	x.ok(x.a, give(x.ofA, 2, &x.b, x.a))
	assert.Equal(t, x.b, x.token(x.ofA).Owner())
	x.fails(tokenInvalid, x.b, give(x.ofA, 2, nil, x.b))
	x.fails(tokenAuthorityType, x.b, give(x.ofA, 0, nil, x.b))
	x.fails(tokenAuthorityType, x.minter, give(x.mint, 2, nil, x.minter))
	x.ok(x.minter, give(x.mint, 0, nil, x.minter))
	x.fails(tokenFixedSupply, x.minter, x.do(words(uint8(7), uint64(1)), w(x.mint), w(x.ofB), s(x.minter)))
	x.ok(x.minter, give(x.mint, 1, &x.a, x.minter))
	x.ok(x.a, x.do([]byte{10}, w(x.ofB), r(x.mint), s(x.a)))
}

func TestTokenAccountsAreInitialized(t *testing.T) {
	x := newTokens(t, NewMint{})
	make165 := func(k solana.PublicKey, lamports uint64) solana.Instruction {
		return in(solana.SystemProgramID, words(uint32(0), lamports, uint64(165), x.program), sw(x.a), sw(k))
	}
	rent := r(solana.SysVarRentPubkey)
	for i, form := range []struct {
		data []byte
		more []*solana.AccountMeta
	}{{[]byte{1}, []*solana.AccountMeta{r(x.b), rent}}, {words(uint8(16), x.b), []*solana.AccountMeta{rent}}, {words(uint8(18), x.b), nil}} {
		k := x.key(string(rune('p' + i)))
		initialize := x.do(form.data, append([]*solana.AccountMeta{w(k), r(x.mint)}, form.more...)...)
		x.ok(x.a, make165(k, Rent(165)), initialize)
		assert.Equal(t, x.b, x.token(k).Owner())
		x.fails(tokenInUse, x.a, initialize)
	}
	x.fails(tokenInvalidMint, x.a, make165(x.key("u"), Rent(165)), x.do(words(uint8(18), x.b), w(x.key("u")), r(x.ofA)))
	x.fails(tokenNotRentExempt, x.a, make165(x.key("v"), Rent(165)-1), x.do(words(uint8(18), x.b), w(x.key("v")), r(x.mint)))

	m := x.key("made mint")
	x.ok(x.a,
		in(solana.SystemProgramID, words(uint32(0), Rent(82), uint64(82), x.program), sw(x.a), sw(m)),
		x.do(append(words(uint8(20), uint8(2), x.a), 0), w(m)))
	made, ok := AsMint(x.Account(m))
	require.True(t, ok)
	assert.EqualValues(t, 2, made.Decimals())
	_, freezable := made.FreezeAuthority()
	assert.False(t, freezable)
}

func TestWrappedSOL(t *testing.T) {
	f := newFixture(t)
	f.PutMint(solana.WrappedSol, NewMint{Decimals: 9})
	a, b := f.rich("a"), f.rich("b")
	ofA, ofB := Associated(a, solana.WrappedSol, solana.TokenProgramID), Associated(b, solana.WrappedSol, solana.TokenProgramID)
	create := func(wallet, account solana.PublicKey) solana.Instruction {
		return in(solana.SPLAssociatedTokenAccountProgramID, []byte{1}, sw(wallet), w(account), r(wallet), r(solana.WrappedSol), r(solana.SystemProgramID), r(solana.TokenProgramID))
	}
	do := func(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
		return in(solana.TokenProgramID, data, accounts...)
	}
	f.ok(b, create(b, ofB))
	f.ok(a, create(a, ofA), transfer(a, ofA, 3*sol), do([]byte{17}, w(ofA)))
	assert.EqualValues(t, int64(3*sol), f.token(ofA).Amount())
	assert.True(t, f.token(ofA).Native())
	f.ok(a, do(words(uint8(3), uint64(sol)), w(ofA), w(ofB), s(a)))
	assert.EqualValues(t, Rent(165)+sol, f.Balance(ofB))
	f.fails(tokenNative, a, do(words(uint8(8), uint64(1)), w(ofA), w(solana.WrappedSol), s(a)))

	before := f.Balance(b)
	f.ok(a, do(words(uint8(45), uint8(1), uint64(sol/2)), w(ofA), w(b), s(a)))
	assert.EqualValues(t, before+sol/2, f.Balance(b))
	f.ok(a, do([]byte{45, 0}, w(ofA), w(b), s(a)))
	assert.Zero(t, f.token(ofA).Amount())
	f.ok(b, do([]byte{9}, w(ofB), w(a), s(b)))
	assert.Nil(t, f.Account(ofB), "wrapped SOL closes with its balance")
}

func TestWithdrawExcess(t *testing.T) {
	x := newTokens(t, NewMint{})
	x.Airdrop(x.ofA, 12345)
	before := x.Balance(x.b)
	x.fails(tokenOwnerMismatch, x.b, x.do([]byte{38}, w(x.ofA), w(x.b), s(x.b)))
	x.ok(x.a, x.do([]byte{38}, w(x.ofA), w(x.b), s(x.a)))
	assert.EqualValues(t, 12345-5000, x.Balance(x.b)-before)
	assert.Equal(t, Rent(165), x.Balance(x.ofA))
	x.Airdrop(x.ofA, 54321)
	x.ok(x.a, x.do([]byte{38}, w(x.ofA), w(x.ofA), s(x.a)))
	assert.Equal(t, Rent(165)+54321, x.Balance(x.ofA), "to itself it moves nothing")
}

func TestBatch(t *testing.T) {
	x := newTokens(t, NewMint{})
	move := words(uint8(3), uint64(10))
	data := []byte{255, 3, byte(len(move))}
	data = append(data, move...)
	data = append(append(data, 3, byte(len(move))), move...)
	accounts := []*solana.AccountMeta{w(x.ofA), w(x.ofB), s(x.a), w(x.ofA), w(x.ofB), s(x.a)}
	x.ok(x.a, x.do(data, accounts...))
	assert.Equal(t, [2]uint64{980, 20}, x.amounts())
	x.fails(errKeys, x.a, x.do(data, accounts[:5]...))
	x.fails(tokenInvalid, x.a, x.do([]byte{255, 0, 1, 255}))
	x.fails(tokenInvalid, x.a, x.do([]byte{255, 0, 9, 3}))
}

func TestMultisig(t *testing.T) {
	x := newTokens(t, NewMint{})
	m, c := x.key("multisig"), x.rich("c")
	x.ok(x.a,
		in(solana.SystemProgramID, words(uint32(0), Rent(355), uint64(355), x.program), sw(x.a), sw(m)),
		x.do([]byte{19, 2}, w(m), r(x.a), r(x.b), r(c)))
	x.ok(x.a, x.do(append([]byte{6, 2, 1}, m[:]...), w(x.ofA), s(x.a)))
	move := func(signers ...*solana.AccountMeta) solana.Instruction {
		return x.do(words(uint8(3), uint64(10)), append([]*solana.AccountMeta{w(x.ofA), w(x.ofB), r(m)}, signers...)...)
	}
	x.ok(x.a, move(s(x.a), s(c)))
	x.fails(ErrSigner, x.a, move(s(x.a)))
	x.fails(ErrSigner, x.a, move(s(x.a), s(x.a)))
	x.fails(ErrSigner, x.a, move(s(x.a), r(c)))
	assert.Equal(t, [2]uint64{990, 10}, x.amounts())
}

func TestTransferFees(t *testing.T) {
	x := newTokens(t, NewMint{Program: solana.Token2022ProgramID, FeeBasisPoints: 150, MaxFee: 5})
	checked := x.do(words(uint8(12), uint64(101), uint8(6)), w(x.ofA), r(x.mint), w(x.ofB), s(x.a))
	x.fails(tokenMintRequired, x.a, x.do(words(uint8(3), uint64(100)), w(x.ofA), w(x.ofB), s(x.a)))
	x.ok(x.a, checked)
	assert.Equal(t, [2]uint64{899, 99}, x.amounts(), "1.515 is rounded up to 2")
	withFee := func(n, fee uint64) solana.Instruction {
		return x.do(words(uint8(26), uint8(1), n, uint8(6), fee), w(x.ofA), r(x.mint), w(x.ofB), s(x.a))
	}
	x.fails(tokenFeeMismatch, x.a, withFee(800, 12))
	x.ok(x.a, withFee(800, 5))
	assert.Equal(t, [2]uint64{99, 894}, x.amounts(), "5 at most")

	x.ok(x.b, x.do(words(uint8(8), uint64(894)), w(x.ofB), w(x.mint), s(x.b)))
	x.fails(tokenWithheld, x.b, x.do([]byte{9}, w(x.ofB), w(x.b), s(x.b)))
	x.ok(x.b, x.do([]byte{26, 4}, w(x.mint), w(x.ofB)), x.do([]byte{9}, w(x.ofB), w(x.b), s(x.b)))
	config, ok := feeOf(Mint(x.Account(x.mint).Data))
	require.True(t, ok)
	assert.EqualValues(t, 7, config.withheld())
	x.fails(tokenImmutableOwner, x.a, x.do(append([]byte{6, 2, 1}, x.b[:]...), w(x.ofA), s(x.a)))
}

func TestAssociatedAccounts(t *testing.T) {
	for _, test := range []struct {
		name  string
		mint  NewMint
		space int
	}{
		{"token", NewMint{}, 165},
		{"token-2022", NewMint{Program: solana.Token2022ProgramID}, 170},
		{"token-2022 with fees", NewMint{Program: solana.Token2022ProgramID, FeeBasisPoints: 1, MaxFee: 1}, 182},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newTokens(t, test.mint)
			c := x.key("c")
			address := Associated(c, x.mint, x.program)
			create := func(data []byte, account solana.PublicKey) solana.Instruction {
				return in(solana.SPLAssociatedTokenAccountProgramID, data, sw(x.a), w(account), r(c), r(x.mint), r(solana.SystemProgramID), r(x.program))
			}
			receipt := x.ok(x.a, create(nil, address))
			require.Len(t, receipt.Inner, 1)
			assert.Len(t, receipt.Inner[0].Instructions, 4)
			assert.Equal(t, 2, receipt.Inner[0].Instructions[0].Depth)
			assert.Equal(t, c, x.token(address).Owner())
			assert.Len(t, x.Account(address).Data, test.space)
			assert.Equal(t, Rent(test.space), x.Balance(address))

			x.ok(x.a, create([]byte{1}, address))
			x.fails(errIllegalOwner, x.a, create([]byte{0}, address))
			x.fails(errSeeds, x.a, create([]byte{1}, x.ofB))
			x.fails(errKeys, x.a, create([]byte{2}, address))
			x.fails(ErrData, x.a, create([]byte{1, 0}, address))
			m, _ := AsMint(x.Account(x.mint))
			x.MintTo(c, x.mint, 5)
			assert.EqualValues(t, 5, x.token(address).Amount())
			assert.Equal(t, m.Supply()+5, x.supply())
		})
	}
	if a, _, err := solana.FindAssociatedTokenAddress(solana.SysVarRentPubkey, solana.WrappedSol); assert.NoError(t, err) {
		assert.Equal(t, a, Associated(solana.SysVarRentPubkey, solana.WrappedSol, solana.TokenProgramID))
	}
}

func TestPrefundedAssociatedAccount(t *testing.T) {
	x := newTokens(t, NewMint{})
	c := x.key("c")
	address := Associated(c, x.mint, x.program)
	x.Airdrop(address, 1_000_000)
	x.ok(x.a, in(solana.SPLAssociatedTokenAccountProgramID, []byte{1}, sw(x.a), w(address), r(c), r(x.mint), r(solana.SystemProgramID), r(x.program)))
	assert.Equal(t, Rent(165), x.Balance(address), "only what is missing is paid")
}

func TestAssociatedIsTheDerivedAddress(t *testing.T) {
	f := newFixture(t)
	for range 2 { // derived, then remembered
		for _, name := range []string{"a", "b"} {
			wallet, mint := f.key(name), f.key("mint")
			want, _, err := solana.FindProgramAddress([][]byte{wallet[:], solana.TokenProgramID[:], mint[:]}, solana.SPLAssociatedTokenAccountProgramID)
			require.NoError(t, err)
			assert.Equal(t, want, Associated(wallet, mint, solana.TokenProgramID))
		}
	}
	full := derivations{known: make(map[[3]solana.PublicKey]derivedAddress, mostDerived)}
	for i := range mostDerived {
		full.known[[3]solana.PublicKey{{byte(i), byte(i >> 8)}}] = derivedAddress{}
	}
	full.address([3]solana.PublicKey{f.key("a"), solana.TokenProgramID, f.key("mint")})
	assert.Len(t, full.known, 1, "it starts again when it is full")
}

func TestMemo(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	for i, program := range memoPrograms {
		receipt := f.ok(a, in(program, []byte("hello"), s(a)))
		want := []string{"Program log: Signed by:", "Program log: " + a.String(), "Program log: Memo (len 5)", "Program log: hello"}
		if i == 1 {
			want = nil
		}
		assert.Equal(t, want, append([]string(nil), receipt.Logs[1:len(receipt.Logs)-2]...), "%s", program)
	}
	f.fails(ErrSigner, a, in(memoPrograms[0], []byte("x"), r(b)))
	f.fails(errIncomplete, a, in(memoPrograms[0], []byte{0xff}))
}

func TestInvokeLendsNoMoreThanItHas(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	program := f.key("program")
	var inner Instruction
	var derived []solana.PublicKey
	f.Register(program, func(x *Invocation) { x.Invoke(inner, derived...) })
	inner = Instruction{solana.SystemProgramID, []Meta{{a, true, true}, {b, false, true}}, words(uint32(2), uint64(sol))}
	call := func(accounts ...*solana.AccountMeta) solana.Instruction {
		return in(program, nil, append(accounts, r(solana.SystemProgramID))...)
	}
	receipt := f.ok(a, call(sw(a), w(b)))
	assert.EqualValues(t, sol, f.Balance(b))
	assert.Len(t, receipt.Inner[0].Instructions, 1)

	f.fails(errMissing, a, call(sw(a)))
	f.fails(errPrivilege, a, call(sw(a), r(b)))
	c := f.rich("c")
	inner.Accounts[0].Key = c
	f.fails(errPrivilege, a, call(w(c), w(b)))
	derived = []solana.PublicKey{c}
	f.ok(a, call(w(c), w(b)))
	assert.EqualValues(t, 2*sol, f.Balance(b), "the program signs for what is derived from it")
	inner.Program = solana.TokenProgramID
	f.fails(errMissing, a, call(w(c), w(b)))
	inner = Instruction{program, []Meta{{Key: program}}, nil}
	f.fails(&InstructionError{Kind: "CallDepth"}, a, call(sw(a), r(program)))
}

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
