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

// TestLongestKey: a key is bounded, so that each journal has room for it.
func TestLongestKey(t *testing.T) {
	require.ErrorContains(t, checkKey(strings.Repeat("k", 251)), "is 251 bytes, at most 250 are allowed")
	require.NoError(t, checkKey(strings.Repeat("k", 250)))
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
