package amm

import (
	"github.com/walletfi/walletfi-go/internal/stored"
)

// storedAs is the former name of Transaction, which what is stored keeps.
const storedAs = "amm.Swap"

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (s Transaction) MarshalJSON() ([]byte, error) {
	return stored.Kept(storedAs, s.answer(), s.Raw, s.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (s *Transaction) UnmarshalJSON(b []byte) error {
	return stored.ReadKept(storedAs, b, &s.intent, s.decode)
}
