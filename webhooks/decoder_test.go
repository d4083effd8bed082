package webhooks

import (
	"reflect"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestDecoders holds what is read of a delivery to the json tags of each struct.
func TestDecoders(t *testing.T) {
	t.Run("EVMPayload", ofDelivery[EVMPayload]("@", func(p *EVMPayload) *EVMPayload { return p }).Run)
	t.Run("EVMTransaction", ofDelivery[EVMTransaction](`{"blockHash":"0x1","transactions":[@]}`, func(p *EVMPayload) *EVMTransaction { return &p.Transactions[0] }).Run)
	t.Run("EVMLog", ofDelivery[EVMLog](`{"blockHash":"0x1","transactions":[{"logs":[{},@]}]}`, func(p *EVMPayload) *EVMLog { return &p.Transactions[0].Logs[1] }).Run)
	t.Run("LedgerPayload", ofLedger[LedgerPayload]("@", func(p *LedgerPayload) *LedgerPayload { return p }).Run)
	t.Run("LedgerTransaction", ofLedger[LedgerTransaction](`{"slot":1,"transactions":[@]}`, func(p *LedgerPayload) *LedgerTransaction { return &p.Transactions[0] }).Run)
	t.Run("LedgerMeta", ofLedger[LedgerMeta](`{"slot":1,"transactions":[{"meta":@}]}`, func(p *LedgerPayload) *LedgerMeta { return &p.Transactions[0].Meta }).Run)
	t.Run("LedgerContent", ofLedger[LedgerContent](`{"slot":1,"transactions":[{"transaction":@}]}`, func(p *LedgerPayload) *LedgerContent { return &p.Transactions[0].Transaction }).Run)
	t.Run("LedgerMessage", ofLedger[LedgerMessage](`{"slot":1,"transactions":[{"transaction":{"message":@}}]}`, func(p *LedgerPayload) *LedgerMessage { return &p.Transactions[0].Transaction.Message }).Run)
	t.Run("LedgerInstruction", ofLedger[LedgerInstruction](`{"slot":1,"transactions":[{"transaction":{"message":{"instructions":[{},@]}}}]}`, func(p *LedgerPayload) *LedgerInstruction {
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
		d.Always = map[string]string{"blockHash": `"0x1"`}
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
			reflect.TypeFor[Quantity](): {`"1000000000000000000"`, `"0x1f"`, `7`, `1e3`},
		},
		Body: func(object string) string { return strings.Replace(body, "@", object, 1) },
		Decode: func(body []byte) (*T, error) {
			d := ParseDelivery(body)
			return part(d), d.DecodeErr
		},
	}
}
