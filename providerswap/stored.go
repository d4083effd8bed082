package providerswap

import (
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// A client reads an answer member by member, and never a stored form.
func init() { wire.Reader(wire.Fields[Transaction]) }

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (s Transaction) MarshalJSON() ([]byte, error) {
	type fields Transaction
	return stored.Built("providerswap.Transaction", fields(s), nil, s.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (s *Transaction) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("providerswap.Transaction", b, &s.intent, s)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (t TransactionV1) MarshalJSON() ([]byte, error) {
	type fields TransactionV1
	return stored.Kept("providerswap.TransactionV1", fields(t), t.Raw, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *TransactionV1) UnmarshalJSON(b []byte) error {
	return stored.ReadKept("providerswap.TransactionV1", b, &t.intent, t.decode)
}
