package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// plainWaived and readWaived have a member of each declaration. The second has a reader.
type (
	plainWaived struct {
		Fee   walletfi.Amount  `json:"fee" wire:"said"`
		Count uint64           `json:"count" wire:"present"`
		Name  string           `json:"name" wire:"strict,said"`
		Price walletfi.Decimal `json:"price" wire:"once,said,max=1"`
	}
	readWaived   plainWaived
	heldWaived   struct{ Inner readWaived }
	listedWaived struct {
		All []readWaived `json:"inner" wire:"records"`
	}
)

func init() { wire.Reader(wire.Fields[readWaived]) }

// TestWaived: each breach of a member that decides can be let through, of a strict one too,
// at any depth, and no other one.
func TestWaived(t *testing.T) {
	rows := map[string]string{
		`{"count":1,"name":"n","price":1}`: "fee", `{"fee":{},"count":1,"name":"n","price":1}`: "fee",
		`{"fee":1,"fee":2,"count":1,"name":"n","price":1}`: "fee", `{"fee":"all","count":1,"name":"n","price":1}`: "fee",
		`{"fee":1,"name":"n","price":1}`: "count", `{"fee":1,"count":null,"name":"n","price":1}`: "count",
		`{"fee":1,"count":"many","name":"n","price":1}`: "count", `{"fee":1,"count":1,"count":1,"name":"n","price":1}`: "count",
		`{"fee":1,"count":1,"price":1}`: "name", `{"fee":1,"count":1,"name":{},"price":1}`: "name", `{"fee":1,"count":1,"name":"n","name":"m","price":1}`: "name",
		`{"fee":1,"count":1,"name":"n"}`: "price", `{"fee":1,"count":1,"name":"n","price":2}`: "price", `{"fee":1,"count":1,"name":"n","price":1,"price":0}`: "price",
	}
	for body, member := range rows {
		for form, read := range map[string]func(waive func(wire.Breach) bool) error{
			"plainWaived": func(waive func(wire.Breach) bool) error {
				return wire.UnmarshalWaiving([]byte(body), new(plainWaived), waive)
			},
			"readWaived": func(waive func(wire.Breach) bool) error {
				return wire.UnmarshalWaiving([]byte(body), new(readWaived), waive)
			},
			"in a struct": func(waive func(wire.Breach) bool) error {
				return wire.UnmarshalWaiving([]byte(`{"Inner":`+body+`}`), new(heldWaived), waive)
			},
			"in a list": func(waive func(wire.Breach) bool) error {
				return wire.UnmarshalWaiving([]byte(`{"inner":[`+body+`]}`), new(listedWaived), waive)
			},
		} {
			name := "readWaived." + member
			if form == "plainWaived" {
				name = "plainWaived." + member
			}
			require.ErrorIs(t, read(nil), walletfi.ErrDecode, "%s %s", form, body)
			require.NoError(t, read(func(b wire.Breach) bool { return b.Name() == name && b.What != "" }), "%s %s", form, body)
			require.ErrorIs(t, read(func(b wire.Breach) bool { return b.Name() != name }), walletfi.ErrDecode, "%s %s", form, body)
		}
	}
}
