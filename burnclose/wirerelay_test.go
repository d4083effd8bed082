package burnclose_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// fullRelay are relay options with every field, and the JSON that they become.
func fullRelay() (burnclose.RelayOptions, string) {
	return burnclose.RelayOptions{
			SkipPreflight: new(false), MaxRetries: new(0), MinContextSlot: new(uint64(0)),
			PreflightCommitment: walletfi.CommitmentProcessed, WaitForConfirmation: new(true),
			ConfirmationCommitment: walletfi.CommitmentFinalized,
			ConfirmationTimeout:    180 * time.Second, PollInterval: 100 * time.Millisecond,
		}, `"skipPreflight":false,"maxRetries":0,"minContextSlot":0,"preflightCommitment":"processed","waitForConfirmation":true,
			"confirmationCommitment":"finalized","confirmationTimeoutMs":180000,"pollIntervalMs":100`
}

func TestWireRelay(t *testing.T) {
	options, optionsJSON := fullRelay()
	wiretest.Run(t, []wiretest.Case{{
		Name: "SendTransaction, base58",
		Call: wiretest.By(client, (*burnclose.Client).SendTransaction,
			burnclose.SendRequest{Transaction: inBase58(t, signed(7)), RelayOptions: options}),
		Method: "POST", Target: "/transactions/send", Header: withKey,
		Body:  `{"signedTransaction":"` + inBase58(t, signed(7)).String() + `","encoding":"base58",` + optionsJSON + `}`,
		Reply: reply(t, "SendTransaction.json", 7),
		Then: func(t *testing.T, result any) {
			sent := result.(*burnclose.SendResult)
			require.Equal(t, wiretest.Signature(7), sent.Signature)
			require.True(t, sent.Sent)
			require.Equal(t, walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 5}, sent.Confirmation.SignatureStatus)
			require.JSONEq(t, reply(t, "SendTransaction.json", 7), sent.Raw.String())
		},
	}, {
		Name:   "SendTransaction, base64, least",
		Call:   wiretest.By(client, (*burnclose.Client).SendTransaction, burnclose.SendRequest{Transaction: signed(7)}),
		Method: "POST", Target: "/transactions/send", Header: withKey,
		Body:  `{"signedTransaction":"` + string(signed(7)) + `","encoding":"base64"}`,
		Reply: `{"signature":"` + wiretest.Signature(7) + `","sent":"true","confirmation":null}`,
		Then: func(t *testing.T, result any) {
			require.True(t, result.(*burnclose.SendResult).Sent)
			require.Nil(t, result.(*burnclose.SendResult).Confirmation)
		},
	}, {
		Name: "SendTransaction of a form that is not known",
		Call: wiretest.By(client, (*burnclose.Client).SendTransaction,
			burnclose.SendRequest{Transaction: walletfi.Base64Transaction("AQID")}),
		Method: "POST", Target: "/transactions/send", Header: withKey,
		Body:  `{"signedTransaction":"AQID","encoding":"base64"}`,
		Reply: `{"signature":"S1","sent":false}`,
		Want:  &burnclose.SendResult{Signature: "S1", Raw: walletfi.Document(`{"signature":"S1","sent":false}`)},
	}, {
		Call: wiretest.By(client, (*burnclose.Client).SendBatch, burnclose.SendBatchRequest{
			Transactions:   []walletfi.EncodedTransaction{signed(7), signed(8)},
			MaxConcurrency: new(32), RelayOptions: options,
		}),
		Method: "POST", Target: "/transactions/send-batch", Header: withKey,
		Body:  `{"signedTransactions":["` + string(signed(7)) + `","` + string(signed(8)) + `"],"maxConcurrency":32,"encoding":"base64",` + optionsJSON + `}`,
		Reply: reply(t, "SendBatch.json", 7),
		Then: func(t *testing.T, result any) {
			batch := result.(*burnclose.BatchResult)
			require.Len(t, batch.Items, 2)
			require.Equal(t, wiretest.Signature(7), batch.Items[0].Signature)
			require.True(t, batch.Items[0].Answered && batch.Items[0].Sent)
			require.Equal(t, walletfi.CommitmentProcessed, batch.Items[0].Confirmation.Commitment)
			require.Equal(t, burnclose.BatchItem{
				Signature: wiretest.Signature(8), Answered: true, Error: "blockhash not found",
				Raw: walletfi.Document(`{"index": 1, "sent": false, "error": {"message": "blockhash not found", "code": -32002}}`),
			}, batch.Items[1])
			require.Len(t, batch.Raw, 1)
			require.JSONEq(t, reply(t, "SendBatch.json", 7), batch.Raw[0].String())
		},
	}, {
		Name: "SendBatch, mixed encodings go as base64",
		Call: wiretest.By(client, (*burnclose.Client).SendBatch, burnclose.SendBatchRequest{
			Transactions: []walletfi.EncodedTransaction{inBase58(t, signed(7)), signed(8)},
		}),
		Method: "POST", Target: "/transactions/send-batch", Header: withKey,
		Body:  `{"signedTransactions":["` + string(signed(7)) + `","` + string(signed(8)) + `"],"encoding":"base64"}`,
		Reply: `{"signatures":["` + wiretest.Signature(7) + `",null]}`,
		Then: func(t *testing.T, result any) {
			items := result.(*burnclose.BatchResult).Items
			require.True(t, items[0].Sent)
			require.False(t, items[1].Answered)
			require.Equal(t, wiretest.Signature(8), items[1].Signature)
		},
	}, {
		Name: "SendBatch, base58",
		Call: wiretest.By(client, (*burnclose.Client).SendBatch, burnclose.SendBatchRequest{
			Transactions: []walletfi.EncodedTransaction{inBase58(t, signed(7))}, MaxConcurrency: new(1),
		}),
		Method: "POST", Target: "/transactions/send-batch", Header: withKey,
		Body:  `{"signedTransactions":["` + inBase58(t, signed(7)).String() + `"],"encoding":"base58","maxConcurrency":1}`,
		Reply: `[{"txid":"` + wiretest.Signature(7) + `"}]`,
		Then:  func(t *testing.T, result any) { require.True(t, result.(*burnclose.BatchResult).Items[0].Sent) },
	}, {
		Call: wiretest.By(client, (*burnclose.Client).GetTransactionStatus,
			burnclose.StatusRequest{Signature: wiretest.Signature(7), SearchTransactionHistory: new(false)}),
		Method: "POST", Target: "/transactions/status", Header: withKey,
		Body:  `{"signature":"` + wiretest.Signature(7) + `","searchTransactionHistory":false}`,
		Reply: reply(t, "GetTransactionStatus.json", 7),
		Then: func(t *testing.T, result any) {
			status := result.(*burnclose.TransactionStatus)
			require.Equal(t, walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentFinalized, Slot: 1<<64 - 1}, status.SignatureStatus)
			require.True(t, status.Confirmed(walletfi.CommitmentFinalized))
			require.JSONEq(t, reply(t, "GetTransactionStatus.json", 7), status.Raw.String())
		},
	}, {
		Name:   "SignatureStatus, not found",
		Call:   wiretest.By(client, (*burnclose.Client).SignatureStatus, wiretest.Signature(7)),
		Method: "POST", Target: "/transactions/status", Header: withKey, Body: `{"signature":"` + wiretest.Signature(7) + `"}`,
		Reply: `{"signature":"` + wiretest.Signature(7) + `","found":false,"status":null,"error":"not found"}`,
		Want:  walletfi.SignatureStatus{},
	}, {
		Name: "GetTransactionStatus of another signature",
		Call: wiretest.By(client, (*burnclose.Client).GetTransactionStatus,
			burnclose.StatusRequest{Signature: wiretest.Signature(8)}),
		Method: "POST", Target: "/transactions/status", Header: withKey, Body: `{"signature":"` + wiretest.Signature(8) + `"}`,
		Reply: reply(t, "GetTransactionStatus.json", 7),
		Err: func(t *testing.T, err error) {
			require.ErrorIs(t, err, walletfi.ErrMismatch)
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, "GetTransactionStatus", r.Op)
		},
	}})
}
