package webhooks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/webhooks"
)

// damaged are deliveries of which one member is off, which is the value.
func damaged() map[string]string {
	bodies := map[string]string{}
	for _, row := range []struct{ member, was, is string }{
		{"LedgerTransaction.signature", `"signature":"2wUG`, `"signature":"!!`}, {"LedgerTransaction.meta", `"meta"`, `"x"`},
		{"LedgerTransaction.transaction", `"transaction"`, `"x"`}, {"LedgerMeta.fee", `"fee":1,`, ``}, {"LedgerMeta.fee", `"fee":1`, `"fee":null`},
		{"LedgerMeta.preBalances", `"preBalances":[1],`, ``}, {"LedgerMeta.postBalances", `"postBalances":[1]`, `"postBalances":[null]`},
		{"LedgerContent.message", `"message"`, `"x"`}, {"LedgerMessage.accountKeys", `"accountKeys":["Gv`, `"accountKeys":["!!`},
		{"LedgerMessage.instructions", `"instructions"`, `"x"`}, {"LedgerInstruction.programIdIndex", `"programIdIndex":0`, `"programIdIndex":256`},
		{"LedgerInstruction.programIdIndex", `"programIdIndex":0,`, ``}, {"LedgerInstruction.accounts", `"accounts":[0]`, `"accounts":[-1]`},
		{"LedgerInstruction.accounts", `"accounts":[0],`, ``}, {"LedgerMeta.err", `,"err":null`, ``},
		{"LedgerMeta.postBalances", `"postBalances":[1]`, `"postBalances":[]`}, {"LedgerMeta.postBalances", `"postBalances":[1]`, `"postBalances":[1,2]`},
		{"LedgerMeta.preBalances", `[1],"postBalances":[1]`, `[],"postBalances":[]`}, {"LedgerMeta.preBalances", `[1],"postBalances":[1]`, `[1,2],"postBalances":[1,2]`},
		{"LedgerInstruction.programIdIndex", `"programIdIndex":0`, `"programIdIndex":1`}, {"LedgerInstruction.accounts", `"accounts":[0]`, `"accounts":[1]`},
		{"LedgerInstruction.data", `"data":""`, `"data":"not encoded"`}, {"LedgerInstruction.data", `"data":""`, `"data":7`},
		{"LedgerInstruction.data", `,"data":""`, ``}, {"LedgerInstruction.data", `"data":""`, `"data":null`},
	} {
		bodies[head+ledgerSlot+ledgerTx(row.was, row.is)+`]}`] = row.member
	}
	for _, row := range []struct{ member, was, is string }{
		{"EVMTransaction.hash", `"hash":"0x00000000000000000000000000000000000000000000000000000000000000aa",`, ``}, {"EVMTransaction.from", `"from":"0x00000000000000000000000000000000000000f0"`, `"from":true`}, {"EVMTransaction.to", `"to":"0x0000000000000000000000000000000000000070"`, `"to":true`},
		{"EVMTransaction.value", `"value":"1"`, `"value":"1.5"`}, {"EVMTransaction.value", `"value":"1",`, ``}, {"EVMTransaction.logs", `"logs"`, `"x"`},
		{"EVMLog.address", `"address":"0x00000000000000000000000000000000000000cc",`, ``}, {"EVMLog.topics", `"topics":["0x0000000000000000000000000000000000000000000000000000000000000001"]`, `"topics":null`}, {"EVMLog.logIndex", `"logIndex":0`, `"logIndex":null`},
		{"EVMTransaction.to", `"to":"0x0000000000000000000000000000000000000070"`, `"to":"bob"`}, {"EVMTransaction.to", `"to":"0x00`, `"to":"0x`}, {"EVMTransaction.from", `"from":"0x00`, `"from":"00`},
		{"EVMTransaction.hash", `"hash":"0x0`, `"hash":"0x`}, {"EVMTransaction.hash", `"hash":"0x0`, `"hash":"0xg`}, {"EVMTransaction.input", `"input":"0x"`, `"input":"0x1"`},
		{"EVMTransaction.input", `"input":"0x"`, `"input":"transfer"`}, {"EVMLog.address", `"address":"0x00`, `"address":"0x0000`}, {"EVMLog.data", `"data":"0x"`, `"data":"0x123"`},
		{"EVMLog.data", `"data":"0x"`, `"data":"1000"`}, {"EVMLog.data", `"data":"0x",`, ``}, {"EVMLog.data", `"data":"0x"`, `"data":null`}, {"EVMLog.data", `"data":"0x"`, `"data":7`},
		{"EVMLog.topics", `"topics":["0x00`, `"topics":["0x`}, {"EVMLog.topics", `"topics":["0x0`, `"topics":["0xy`}, {"EVMLog.topics", `"topics":["0x`, `"topics":[null,"0x`},
	} {
		bodies[head+evmBlock+evmTx(row.was, row.is)+`]}`] = row.member
	}
	for _, is := range []string{`"0x`, `"block`} {
		bodies[head+strings.Replace(evmBlock, `"0x0`, is, 1)+evmTx()+`]}`] = "EVMPayload.blockHash"
	}
	return bodies
}

// TestDamagedDelivery: a delivery of which a member is off reaches the handler, with an error
// that names the member. What else it says can be used.
func TestDamagedDelivery(t *testing.T) {
	require.Equal(t, 52, len(damaged()))
	for body, member := range damaged() {
		r := newRig(t, nil)
		require.Equal(t, 200, r.gets(signer.Request(destination, []byte(body))), body)
		d := r.runs[0]
		require.Equal(t, body, d.Raw.String())
		require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode, body)
		require.ErrorContains(t, d.DecodeErr, member+" decides", body)
		require.Equal(t, 1, len(transactionsOf(d)), body)
		if d.Ledger != nil {
			require.NotEmpty(t, d.Ledger.Transactions[0].Raw, "%s: %s", member, body)
		} else if !strings.HasPrefix(member, "EVMPayload") {
			require.NotEmpty(t, d.EVM.Transactions[0].Raw, "%s: %s", member, body)
		}
	}
	for _, whole := range []string{head + ledgerSlot + ledgerTx() + `]}`, head + evmBlock + evmTx() + `]}`, head + evmBlock + evmTx(`"to":"0x0000000000000000000000000000000000000070"`, `"to":null`) + `]}`} {
		require.NoError(t, webhooks.ParseDelivery([]byte(whole)).DecodeErr)
	}
}

// TestLenientDeliveries: a member that a vendor sends otherwise is let through if it is named:
// the delivery says so, and the observer is notified once.
func TestLenientDeliveries(t *testing.T) {
	bodies := damaged()
	bodies[`{"webhookId":"wh_1","timestamp":1767225600,"slot":1,"transactions":[`+ledgerTx()+`]}`] = "LedgerPayload.network"
	bodies[`{"webhookId":{},"network":"n","timestamp":1767225600,`+evmBlock+evmTx()+`]}`] = "EVMPayload.webhookId"
	bodies[head+`"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","transactions":[`+evmTx()+`]}`] = "EVMPayload.blockNumber"
	bodies[head+`"slot":0,"transactions":[`+ledgerTx()+`]}`] = "LedgerPayload.slot"
	bodies[head+ledgerSlot+ledgerTx(`"fee":1`, `"fee":"all"`)+`]}`] = "LedgerMeta.fee"
	bodies[head+ledgerSlot+ledgerTx(`"fee":1`, `"fee":1,"fee":2`)+`]}`] = "LedgerMeta.fee"
	for body, member := range bodies {
		told := recorded.New(t)
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Lenient, c.Observer = []string{member}, told })
		for n := range 2 {
			require.Equal(t, 200, r.gets(signer.Request(destination, []byte(body+strings.Repeat(" ", n)))))
			d := r.runs[n]
			require.NoError(t, d.DecodeErr, body)
			require.Len(t, transactionsOf(d), 1)
			require.Len(t, d.Waived, 1)
			require.Contains(t, d.Waived[0], member+": ")
		}
		events := recorded.Events[observe.Drift](told)
		require.Len(t, events, 1, body)
		require.Equal(t, member, events[0].Member)
		require.Equal(t, "webhooks", events[0].Service)
		require.NotEmpty(t, events[0].Fault)

		reader, err := webhooks.NewDeliveryReader(*verifier(), nil, member)
		require.NoError(t, err)
		req := signer.Request(destination, []byte(body))
		d, err := reader.Read(req.Header, req.Body)
		require.NoError(t, err)
		require.NoError(t, d.DecodeErr)
		require.Len(t, d.Waived, 1)
		require.Error(t, webhooks.ParseDelivery([]byte(body)).DecodeErr)
	}
	_, err := webhooks.NewReceiver(webhooks.ReceiverConfig{Verifier: *verifier(), Handler: (&rig{}).handle, Lenient: []string{"fee"}})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

func transactionsOf(d *webhooks.Delivery) (all []any) {
	if d.Ledger != nil {
		for _, tx := range d.Ledger.Transactions {
			all = append(all, tx)
		}
	}
	if d.EVM != nil {
		for _, tx := range d.EVM.Transactions {
			all = append(all, tx)
		}
	}
	return all
}

// TestFailedTwiceOver: what says twice whether it failed is not a payment, and one of which
// the slot is missing is not lost.
func TestFailedTwiceOver(t *testing.T) {
	whole := head + ledgerSlot + ledgerTx() + `]}`
	for _, is := range []string{
		`"err":{"InstructionError":[0,"x"]},"err":null`, `"err":"AccountInUse","\u0065rr":null`,
	} {
		body := strings.Replace(whole, `"err":null`, is, 1)
		require.NotEqual(t, whole, body)
		d := webhooks.ParseDelivery([]byte(body))
		require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode, is)
	}
	for _, missing := range []string{`"slot":1,`, `"slot":null,`} {
		body := strings.Replace(whole, `"slot":1,`, strings.TrimPrefix(missing, `"slot":1,`), 1)
		require.NotEqual(t, whole, body)
		require.ErrorIs(t, webhooks.ParseDelivery([]byte(body)).DecodeErr, walletfi.ErrDecode, missing)
	}
	evm := head + evmBlock + evmTx() + `]}`
	body := strings.Replace(evm, evmBlock, `"transactions":[`, 1)
	require.ErrorIs(t, webhooks.ParseDelivery([]byte(body)).DecodeErr, walletfi.ErrDecode, "without a block")
	odd := strings.Replace(whole, `"signature":"`, `"signature":"sig-1_`, 1)
	require.NoError(t, webhooks.ParseDelivery([]byte(odd)).DecodeErr, "the chain's signatures have no documented form")
}
