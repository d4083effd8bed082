package webhooks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

const (
	attackedKeys  = `"accountKeys":["9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM","7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU","11111111111111111111111111111111"]`
	attackedShort = `"preBalances":[20,0,1],"postBalances":[14,5,1]`
	attackedLong  = `"preBalances":[20,0,1,7,8],"postBalances":[14,5,1,7,8]`
	attackedMint  = `"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"`
	attackedTable = `,"addressTableLookups":[{"accountKey":` + attackedMint + `,"writableIndexes":[3],"readonlyIndexes":[9]}]`
)

// attackedTx is a transaction of three keys with what else its parts say.
func attackedTx(balances, meta, accounts, message, beyond string) string {
	return head + ledgerSlot + `{"signature":"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV",` +
		`"meta":{"fee":5000,` + balances + `,"err":null` + meta + `},"transaction":{"message":{` + attackedKeys + `,"instructions":[` +
		`{"programIdIndex":2,"accounts":[` + accounts + `],"data":""}]` + message + `},"signatures":[]}` + beyond + `}]}`
}

func attackedLoaded(writable, readonly string) string {
	return `,"loadedAddresses":{"writable":[` + writable + `],"readonly":[` + readonly + `]}`
}

// TestAttackedLoadedAddresses: the addresses that a transaction loads from tables have the last
// balances. Where it says how many there are, that holds, whatever its instructions name; else
// its instructions tell.
func TestAttackedLoadedAddresses(t *testing.T) {
	both := attackedLoaded(attackedMint, otherKey)
	inner := `,"innerInstructions":[{"index":0,"instructions":[{"programIdIndex":0,"accounts":[4],"data":""}]}]`
	calls := `,"innerInstructions":[{"index":0,"instructions":[{"programIdIndex":4,"accounts":[],"data":""}]}]`
	rows := []struct{ name, body, wrong string }{
		{"all named", attackedTx(attackedLong, both, "0,1,3,4", attackedTable, ""), ""},
		{"the first named alone", attackedTx(attackedLong, both, "3", attackedTable, ""), ""},
		{"none named", attackedTx(attackedLong, both, "0,1", attackedTable, ""), ""},
		{"none named, and no tables said", attackedTx(attackedLong, both, "0,1", "", ""), ""},
		{"none named, and tables alone said", attackedTx(attackedLong, "", "0,1", attackedTable, ""), ""},
		{"named by an inner instruction", attackedTx(attackedLong, inner, "0,1", "", ""), ""},
		{"named as an inner program", attackedTx(attackedLong, calls, "0,1", "", ""), ""},
		{"nothing said", attackedTx(attackedLong, "", "0,1,4", "", ""), ""},
		{"null said", attackedTx(attackedLong, `,"loadedAddresses":null`, "4", `,"addressTableLookups":null`, ""), ""},
		{"writable alone", attackedTx(attackedLong, `,"loadedAddresses":{"writable":[1,2]}`, "0,1", "", ""), ""},
		{"in the message", attackedTx(attackedLong, "", "0,1", both, ""), ""},
		{"above the message", attackedTx(attackedLong, "", "0,1", "", both), ""},
		{"indexes in base64", attackedTx(attackedLong, "", "0,1", `,"addressTableLookups":[{"writableIndexes":"Aw==","readonlyIndexes":"CQ=="}]`, ""), ""},
		{"in another spelling", attackedTx(attackedLong, `,"loaded_writable_addresses":[1,2]`, "0,1", "", ""), ""},
		{"balances of the keys alone", attackedTx(attackedShort, "", "0,1,3,4", attackedTable, ""), ""},
		{"none loaded", attackedTx(attackedShort, attackedLoaded("", ""), "0,1", `,"addressTableLookups":[]`, ""), ""},

		{"one said, two balances more", attackedTx(attackedLong, attackedLoaded(attackedMint, ""), "0,1,4", "", ""), "LedgerMeta.preBalances"},
		{"none said, two balances more", attackedTx(attackedLong, attackedLoaded("", ""), "0,1,4", "", ""), "LedgerMeta.preBalances"},
		{"a version without tables", attackedTx(attackedLong, "", "0,1,4", "", `,"version":"legacy"`), "LedgerMeta.preBalances"},
		{"two said, one balance more", attackedTx(strings.ReplaceAll(attackedLong, ",8]", "]"), "", "0,1", attackedTable, ""), "LedgerMeta.preBalances"},
		{"said to be one and two", attackedTx(attackedLong, attackedLoaded(attackedMint, ""), "0,1", attackedTable, ""), "LedgerMeta.preBalances"},
		{"nothing said or named", attackedTx(attackedLong, "", "0,1", "", ""), "LedgerMeta.preBalances"},
		{"one named, two balances more", attackedTx(attackedLong, "", "0,3", "", ""), "LedgerMeta.preBalances"},
		{"an index beyond what is loaded", attackedTx(attackedLong, both, "0,5", attackedTable, ""), "LedgerInstruction.accounts"},
		{"an index beyond the keys", attackedTx(attackedShort, "", "0,4", "", ""), "LedgerInstruction.accounts"},
		{"an index beyond the balances", attackedTx(attackedLong, "", "0,5", "", ""), "LedgerInstruction.accounts"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			d := webhooks.ParseDelivery([]byte(row.body))
			require.NotNil(t, d.Ledger)
			require.Len(t, d.Ledger.Transactions, 1)
			if row.wrong == "" {
				require.NoError(t, d.DecodeErr)
				return
			}
			require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode)
			require.ErrorContains(t, d.DecodeErr, row.wrong+" decides")
			require.NotEmpty(t, d.Ledger.Transactions[0].Raw)
		})
	}
}

// TestAttackedRepeats: what a delivery has twice would be counted twice. It is kept, and said,
// and let through if its member is named.
func TestAttackedRepeats(t *testing.T) {
	const other = `"signature":"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"`
	const is = `"signature":"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV"`
	const log = `{"address":"0x00000000000000000000000000000000000000cc","topics":[],"data":"","logIndex":7}`
	signed := func(by string) string {
		return head + ledgerSlot + ledgerTx(`"signatures":[]`, `"signatures":[`+strings.TrimPrefix(by, `"signature":`)+`]`) + `]}`
	}
	logs := func(logs string) string {
		body := evmTx()
		at := strings.Index(body, `"logs":[`)
		return head + evmBlock + body[:at] + `"logs":[` + logs + `]}]}`
	}
	broken := ledgerTx(`"fee":1,`, ``)
	rows := []struct {
		name, body, member string
		kept               int
		at                 []int
	}{
		{"a signature twice", head + ledgerSlot + ledgerTx() + `,` + ledgerTx() + `]}`, "LedgerTransaction.signature", 2, []int{1}},
		{"a signature twice, the slot last", head + `"transactions":[` + ledgerTx() + `,` + ledgerTx(is, other) + `,` + ledgerTx() + `],"slot":1}`, "LedgerTransaction.signature", 3, []int{2}},
		{"a signature twice, and another that is off", head + ledgerSlot + broken + `,` + ledgerTx(is, other) + `,` + ledgerTx(is, other) + `]}`, "LedgerTransaction.signature", 3, []int{0, 2}},
		{"a hash twice", head + evmBlock + evmTx() + `,` + evmTx() + `]}`, "EVMTransaction.hash", 2, []int{1}},
		{"an event twice", logs(log + `,` + strings.Replace(log, "7", `"0x7"`, 1)), "EVMLog.logIndex", 1, []int{0}},
		{"another first signature", signed(other), "LedgerTransaction.signature", 1, []int{0}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			d := webhooks.ParseDelivery([]byte(row.body))
			require.Len(t, transactionsOf(d), row.kept)
			require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode)
			var unread *walletfi.UnreadError
			require.ErrorAs(t, d.DecodeErr, &unread)
			var at []int
			for _, r := range unread.Records {
				require.True(t, r.Kept)
				require.Equal(t, "transactions", r.List)
				require.NotEmpty(t, r.Raw)
				at = append(at, r.Index)
			}
			require.ErrorContains(t, unread.Records[len(unread.Records)-1], row.member+" decides")
			require.ElementsMatch(t, row.at, at)

			lenient, err := webhooks.NewDeliveryReader(*verifier(), nil, row.member, "LedgerMeta.fee")
			require.NoError(t, err)
			req := signer.Request(destination, []byte(row.body))
			d, err = lenient.Read(req.Header, req.Body)
			require.NoError(t, err)
			require.NoError(t, d.DecodeErr)
			require.Len(t, transactionsOf(d), row.kept)
			require.Contains(t, strings.Join(d.Waived, " "), row.member)
		})
	}
	for _, whole := range []string{
		signed(is), logs(log), logs(log + `,` + strings.Replace(log, "7", "8", 1)),
		head + ledgerSlot + ledgerTx() + `,` + ledgerTx(is, other) + `]}`,
	} {
		d := webhooks.ParseDelivery([]byte(whole))
		require.NoError(t, d.DecodeErr, whole)
		require.NotEmpty(t, transactionsOf(d))
	}
}

// TestAttackedEmptyObjects: an empty object in place of a list does not say that there is nothing.
func TestAttackedEmptyObjects(t *testing.T) {
	ledger, evm := head+ledgerSlot+ledgerTx()+`]}`, head+evmBlock+evmTx()+`]}`
	for _, list := range []string{`"preBalances":[1]`, `"postBalances":[1]`, `"accounts":[0]`} {
		require.Contains(t, ledger, list)
		name, _, _ := strings.Cut(list, ":")
		d := webhooks.ParseDelivery([]byte(strings.Replace(ledger, list, name+`:{}`, 1)))
		require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode, list)
		require.ErrorContains(t, d.DecodeErr, strings.Trim(name, `"`), list)
	}
	for _, body := range []string{
		head + `"slot":1,"transactions":{}}`, strings.Replace(evmBlock, "[", "{}}", 1),
		evm[:strings.Index(evm, `"logs":`)] + `"logs":{}}]}`,
		ledger[:strings.Index(ledger, `"instructions":`)] + `"instructions":{}},"signatures":[]}}]}`,
	} {
		if !strings.HasPrefix(body, head) {
			body = head + body
		}
		require.ErrorIs(t, webhooks.ParseDelivery([]byte(body)).DecodeErr, walletfi.ErrDecode, body)
	}
}

// TestAttackedEnvelope: in an envelope the record counts, and is held against the request.
func TestAttackedEnvelope(t *testing.T) {
	const evil = `{"id":"wh_1","destination_url":"https://evil.example","enabled":false}`
	ask := func(body string) (created, got *webhooks.Webhook, createErr, getErr error) {
		c, _ := carriedClient(t, answer{Status: 200, Body: body}, answer{Status: 200, Body: body})
		created, createErr = c.CreateWebhook(t.Context(), webhooks.TemplateEVMWalletFilter, webhooks.CreateWebhookRequest{
			Name: "w", Network: "ETH_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
			TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0x52908400098527886E0F7030069857D2E4169EE7"}},
		})
		got, getErr = c.GetWebhook(t.Context(), "wh_1")
		return created, got, createErr, getErr
	}
	for _, envelope := range []string{`"data"`, `"webhook"`, `"result"`} {
		for _, own := range []string{``, `"id":"req_1",`} {
			created, _, err, _ := ask(`{` + own + envelope + `:` + evil + `}`)
			require.ErrorIs(t, err, walletfi.ErrMismatch, envelope)
			require.Equal(t, "wh_1", created.ID)
			honest := `{` + own + envelope + `:{"id":"wh_1","name":"w","enabled":true}}`
			created, got, err, getErr := ask(honest)
			require.NoError(t, err, honest)
			require.NoError(t, getErr, honest)
			require.Equal(t, []string{"wh_1", "wh_1"}, []string{created.ID, got.ID})
			_, _, _, getErr = ask(`{` + own + envelope + `:{"id":"wh_2","name":"w"}}`)
			require.ErrorIs(t, getErr, walletfi.ErrMismatch, envelope)
		}
	}
}

// TestAttackedListOfTwoIDs: a record of a list that names two webhooks is kept, and said.
func TestAttackedListOfTwoIDs(t *testing.T) {
	c, _ := carriedClient(t, answer{Status: 200, Body: `[{"id":"wh_1"},{"id":"wh_2","webhookId":"wh_3"}]`})
	list, err := c.ListWebhooks(t.Context())
	unread, ok := errors.AsType[*walletfi.UnreadError](err)
	require.True(t, ok, "%v", err)
	require.Len(t, unread.Records, 1)
	require.ErrorContains(t, err, "webhookId")
	require.Len(t, list.Items, 2)
}
