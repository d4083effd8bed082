package webhooks_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestDamagedDelivery: a delivery of which a member is off reaches the handler, with an error
// that names the member. What else it says can be used.
func TestDamagedDelivery(t *testing.T) {
	bodies := map[string]string{} // with the member that is off
	for _, row := range []struct{ member, was, is string }{
		{"LedgerTransaction.signature", `"signature":"2wUG`, `"signature":"0OIl`}, {"LedgerTransaction.meta", `"meta"`, `"x"`},
		{"LedgerTransaction.transaction", `"transaction"`, `"x"`}, {"LedgerMeta.fee", `"fee":1,`, ``}, {"LedgerMeta.fee", `"fee":1`, `"fee":null`},
		{"LedgerMeta.preBalances", `"preBalances":[1],`, ``}, {"LedgerMeta.postBalances", `"postBalances":[1]`, `"postBalances":[null]`},
		{"LedgerContent.message", `"message"`, `"x"`}, {"LedgerMessage.accountKeys", `"accountKeys":["Gv`, `"accountKeys":["!!`},
		{"LedgerMessage.instructions", `"instructions"`, `"x"`}, {"LedgerInstruction.programIdIndex", `"programIdIndex":0`, `"programIdIndex":256`},
		{"LedgerInstruction.programIdIndex", `"programIdIndex":0,`, ``}, {"LedgerInstruction.accounts", `"accounts":[0]`, `"accounts":[-1]`},
		{"LedgerInstruction.accounts", `"accounts":[0],`, ``},
	} {
		bodies[head+ledgerSlot+ledgerTx(row.was, row.is)+`]}`] = row.member
	}
	for _, row := range []struct{ member, was, is string }{
		{"EVMTransaction.hash", `"hash":"0xaa",`, ``}, {"EVMTransaction.from", `"from":"0xf0"`, `"from":true`}, {"EVMTransaction.to", `"to":"0x70"`, `"to":true`},
		{"EVMTransaction.value", `"value":"1"`, `"value":"1.5"`}, {"EVMTransaction.value", `"value":"1",`, ``}, {"EVMTransaction.logs", `"logs"`, `"x"`},
		{"EVMLog.address", `"address":"0xcc",`, ``}, {"EVMLog.topics", `"topics":["0x01"]`, `"topics":null`}, {"EVMLog.logIndex", `"logIndex":0`, `"logIndex":null`},
	} {
		bodies[head+evmBlock+evmTx(row.was, row.is)+`]}`] = row.member
	}
	require.Len(t, bodies, 23)
	for body, member := range bodies {
		r := newRig(t, nil)
		require.Equal(t, 200, r.gets(signer.Request(destination, []byte(body))), body)
		d := r.runs[0]
		require.Equal(t, body, d.Raw.String())
		require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode, body)
		require.ErrorContains(t, d.DecodeErr, member+" decides", body)
		require.Equal(t, 1, len(transactionsOf(d)), body)
	}
	for _, whole := range []string{head + ledgerSlot + ledgerTx() + `]}`, head + evmBlock + evmTx() + `]}`, head + evmBlock + evmTx(`"to":"0x70"`, `"to":null`) + `]}`} {
		require.NoError(t, webhooks.ParseDelivery([]byte(whole)).DecodeErr)
	}
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
