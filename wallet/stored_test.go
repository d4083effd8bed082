package wallet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// kinds are the errors that a step can answer to.
var kinds = []error{
	wallet.ErrFailed, wallet.ErrExpired, wallet.ErrStopped, wallet.ErrNotFilled, wallet.ErrShort, wallet.ErrFenced, wallet.ErrNewerJournal,
	wallet.ErrJournalInUse, wallet.ErrJournalDamaged, wallet.ErrJournalRolledBack, wallet.ErrKeyReused,
	signing.ErrRefused, signing.ErrUnknown,
	walletfi.ErrNotSent, walletfi.ErrBlockhashNotFound, walletfi.ErrInvalidRequest, walletfi.ErrUnauthorized, walletfi.ErrForbidden,
	walletfi.ErrNotFound, walletfi.ErrRejected, walletfi.ErrRateLimited, walletfi.ErrTokenStore, walletfi.ErrUnavailable,
	walletfi.ErrOutcomeUnknown, walletfi.ErrDecode, walletfi.ErrMismatch, walletfi.ErrRedirect,
	context.Canceled, context.DeadlineExceeded,
}

// TestResultSurvivesJSON: a result that is stored and read again has the same
// states, bytes and texts, and each error answers to the same sentinels.
func TestResultSurvivesJSON(t *testing.T) {
	refusal := &signing.GuardError{Rule: "G1", Transaction: 1, Instruction: 2, Found: "a transfer", Allowed: "none"}
	errs := []error{nil, io.ErrUnexpectedEOF, fmt.Errorf("the guard: %w", refusal), &walletfi.OutcomeUnknownError{Signature: "s", Cause: context.DeadlineExceeded}}
	for _, kind := range kinds {
		errs = append(errs, &wallet.StepError{Index: 1, State: wallet.StateFailed, Cause: fmt.Errorf("because: %w", kind)})
	}
	result := wallet.Result{
		Report:     &signing.Report{Service: "swap", Refusal: refusal, Transactions: []signing.TransactionReport{{BaseFeeLamports: 1<<64 - 1}}},
		Unrecorded: fmt.Errorf("disk: %w", wallet.ErrFenced),
	}
	states := []wallet.State{wallet.StateNotSent, wallet.StateConfirmed, wallet.StateFailed, wallet.StateExpired, wallet.StateUnknown}
	for i, err := range errs {
		result.Steps = append(result.Steps, wallet.Step{
			State: states[i%len(states)], Signature: fmt.Sprint("sig", i),
			Signed: walletfi.Signed{Transaction: "AQID", Signature: "s", Owner: "o"},
			Status: walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7, Err: "custom"},
			Err:    err,
		})
	}
	read := again(t, result)
	require.Len(t, read.Steps, len(kinds)+4)
	for i, step := range read.Steps {
		was := result.Steps[i]
		require.Equal(t, was.State, step.State)
		require.Equal(t, was.Signed, step.Signed)
		require.Equal(t, was.Status, step.Status)
		sameError(t, was.Err, step.Err)
	}
	sameError(t, result.Unrecorded, read.Unrecorded)
	require.Equal(t, result.Signatures(), read.Signatures())
	require.Equal(t, result.Remaining(), read.Remaining())
	require.Equal(t, result.Report.Transactions, read.Report.Transactions)
	var guard *signing.GuardError
	require.ErrorAs(t, read.Steps[2].Err, &guard)
	require.Equal(t, refusal, guard)

	twice := again(t, read)
	require.Equal(t, read, twice)
}

// TestErrorsSurviveJSON: what Execute and Settle return can be stored too.
func TestErrorsSurviveJSON(t *testing.T) {
	step := wallet.StepError{Index: 2, State: wallet.StateExpired, Signature: "s", Cause: wallet.ErrExpired}
	read := again(t, step)
	sameError(t, &step, &read)
	require.Equal(t, wallet.StateExpired, read.State)

	open := wallet.UnsettledError{Signature: "s", Signatures: []string{"a", "b"}, Running: true, Cause: walletfi.ErrUnavailable}
	sameError(t, &open, new(again(t, open)))

	outcome := wallet.Outcome{Key: "k", Intent: walletfi.Intent{Service: "swap", Owner: "o"}, Steps: []wallet.Step{{State: wallet.StateUnknown, Err: walletfi.ErrOutcomeUnknown}}}
	settled := again(t, outcome)
	sameError(t, outcome.Steps[0].Err, settled.Steps[0].Err)
	require.False(t, settled.Settled())
	require.Equal(t, outcome.Intent, settled.Intent)

	require.JSONEq(t, `{"state":"not_sent","signed":{"transaction":""},"status":{"found":false},"error":{"message":"not sent","is":["notSent"]}}`,
		text(t, wallet.Step{State: wallet.StateNotSent, Err: walletfi.ErrNotSent}))
}

// TestStatesOfAnEarlierVersion: their words had blanks.
func TestStatesOfAnEarlierVersion(t *testing.T) {
	var step wallet.Step
	require.NoError(t, json.Unmarshal([]byte(`{"state":"not signed"}`), &step))
	require.Equal(t, wallet.StateNotSigned, step.State)
	var entry wallet.Entry
	require.NoError(t, json.Unmarshal([]byte(`{"state":"in doubt"}`), &entry))
	require.Equal(t, wallet.KeyInDoubt, entry.State)
}

// TestErrorOfANewerVersion: a kind that this version does not know is left out.
func TestErrorOfANewerVersion(t *testing.T) {
	var step wallet.Step
	require.NoError(t, json.Unmarshal([]byte(`{"state":"failed","error":{"message":"m","is":["failed","melted"]}}`), &step))
	require.ErrorIs(t, step.Err, wallet.ErrFailed)
	require.EqualError(t, step.Err, "m")
	require.NotErrorIs(t, step.Err, walletfi.ErrNotSent)
}

func sameError(t *testing.T, want, got error) {
	t.Helper()
	if want == nil {
		require.NoError(t, got)
		return
	}
	require.EqualError(t, got, want.Error())
	for _, kind := range kinds {
		require.Equal(t, errors.Is(want, kind), errors.Is(got, kind), "%v of %v", kind, want)
	}
}

func again[T any](t *testing.T, v T) T {
	t.Helper()
	var read T
	require.NoError(t, json.Unmarshal([]byte(text(t, v)), &read))
	return read
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}
