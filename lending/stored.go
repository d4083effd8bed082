package lending

import (
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// A client reads an answer member by member, and never a stored form.
func init() {
	wire.Reader(wire.Fields[DepositTransaction])
	wire.Reader(wire.Fields[WithdrawTransaction])
	wire.Reader(wire.Fields[ReferrerClaim])
	wire.BytesReader((*ReferrerInitialization).decode)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (t DepositTransaction) MarshalJSON() ([]byte, error) {
	type fields DepositTransaction
	return stored.Built("lending.DepositTransaction", fields(t), nil, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *DepositTransaction) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("lending.DepositTransaction", b, &t.intent, t)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (t WithdrawTransaction) MarshalJSON() ([]byte, error) {
	type fields WithdrawTransaction
	return stored.Built("lending.WithdrawTransaction", fields(t), nil, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *WithdrawTransaction) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("lending.WithdrawTransaction", b, &t.intent, t)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send. It fails for what did not come
// from the service.
func (r ReferrerInitialization) MarshalJSON() ([]byte, error) {
	type fields ReferrerInitialization
	return stored.Kept("lending.ReferrerInitialization", fields(r), r.Raw, r.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (r *ReferrerInitialization) UnmarshalJSON(b []byte) error {
	return stored.ReadKept("lending.ReferrerInitialization", b, &r.intent, r.decode)
}

// MarshalJSON writes the answer with the intent of its request, so that one process
// can build and another check, sign and send.
func (t ReferrerClaim) MarshalJSON() ([]byte, error) {
	type fields ReferrerClaim
	return stored.Built("lending.ReferrerClaim", fields(t), nil, t.intent)
}

// UnmarshalJSON reads what MarshalJSON wrote, or an answer of the service.
func (t *ReferrerClaim) UnmarshalJSON(b []byte) error {
	return stored.ReadBuilt("lending.ReferrerClaim", b, &t.intent, t)
}
