package onchaindata

import (
	"encoding/json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/lenient"
)

// PoolPage is a page of pools in the service's order. The shape of these answers
// is not documented: the pools are decoded as a single pool is, and Raw holds the
// whole answer.
type PoolPage struct {
	Items []Pool

	Raw walletfi.Document // the answer as it came
}

// UnmarshalJSON reads a JSON:API document of pools and sets the records that were
// included for each.
func (p *PoolPage) UnmarshalJSON(b []byte) error {
	*p = PoolPage{}
	var doc document[Pool]
	p.Raw = lenient.Keep(b)
	err := lenient.Decode(b, &doc)
	p.Items = doc.records(poolOf)
	library := newLibrary(doc.Included.items)
	for i := range p.Items {
		library.link(&p.Items[i])
	}
	return err
}

// MarshalJSON returns the answer as it came.
func (p PoolPage) MarshalJSON() ([]byte, error) { return json.Marshal(p.Raw) }
