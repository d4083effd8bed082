package webhooks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestTopOfADelivery: what a delivery says outside of its transactions holds for each of them.
// They are kept, and said.
func TestTopOfADelivery(t *testing.T) {
	ledger, evm := head+ledgerSlot+ledgerTx()+`]}`, head+evmBlock+evmTx()+`]}`
	failures := []string{
		`"removed":true`, `"reverted":true`, `"err":{"InstructionError":[0,"x"]}`, `"error":"boom"`, `"errors":[{"message":"x"}]`, `"success":false`, `"status":"failed"`,
		`"Status":"FAILED"`, `"tx_status":0`, `"meta":{"err":"x"}`, `"result":{"status":"0x0"}`, `"orphaned":1`,
	}
	for payload, whole := range map[string]string{"LedgerPayload.": ledger, "EVMPayload.": evm} {
		require.NoError(t, webhooks.ParseDelivery([]byte(whole)).DecodeErr)
		for _, sign := range failures {
			for _, body := range []string{`{` + sign + `,` + whole[1:], " \n" + strings.TrimSuffix(whole, "}") + `,` + sign + `}`} {
				name, _, _ := strings.Cut(strings.Trim(sign, `"`), `"`)
				d := webhooks.ParseDelivery([]byte(body))
				require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode, body)
				require.ErrorContains(t, d.DecodeErr, payload+name+" decides, and is a failure", body)
				require.Len(t, transactionsOf(d), 1, body)
				failed := d.Ledger != nil && d.Ledger.Transactions[0].Meta.Failed() || d.EVM != nil && d.EVM.Transactions[0].Failed()
				require.True(t, failed, body)

				lenient, err := webhooks.NewDeliveryReader(*verifier(), nil, payload+name)
				require.NoError(t, err)
				req := signer.Request(destination, []byte(body))
				d, err = lenient.Read(req.Header, req.Body)
				require.NoError(t, err)
				require.NoError(t, d.DecodeErr, body)
				require.Equal(t, []string{payload + name + ": a failure"}, d.Waived)
			}
		}
		for _, fine := range []string{
			`"removed":false`, `"err":null`, `"error":""`, `"errors":[]`, `"success":true`, `"status":"confirmed"`, `"status":{}`, `"meta":{}`, `"note":{"error":"x"}`,
		} {
			d := webhooks.ParseDelivery([]byte(`{` + fine + `,` + whole[1:]))
			require.NoError(t, d.DecodeErr, fine)
			require.Len(t, transactionsOf(d), 1)
		}
	}
	// One of which a record is off says both.
	off := webhooks.ParseDelivery([]byte(`{"removed":true,` + head[1:] + ledgerSlot + ledgerTx(`"fee":1,`, ``) + `]}`))
	require.ErrorContains(t, off.DecodeErr, "LedgerPayload.removed")
	require.ErrorContains(t, off.DecodeErr, "LedgerMeta.fee")
}

// TestNumbersOfADelivery: what is documented and is no number, or no time, is not read as none.
func TestNumbersOfADelivery(t *testing.T) {
	ledger, evm := head+ledgerSlot+ledgerTx()+`]}`, head+evmBlock+evmTx()+`]}`
	rows := []struct{ whole, was, is, member string }{
		{ledger, `"slot":1`, `"slot":"0x10"`, "LedgerPayload.slot"}, {ledger, `"slot":1`, `"slot":"0X1"`, "LedgerPayload.slot"},
	}
	for _, is := range []string{`"soon"`, `-1`, `0`, `6.5`, `{"x":1}`, `["x"]`, `true`, `9007199254740993`, `1e3`} {
		rows = append(rows,
			struct{ whole, was, is, member string }{ledger, `"timestamp":1767225600`, `"timestamp":` + is, "LedgerPayload.timestamp"},
			struct{ whole, was, is, member string }{evm, `"timestamp":1767225600`, `"timestamp":` + is, "EVMPayload.timestamp"})
	}
	for _, is := range []string{`null`, `{}`, `"x"`, `[{}]`, `7`, `["!!!"]`, `[null]`} {
		rows = append(rows, struct{ whole, was, is, member string }{ledger, `"signatures":[]`, `"signatures":` + is, "LedgerContent.signatures"})
	}
	said := map[string]string{"gas": `"gas":"2"`, "gasPrice": `"gasPrice":"3"`, "nonce": `"nonce":0`}
	for _, is := range []string{`"soon"`, `-1`, `6.5`, `{"x":1}`, `["x"]`, `true`, `"0xzz"`} {
		for member := range said {
			rows = append(rows, struct{ whole, was, is, member string }{evm, said[member], `"` + member + `":` + is, "EVMTransaction." + member})
		}
	}
	for _, row := range rows {
		body := strings.Replace(row.whole, row.was, row.is, 1)
		require.NotEqual(t, row.whole, body)
		d := webhooks.ParseDelivery([]byte(body))
		require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode, body)
		require.ErrorContains(t, d.DecodeErr, row.member+" decides", body)
		if strings.HasSuffix(row.member, "timestamp") || strings.HasPrefix(row.member, "EVMTransaction") || strings.HasPrefix(row.member, "LedgerContent") {
			require.Len(t, transactionsOf(d), 1, body)
		}
	}
	for _, whole := range []string{
		strings.Replace(ledger, `"timestamp":1767225600,`, ``, 1), strings.Replace(ledger, `"slot":1`, `"slot":"1"`, 1),
		strings.NewReplacer(`"gas":"2"`, `"gas":"0x5208"`, `"nonce":0`, `"nonce":"0x7"`).Replace(evm),
		strings.NewReplacer(`"gas":"2"`, `"gas":null`, `"gasPrice":"3"`, `"gasPrice":""`, `"nonce":0`, `"nonce":null`).Replace(evm), strings.Replace(evm, `"blockNumber":1`, `"blockNumber":"0x10"`, 1),
	} {
		require.NoError(t, webhooks.ParseDelivery([]byte(whole)).DecodeErr, whole)
	}
}
