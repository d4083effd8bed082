package burnclose

import (
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// A client reads an answer of the service, and never a stored form.
func init() {
	wire.BytesReader((*Transaction).decode)
	wire.BytesReader((*CloseAllTransactions).decode)
	wire.BytesReader((*Instructions).decode)
	wire.BytesReader((*CloseAllInstructions).decode)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (t Transaction) MarshalJSON() ([]byte, error) {
	type fields Transaction
	return stored.Kept("burnclose.Transaction", fields(t), t.Raw, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	return stored.ReadKept("burnclose.Transaction", b, &t.intent, t.decode)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (t CloseAllTransactions) MarshalJSON() ([]byte, error) {
	type fields CloseAllTransactions
	return stored.Kept("burnclose.CloseAllTransactions", fields(t), t.Raw, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *CloseAllTransactions) UnmarshalJSON(b []byte) error {
	return stored.ReadKept("burnclose.CloseAllTransactions", b, &t.intent, t.decode)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (i Instructions) MarshalJSON() ([]byte, error) {
	type fields Instructions
	return stored.Kept("burnclose.Instructions", fields(i), i.Raw, i.Intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (i *Instructions) UnmarshalJSON(b []byte) error {
	return stored.ReadKept("burnclose.Instructions", b, &i.Intent, i.decode)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (i CloseAllInstructions) MarshalJSON() ([]byte, error) {
	type fields CloseAllInstructions
	return stored.Kept("burnclose.CloseAllInstructions", fields(i), i.Raw, i.Intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (i *CloseAllInstructions) UnmarshalJSON(b []byte) error {
	return stored.ReadKept("burnclose.CloseAllInstructions", b, &i.Intent, i.decode)
}
