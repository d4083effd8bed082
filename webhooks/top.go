package webhooks

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// holdTop holds what a known payload says outside of its transactions: that it did not fail and
// was not undone, as each of them then would be, that its time is one, and that the ledger counts
// its slots in decimal digits.
func (d *Delivery) holdTop(body []byte) {
	payload := reflect.TypeFor[LedgerPayload]()
	if d.EVM != nil {
		payload = reflect.TypeFor[EVMPayload]()
	} else if d.Ledger == nil {
		return
	}
	from := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	_, _ = jsontext.Members(body, from, func(start, to, at int) (int, error) {
		end := jsontext.ValueEnd(body, at)
		name, value := string(jsontext.Unquote(body[start:to])), walletfi.Document(body[at:end])
		sign, b := signIn(name, value), wire.Breach{Struct: payload, Member: name}
		switch {
		case sign != nil:
			b.What = aFailure
		case name == "timestamp" && given(value) && d.Timestamp.IsZero(), name == "slot" && bytes.ContainsAny(value, "xX"):
			b.What = wire.OfNoKind
		}
		if b.What != "" && !d.waive(b) {
			d.breaks(b, sign)
		}
		return end, nil
	})
}

// breaks notes what is wrong with a member of the payload. If that says that all of it failed,
// each transaction says so.
func (d *Delivery) breaks(b wire.Breach, sign walletfi.Document) {
	err := fmt.Errorf("%w: %s decides, and is %s", walletfi.ErrDecode, b.Name(), b.What)
	if d.DecodeErr != nil {
		err = fmt.Errorf("%w; %w", err, d.DecodeErr)
	}
	d.DecodeErr = err
	switch {
	case sign == nil:
	case d.EVM != nil:
		for i := range d.EVM.Transactions {
			d.EVM.Transactions[i].Status = walletfi.Document(failedStatus)
		}
	default:
		for i := range d.Ledger.Transactions {
			if meta := &d.Ledger.Transactions[i].Meta; !meta.Failed() {
				meta.Err = sign
			}
		}
	}
}
