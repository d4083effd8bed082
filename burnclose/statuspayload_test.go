package burnclose_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func TestStatusForms(t *testing.T) {
	confirmed := walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 5}
	for name, row := range map[string]struct {
		payload string
		want    walletfi.SignatureStatus
	}{
		"flat":                   {`{"found":true,"confirmationStatus":"confirmed","slot":5,"err":null}`, confirmed},
		"under status":           {`{"found":true,"status":{"confirmationStatus":"confirmed","slot":5,"err":null}}`, confirmed},
		"under value":            {`{"found":true,"value":{"confirmationStatus":"confirmed","slot":"5","err":null}}`, confirmed},
		"as the node answers":    {`{"found":true,"status":{"context":{"slot":9},"value":[{"slot":5,"err":null,"status":{"Ok":null},"confirmationStatus":"confirmed"}]}}`, confirmed},
		"a word":                 {`{"found":true,"slot":5,"status":"Confirmed","err":null}`, confirmed},
		"inner status alone":     {`{"found":true,"status":{"slot":5,"status":{"Ok":null},"confirmationStatus":"confirmed"}}`, confirmed},
		"no error said in words": {`{"found":true,"slot":5,"confirmationStatus":"confirmed","error":"","err":null}`, confirmed},
		"the lesser of two":      {`{"found":true,"slot":5,"confirmationStatus":"finalized","status":"confirmed","err":null}`, confirmed},
		"a new commitment":       {`{"found":true,"confirmationStatus":"rooted"}`, walletfi.SignatureStatus{Found: true}},
		"not found":              {`{"found":false,"status":null}`, walletfi.SignatureStatus{}},
		"not found, with words":  {`{"found":"false","error":"no such signature","status":"unknown"}`, walletfi.SignatureStatus{}},
		"failed": {
			`{"found":true,"status":{"slot":5,"err":{"InstructionError": [0, {"Custom": 1}]},"confirmationStatus":"confirmed"}}`,
			walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 5, Err: `{"InstructionError":[0,{"Custom":1}]}`},
		},
		"failed, inner status alone": {
			`{"found":true,"status":{"slot":5,"status":{"Err":"AccountInUse"},"confirmationStatus":"confirmed"}}`,
			walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 5, Err: "AccountInUse"},
		},
		"failed, error beside a good status": {
			`{"found":true,"error":"custom program error","status":{"slot":5,"err":null,"confirmationStatus":"confirmed"}}`,
			walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 5, Err: "custom program error"},
		},
		"failed, by a word with its reason": {
			`{"found":true,"status":"failed","err":"AccountNotFound"}`, walletfi.SignatureStatus{Found: true, Err: "AccountNotFound"},
		},
		"failed, by a word":             {`{"found":true,"status":"failed"}`, walletfi.SignatureStatus{Found: true, Err: "failed"}},
		"confirmed, as far as it says":  {`{"found":true,"confirmed":true,"err":null}`, walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}},
		"not confirmed within the wait": {`{"found":true,"confirmed":false,"err":"timeout"}`, walletfi.SignatureStatus{Found: true}},
		"not confirmed, and failed": {
			`{"found":true,"confirmed":false,"err":{"InstructionError":[0,{"Custom":1}]}}`,
			walletfi.SignatureStatus{Found: true, Err: `{"InstructionError":[0,{"Custom":1}]}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := client(t, answering(t, row.payload).URL).GetTransactionStatus(t.Context(), burnclose.StatusRequest{Signature: wiretest.Signature(7)})
			require.NoError(t, err)
			require.Equal(t, row.want, got.SignatureStatus)
			require.Equal(t, row.want.Commitment == walletfi.CommitmentConfirmed && row.want.Err == "", got.Confirmed(walletfi.CommitmentConfirmed))
			require.Equal(t, wiretest.Signature(7), got.Signature)
			require.Equal(t, row.payload, got.Raw.String())
		})
	}
}

// TestStatusThatSaysBoth: not found, and what only the ledger knows, or found and nothing.
func TestStatusThatSaysBoth(t *testing.T) {
	for _, body := range []string{
		`{"found":false,"status":{"confirmationStatus":"confirmed","slot":5}}`,
		`{"found":"false","error":"no such signature","status":"confirmed"}`,
		`{"found":false,"status":{"slot":5,"err":{"InstructionError":[0,{"Custom":1}]}}}`,
		// Found, and nothing of the ledger's.
		`{"found":true}`, `{"found":true,"status":null}`, `{"found":true,"status":"x"}`, `{"found":true,"status":7}`,
		`{"found":true,"status":{"status":{"status":{"status":{"status":{"status":{"err":"x"}}}}}}}`,
		// Settled, and nothing of whether it failed.
		`{"found":true,"confirmationStatus":"finalized","slot":5}`, `{"found":true,"status":{"confirmationStatus":"confirmed","slot":5}}`,
		`{"found":true,"value":[{"confirmationStatus":"finalized"}]}`,
		// What comes twice, or is no word.
		`{"found":true,"status":{"confirmationStatus":"confirmed","slot":5},"status":{}}`,
		`{"found":true,"status":{"confirmationStatus":"confirmed","confirmationStatus":"processed","slot":5}}`,
		`{"found":true,"status":{"confirmationStatus":["confirmed"],"slot":5}}`,
		// Garbage in place of a slot, which would be 0, and of a flag.
		`{"found":true,"status":{"confirmationStatus":"confirmed","err":null,"slot":"six"}}`,
		`{"found":true,"status":{"confirmationStatus":"confirmed","err":null,"slot":-1}}`,
		`{"found":true,"status":{"confirmationStatus":"confirmed","err":null,"slot":6.5}}`,
		`{"found":true,"status":{"confirmationStatus":"confirmed","err":null,"slot":{}}}`,
		`{"found":true,"confirmed":"yes","err":null,"slot":5}`, `{"found":true,"confirmed":{},"err":null,"slot":5}`,
	} {
		got, err := client(t, answering(t, body).URL).GetTransactionStatus(t.Context(), burnclose.StatusRequest{Signature: wiretest.Signature(7)})
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
		require.NotErrorIs(t, err, walletfi.ErrNotFound, body)
		require.Nil(t, got, body)
	}
}

// TestStatusThatSaysNothing: only found says whether the ledger knows a
// transaction.
func TestStatusThatSaysNothing(t *testing.T) {
	for body, kind := range map[string]error{
		`{"status":{"confirmationStatus":"confirmed","slot":5}}`: walletfi.ErrDecode,
		`{"status":{"value":[null]}}`:                            walletfi.ErrDecode,
		`{"found":null}`:                                         walletfi.ErrDecode,
		`{"found":"no"}`:                                         walletfi.ErrDecode,
		`{"found":false,"found":true}`:                           walletfi.ErrDecode,
		`[]`:                                                     walletfi.ErrDecode,
		`{}`:                                                     walletfi.ErrDecode,
		`{"error":"node is busy","success":false,"status":"error"}`:       walletfi.ErrRejected,
		`{"found":true,"success":false,"confirmationStatus":"finalized"}`: walletfi.ErrRejected,
	} {
		status, err := client(t, answering(t, body).URL).GetTransactionStatus(t.Context(), burnclose.StatusRequest{Signature: wiretest.Signature(7)})
		require.ErrorIs(t, err, kind, body)
		require.Nil(t, status)
	}
}

// attackedStatuses say that a transaction is settled, and nothing of whether it failed.
var attackedStatuses = []string{
	`"confirmed"`, `"Finalized"`, `{"status":"finalized"}`, `{"status":"confirmed","slot":5}`, `{"confirmed":true}`,
	`{"confirmed":true,"slot":5}`, `{"confirmationStatus":"confirmed","confirmed":true}`, `{"confirmationStatus":"finalized","confirmations":null}`,
	`{"confirmationStatus":"confirmed","success":true}`, `{"confirmationStatus":"confirmed","err":""}`,
	`{"confirmationStatus":"confirmed","err":false}`, `{"confirmationStatus":"confirmed","error":null}`,
	`{"value":["confirmed"]}`, `["finalized"]`, `{"confirmationStatus":"confirmed","err":{"InstructionError":[0,"X"]},"err":null}`,
}

// TestAttackedStatus: only an err that is null, or Ok, says that a transaction succeeded.
func TestAttackedStatus(t *testing.T) {
	signature := wiretest.Signature(7)
	for _, status := range attackedStatuses {
		c := client(t, answering(t, `{"signature":"`+signature+`","found":true,"status":`+status+`}`).URL)
		_, err := c.GetTransactionStatus(t.Context(), burnclose.StatusRequest{Signature: signature})
		require.ErrorIs(t, err, walletfi.ErrDecode, status)
		settled, err := c.WaitConfirmed(t.Context(), burnclose.WaitRequest{Signature: signature, MinWait: time.Millisecond})
		require.ErrorIs(t, err, walletfi.ErrDecode, status)
		require.Nil(t, settled)
		for said, isConfirmed := range map[string]bool{
			status: false, `{"status":` + status + `,"value":{"status":{"Ok":null}}}`: !strings.Contains(status, "InstructionError"),
		} {
			var result burnclose.SendResult
			require.NoError(t, json.Unmarshal([]byte(`{"signature":"`+signature+`","sent":true,"confirmation":`+said+`}`), &result))
			require.NotNil(t, result.Confirmation, said)
			require.True(t, result.Confirmation.Found, said)
			require.Equal(t, isConfirmed, result.Confirmation.Confirmed(walletfi.CommitmentConfirmed), said)
		}
	}
}
