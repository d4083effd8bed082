package webhooks

import (
	"reflect"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

const (
	evmHead     = `{"webhookId":"w","network":"n","blockNumber":1,"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","transactions":[`
	evmTx       = `{"hash":"0x0000000000000000000000000000000000000000000000000000000000000001","from":"0x0000000000000000000000000000000000000066","value":"1","logs":[`
	evmLog      = `{"address":"0x0000000000000000000000000000000000000061","topics":[],"data":"0x","logIndex":0}`
	ledgerHead  = `{"webhookId":"w","network":"n","slot":1,"transactions":[`
	ledgerTx    = `{"signature":"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV",`
	ledgerMeta  = `"meta":{"fee":1,"preBalances":[],"postBalances":[],"err":null}`
	nothingDone = `"transaction":{"message":{"accountKeys":[],"instructions":[]}}`
)

// TestDecoders holds what is read of a delivery to the json tags of each struct.
func TestDecoders(t *testing.T) {
	t.Run("EVMPayload", ofDelivery[EVMPayload]("@", func(p *EVMPayload) *EVMPayload { return p }).Run)
	tx := ofDelivery[EVMTransaction](evmHead+`@]}`, func(p *EVMPayload) *EVMTransaction { return &p.Transactions[0] })
	tx.Values = map[string][]string{"status": {`"0x1"`, `1`, `true`, `{"x":1}`, `"pending"`}} // none of a failure
	t.Run("EVMTransaction", tx.Run)
	t.Run("EVMLog", ofDelivery[EVMLog](evmHead+evmTx+evmLog+`,@]}]}`, func(p *EVMPayload) *EVMLog { return &p.Transactions[0].Logs[1] }).Run)
	t.Run("LedgerPayload", ofLedger[LedgerPayload]("@", func(p *LedgerPayload) *LedgerPayload { return p }).Run)
	t.Run("LedgerTransaction", ofLedger[LedgerTransaction](ledgerHead+`@]}`, func(p *LedgerPayload) *LedgerTransaction { return &p.Transactions[0] }).Run)
	t.Run("LedgerMeta", ofLedger[LedgerMeta](ledgerHead+ledgerTx+nothingDone+`,"meta":@}]}`, func(p *LedgerPayload) *LedgerMeta { return &p.Transactions[0].Meta }).Run)
	content := ledgerHead + ledgerTx + ledgerMeta + `,"transaction":`
	t.Run("LedgerContent", ofLedger[LedgerContent](content+`@}]}`, func(p *LedgerPayload) *LedgerContent { return &p.Transactions[0].Transaction }).Run)
	t.Run("LedgerMessage", ofLedger[LedgerMessage](content+`{"message":@}}]}`, func(p *LedgerPayload) *LedgerMessage { return &p.Transactions[0].Transaction.Message }).Run)
	in := content + `{"message":{"accountKeys":[],"instructions":[{"programIdIndex":0,"accounts":[]},@]}}}]}`
	t.Run("LedgerInstruction", ofLedger[LedgerInstruction](in, func(p *LedgerPayload) *LedgerInstruction {
		return &p.Transactions[0].Transaction.Message.Instructions[1]
	}).Run)
	t.Run("Webhook", wiretest.Decoder[Webhook]{}.Run)
}

// ofDelivery reads an EVM chain's payload. The body has an @ where the object goes.
func ofDelivery[T any](body string, part func(*EVMPayload) *T) wiretest.Decoder[T] {
	d := ofChain(body, func(d *Delivery) *T {
		if d.EVM == nil {
			return nil
		}
		return part(d.EVM)
	})
	if body == "@" {
		d.Always = map[string]string{"blockHash": `"0x` + strings.Repeat("01", 32) + `"`}
	}
	return d
}

// ofLedger reads the ledger chain's.
func ofLedger[T any](body string, part func(*LedgerPayload) *T) wiretest.Decoder[T] {
	d := ofChain(body, func(d *Delivery) *T {
		if d.Ledger == nil {
			return nil
		}
		return part(d.Ledger)
	})
	if body == "@" {
		d.Always = map[string]string{"slot": `1`}
	}
	return d
}

func ofChain[T any](body string, part func(*Delivery) *T) wiretest.Decoder[T] {
	return wiretest.Decoder[T]{
		Types: map[reflect.Type][]string{
			reflect.TypeFor[Number]():   {`7`, `"7"`, `"0x1f"`, `"0XfF"`, `18446744073709551615`, `5.0`},
			reflect.TypeFor[Quantity](): {`"1000000000000000000"`, `"0x1f"`, `7`},
			reflect.TypeFor[*bool]():    {`false`}, // of EVMLog.removed, as true is a doubt
		},
		Body: func(object string) string { return strings.Replace(body, "@", object, 1) },
		Decode: func(body []byte) (*T, error) {
			d := ParseDelivery(body)
			if d.Ledger != nil && wire.Usable(d.DecodeErr) {
				for i := range d.Ledger.Transactions {
					d.Ledger.Transactions[i].Raw = nil
				}
				return part(d), nil // one member at a time does not fit the lists of the others
			}
			return part(d), d.DecodeErr
		},
	}
}
