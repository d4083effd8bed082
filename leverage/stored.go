package leverage

import (
	"github.com/walletfi/walletfi-go/internal/stored"
)

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (t Transaction) MarshalJSON() ([]byte, error) {
	type fields Transaction
	return stored.Built("leverage.Transaction", fields(t), nil, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	type fields Transaction
	return stored.ReadBuilt("leverage.Transaction", b, &t.intent, (*fields)(t))
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (s PartialSell) MarshalJSON() ([]byte, error) {
	type fields PartialSell
	return stored.Built("leverage.PartialSell", fields(s), nil, s.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (s *PartialSell) UnmarshalJSON(b []byte) error {
	type fields PartialSell
	return stored.ReadBuilt("leverage.PartialSell", b, &s.intent, (*fields)(s))
}
