package amm

import (
	"github.com/walletfi/walletfi-go/internal/stored"
)

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service. The form keeps the name that the type had before: amm.Swap.
func (s Transaction) MarshalJSON() ([]byte, error) {
	return stored.Kept("amm.Swap", s.answer(), s.Raw, s.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (s *Transaction) UnmarshalJSON(b []byte) error {
	return stored.ReadKept("amm.Swap", b, &s.intent, s.decode)
}
