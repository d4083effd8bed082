package swap

import (
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// A client reads an answer member by member, and never a stored form.
func init() {
	wire.Reader(func(s *wire.Scanner, q *Quote) error { return wire.KeptFields(s, q, &q.Raw) })
	wire.Reader(func(s *wire.Scanner, i *BuiltIntent) error { return wire.KeptFields(s, i, &i.Raw) })
	wire.Reader(wire.Fields[Order])
	wire.Reader(wire.Fields[Transaction])
	wire.Reader(wire.Fields[Instructions])
	wire.Reader(wire.Fields[PredictionMarketInit])
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (i BuiltIntent) MarshalJSON() ([]byte, error) {
	if i.Raw.IsZero() {
		return nil, stored.ErrMade("swap.BuiltIntent")
	}
	type fields BuiltIntent
	return stored.BuiltLive("swap.BuiltIntent", fields(i), i.Raw, i.intent, i.from)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service. Under a
// Deployment the fields come from the stored form: [Client.SubmitIntent] refuses with
// [walletfi.ErrMismatch] an intent whose fields are not those of its bytes.
func (i *BuiltIntent) UnmarshalJSON(b []byte) error {
	return stored.ReadLive("swap.BuiltIntent", b, &i.intent, &i.from, i.decode)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (o Order) MarshalJSON() ([]byte, error) {
	type fields Order
	return stored.Built("swap.Order", fields(o), nil, o.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (o *Order) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("swap.Order", b, &o.intent, o)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (t Transaction) MarshalJSON() ([]byte, error) {
	type fields Transaction
	return stored.Built("swap.Transaction", fields(t), nil, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("swap.Transaction", b, &t.intent, t)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (s Instructions) MarshalJSON() ([]byte, error) {
	type fields Instructions
	return stored.Built("swap.Instructions", fields(s), nil, s.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (s *Instructions) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("swap.Instructions", b, &s.intent, s)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (i PredictionMarketInit) MarshalJSON() ([]byte, error) {
	type fields PredictionMarketInit
	return stored.Built("swap.PredictionMarketInit", fields(i), nil, i.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (i *PredictionMarketInit) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("swap.PredictionMarketInit", b, &i.intent, i)
}
