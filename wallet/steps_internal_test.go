package wallet

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// decoded is a transaction of some instructions.
func decoded(t *testing.T, in ...solana.Instruction) *signing.Transaction {
	t.Helper()
	return decodedWith(t, nil, in...)
}

func decodedWith(t *testing.T, tables map[solana.PublicKey]solana.PublicKeySlice, in ...solana.Instruction) *signing.Transaction {
	t.Helper()
	built, err := solana.NewTransaction(in, solana.Hash{1}, solana.TransactionPayer(solana.PublicKey{1}), solana.TransactionAddressTables(tables))
	require.NoError(t, err)
	built.Signatures = make([]solana.Signature, built.Message.Header.NumRequiredSignatures)
	for i := range built.Signatures {
		built.Signatures[i] = solana.Signature{byte(i + 1)}
	}
	text, err := built.ToBase64()
	require.NoError(t, err)
	tx, err := signing.Decode(walletfi.Base64Transaction(text))
	require.NoError(t, err)
	return tx
}

// TestAdvancedNonce: the account that the first instruction advances.
func TestAdvancedNonce(t *testing.T) {
	account := solana.PublicKey{9}
	data := func(kind uint32, more ...byte) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, kind), more...)
	}
	of := func(program solana.PublicKey, data []byte, accounts ...solana.PublicKey) solana.Instruction {
		var metas solana.AccountMetaSlice
		for _, a := range accounts {
			metas = append(metas, solana.Meta(a).WRITE())
		}
		return solana.NewInstruction(program, metas, data)
	}
	advance := of(solana.SystemProgramID, data(4), account, solana.PublicKey{8})
	other := of(solana.SystemProgramID, data(2, 1, 2, 3), account, solana.PublicKey{8})
	for what, row := range map[string]struct {
		in   []solana.Instruction
		want bool
	}{
		"first":                 {[]solana.Instruction{advance, other}, true},
		"with more data":        {[]solana.Instruction{of(solana.SystemProgramID, data(4, 7), account)}, true},
		"second":                {[]solana.Instruction{other, advance}, false},
		"another instruction":   {[]solana.Instruction{other}, false},
		"of another program":    {[]solana.Instruction{of(solana.PublicKey{7}, data(4), account)}, false},
		"of another, and short": {[]solana.Instruction{of(solana.PublicKey{7}, []byte{4}, account)}, false},
		"too short":             {[]solana.Instruction{of(solana.SystemProgramID, []byte{4, 0, 0}, account)}, false},
		"without accounts":      {[]solana.Instruction{of(solana.SystemProgramID, data(4))}, false},
		"nothing":               {nil, false},
	} {
		if len(row.in) == 0 {
			row.in = []solana.Instruction{of(solana.PublicKey{7}, nil)}
		}
		tx := decoded(t, row.in...)
		got, ok := proof.NonceAccount(tx.Bytes())
		require.Equal(t, row.want, ok, what)
		step := newStep(tx, signing.PublicKey{1}, 600)
		if row.want {
			require.Equal(t, signing.PublicKey(account), signing.PublicKey(got), what)
			require.Equal(t, account.String(), step.NonceAccount)
			require.Zero(t, step.Last, "no height ends it")
			continue
		}
		require.Zero(t, got, what)
		require.Empty(t, step.NonceAccount, what)
		require.Equal(t, uint64(600), step.Last, what)
	}
}

// TestAdvancedNonceInATable: an account that a table has is not known from the bytes.
func TestAdvancedNonceInATable(t *testing.T) {
	account := solana.PublicKey{9}
	advance := solana.NewInstruction(solana.SystemProgramID, solana.AccountMetaSlice{solana.Meta(account).WRITE()}, []byte{4, 0, 0, 0})
	tx := decodedWith(t, map[solana.PublicKey]solana.PublicKeySlice{{77}: {account}}, advance)
	require.NotContains(t, tx.AccountKeys(), signing.PublicKey(account))
	got, ok := proof.NonceAccount(tx.Bytes())
	require.False(t, ok)
	require.Zero(t, got)
}

// TestOwnSignature: that of the owner, wherever it stands, and the first if the owner
// does not sign.
func TestOwnSignature(t *testing.T) {
	owner := solana.PublicKey{3}
	tx := decoded(t, solana.NewInstruction(solana.PublicKey{7}, solana.AccountMetaSlice{solana.Meta(owner).SIGNER(), solana.Meta(solana.PublicKey{2}).SIGNER()}, nil))
	require.Len(t, tx.Signers(), 3)
	for i, signer := range tx.Signers() {
		require.Equal(t, tx.Signatures()[i].String(), newStep(tx, signer, 0).Own)
	}
	require.Equal(t, solana.Signature{1}.String(), newStep(tx, signing.PublicKey{77}, 0).Own)
	step := newStep(tx, signing.PublicKey(owner), 600)
	require.Equal(t, KeyClaimed, step.State)
	require.Equal(t, solana.Hash{1}.String(), step.Blockhash)
	require.NotEmpty(t, step.Transaction)
}

// TestStepsOfAnEntry: what was executed was found.
func TestStepsOfAnEntry(t *testing.T) {
	for state, want := range map[KeyState]State{
		KeyConfirmed: StateConfirmed, KeyFailed: StateFailed, KeyExpired: StateExpired, KeySent: StateUnknown, KeyInDoubt: StateUnknown,
		KeySigned: StateNotSent, KeyReleased: StateNotSent,
	} {
		steps := resultSteps(Entry{Steps: []EntryStep{{State: state, Signature: "s", Slot: 7, Err: "x", Transaction: "AQ=="}}})
		require.Equal(t, []Step{{
			State: want, Signature: "s", Signed: walletfi.Signed{Transaction: "AQ==", Signature: "s"},
			Status: walletfi.SignatureStatus{Slot: 7, Err: "x", Found: want == StateConfirmed || want == StateFailed},
		}}, steps, state)
	}
}

// TestStoredWithAnotherShape: what is no JSON of a type is an error, and nothing is read.
func TestStoredWithAnotherShape(t *testing.T) {
	for name, into := range map[string]any{
		`{"signature":5}`: new(Step), `{"steps":5}`: new(Result), `{"index":"x"}`: new(StepError), `{"signatures":5}`: new(UnsettledError),
		`{"stage":5}`: new(StageError), `{"effects":5}`: new(FillStep),
	} {
		var wrong *json.UnmarshalTypeError
		require.ErrorAs(t, json.Unmarshal([]byte(name), into), &wrong, name)
	}
	all := errors.Join(ErrFailed, ErrExpired, ErrFenced, walletfi.ErrDecode, walletfi.ErrForbidden, walletfi.ErrMismatch, context.Canceled)
	require.Equal(t, []string{"canceled", "decode", "expired", "failed", "fenced", "forbidden", "mismatch"}, storeError(all).Is)
	require.EqualError(t, &StageError{StageBuild, errors.New("down")}, "build: down")
	require.EqualError(t, &UnsettledError{Signature: "s", Cause: errors.New("down")}, "the same intent may still land: ask for the status of s: down")
	require.EqualError(t, &UnsettledError{Signature: "s"}, "the same intent may still land: ask for the status of s")
	require.EqualError(t, &UnsettledError{}, "the same intent may have been executed, under a signature that is not known")
	require.EqualError(t, &UnsettledError{Running: true}, "the same intent is being executed")
}

// TestPaidSome: an attempt of which anything was executed, or may be, is the last.
func TestPaidSome(t *testing.T) {
	for state, want := range map[State]bool{
		StateConfirmed: true, StateFailed: true, StateUnknown: true, StateExpired: false, StateNotSent: false,
	} {
		p := &placing{placed: &Placed{Result: Result{Steps: []Step{{State: StateExpired}, {State: state}}}}}
		require.Equal(t, want, p.paidSome(), state)
	}
}

// TestResults: a result without steps is none.
func TestResults(t *testing.T) {
	step := []Step{{State: StateConfirmed}}
	require.True(t, (&Result{Steps: step}).Confirmed())
	require.False(t, (&Result{}).Confirmed())
	require.False(t, (&Result{Steps: append(step, Step{State: StateFailed})}).Confirmed())
	for err, want := range map[error]State{
		nil: StateConfirmed, ErrFailed: StateFailed, ErrExpired: StateExpired, walletfi.ErrOutcomeUnknown: StateUnknown, walletfi.ErrNotSent: StateNotSent,
	} {
		require.Equal(t, want, stateOf(err))
	}
}

// TestSameWish: the order of what is asked for, and what is listed twice, is no other
// wish; an amount of another mint is.
func TestSameWish(t *testing.T) {
	asset := func(mint string, amount walletfi.Amount) walletfi.Asset {
		return walletfi.Asset{Mint: mint, Amount: amount}
	}
	var spend, back []walletfi.Asset
	for i := range 40 {
		a := asset(strings.Repeat("m", i+1), walletfi.Amount(i))
		spend, back = append(spend, a), append([]walletfi.Asset{a}, back...)
	}
	wish := walletfi.Intent{Owner: "o", Spend: spend, PayTo: []string{"b", "a", "c", "a"}}
	id := intentID(wish)
	for range 20 { // the sum is made in a map
		require.Equal(t, id, intentID(walletfi.Intent{Owner: "o", Spend: back, PayTo: []string{"c", "b", "a"}}))
	}
	require.Equal(t, []walletfi.Asset{asset("a", 3), asset("b", 5)}, sum([]walletfi.Asset{asset("b", 4), asset("a", 3), asset("b", 1)}))
	back[0].Amount++
	require.NotEqual(t, id, intentID(walletfi.Intent{Owner: "o", Spend: back, PayTo: []string{"c", "b", "a"}}))
	giving := func(mint string, n walletfi.Amount) walletfi.Intent {
		return spending(walletfi.Intent{}, asset(mint, n))
	}
	burning := func(mint string, n walletfi.Amount) walletfi.Intent {
		return walletfi.Intent{Burn: []walletfi.Asset{asset(mint, n)}}
	}
	receiving := func(mint string, n walletfi.Amount) walletfi.Intent {
		return walletfi.Intent{Receive: []walletfi.Asset{asset(mint, n)}}
	}
	for _, row := range []struct {
		was, now walletfi.Intent
		name     string
	}{
		{walletfi.Intent{Receive: back}, walletfi.Intent{}, ""},
		{walletfi.Intent{}, walletfi.Intent{Receive: back}, ""},
		{walletfi.Intent{Receive: back[1:]}, walletfi.Intent{Receive: back}, "receive.mint"},
		{receiving("m", 1), receiving("m", 2), ""},
		{walletfi.Intent{Spend: back}, walletfi.Intent{}, "spend.mint"},
		{giving("m", 1), giving("m", 2), "spend.amount"},
		{burning("m", 1), burning("m", 2), "burn.amount"},
		{walletfi.Intent{BurnAll: []string{"m"}}, walletfi.Intent{}, "burnAll"},
		{walletfi.Intent{PayTo: []string{"p"}}, walletfi.Intent{}, "payTo"},
		{walletfi.Intent{}, walletfi.Intent{OutputTo: []string{"p"}}, "outputTo"},
		{walletfi.Intent{}, walletfi.Intent{Delegates: []string{"p"}}, "delegates"},
		{walletfi.Intent{}, walletfi.Intent{CloseAccounts: []string{"p"}}, "closeAccounts"},
		{walletfi.Intent{Owner: "a", Service: "s", PayTo: []string{"p"}}, walletfi.Intent{Owner: "b", Service: "r"}, "owner"},
		{walletfi.Intent{Service: "s", BurnAll: []string{"p"}}, walletfi.Intent{Service: "r"}, "service"},
		{walletfi.Intent{TipLamports: 1, Sponsor: "a"}, walletfi.Intent{MaxNetworkFeeLamports: new(walletfi.Amount)}, ""},
		{asked("request", "r", "Amount", "1"), asked("request", "r", "Amount", "1"), ""},
		{asked("request", "r", "Amount", "1"), asked("request", "r", "Amount", "10"), "Amount"},
		{asked("request", "r", "Amount", "1"), asked("request", "q", "Lamports", "1"), "request"},
		{asked("request", "r"), asked("request", "r", "Part", "1"), "Part"},
		{with(asked("owner", "x", "payTo", "x"), "a"), with(asked("owner", "x", "payTo", "x"), "b"), "owner"},
		{asked(), walletfi.Intent{}, ""},
		// One is an entry of an earlier version: what its guard was told is compared.
		{spending(asked("Amount", "5"), asset("m", 5)), giving("m", 5), ""},
		{spending(asked("Amount", "50"), asset("m", 50)), giving("m", 5), "spend.amount"},
		{spending(asked("Amount", "50"), asset("m", 7)), giving("m", 5), ""}, // quoted
		{spending(asked("Amount", "50"), asset("n", 7)), giving("m", 5), "spend.mint"},
	} {
		name, _, _ := otherThan(row.was, row.now)
		require.Equal(t, row.name, name, "%v, %v", row.was, row.now)
		name, _, _ = otherThan(row.now, row.was)
		require.Equal(t, row.name, name, "%v, %v", row.now, row.was)
		if stated := row.was.Asked != nil; stated == (row.now.Asked != nil) && row.name != "" {
			require.NotEqual(t, intentID(row.was), intentID(row.now))
		}
	}
	was := spending(walletfi.Intent{}, asset("b", 2), asset("a", 1))
	require.Equal(t, intentID(walletfi.Intent{}), intentID(asked()))
	_, before, after := otherThan(was, spending(was, asset("a", 1), asset("b", 20)))
	require.Equal(t, []string{"1 2", "1 20"}, []string{before, after})
	require.ErrorContains(t, checkKey(strings.Repeat("k", 251)), "is 251 bytes, at most 250 are allowed")
	require.NoError(t, checkKey(strings.Repeat("k", 250)))
}

// asked is an intent that states names and values.
func asked(pairs ...string) walletfi.Intent {
	i := walletfi.Intent{Asked: map[string]string{}}
	for n := 0; n < len(pairs); n += 2 {
		i.Asked[pairs[n]] = pairs[n+1]
	}
	return i
}

// with has an owner, whatever it states.
func with(i walletfi.Intent, owner string) walletfi.Intent {
	i.Owner = owner
	return i
}

func spending(i walletfi.Intent, assets ...walletfi.Asset) walletfi.Intent {
	i.Spend = assets
	return i
}

type built struct{ u walletfi.Unsigned }

func (b built) Unsigned() walletfi.Unsigned { return b.u }

// TestOrderThatIsNotBuilt keeps no answer.
func TestOrderThatIsNotBuilt(t *testing.T) {
	down := errors.New("down")
	var err error
	order := OrderOf(func(context.Context, string, ...walletfi.CallOption) (built, error) {
		return built{walletfi.Unsigned{Blockhash: "hash"}}, err
	}, "request")
	u, failed := order.Build(t.Context())
	require.NoError(t, failed)
	require.Equal(t, "hash", u.Blockhash)
	require.Equal(t, "hash", order.Answer.u.Blockhash)
	order.Answer, err = built{}, down
	u, failed = order.Build(t.Context())
	require.ErrorIs(t, failed, down)
	require.Zero(t, u)
	require.Zero(t, order.Answer)
}
