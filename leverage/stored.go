package leverage

import (
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// A client reads an answer member by member, and never a stored form.
func init() { wire.Reader(wire.Fields[Transaction]) }

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (t Transaction) MarshalJSON() ([]byte, error) {
	type fields Transaction
	return stored.Built("leverage.Transaction", fields(t), nil, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("leverage.Transaction", b, &t.intent, t)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (s PartialSell) MarshalJSON() ([]byte, error) {
	type fields PartialSell
	return stored.Built("leverage.PartialSell", fields(s), nil, s.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (s *PartialSell) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("leverage.PartialSell", b, &s.intent, s)
}
