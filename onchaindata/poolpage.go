package onchaindata

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
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
	return wire.Decode(b, p)
}

func init() {
	reads(func(p *PoolPage, doc *document[Pool], raw walletfi.Document) error {
		*p = PoolPage{poolsOf(doc), raw}
		return nil
	})
}

// poolsOf returns the pools of a document, with the records that were included for each.
func poolsOf(doc *document[Pool]) []Pool {
	pools := doc.records(poolOf)
	library := newLibrary(doc.Included.Items())
	for i := range pools {
		library.link(&pools[i])
	}
	return pools
}

// MarshalJSON returns the answer as it came.
func (p PoolPage) MarshalJSON() ([]byte, error) { return json.Marshal(p.Raw) }

// listPools requests one page of pools.
func (c *Client) listPools(
	ctx context.Context, op string, path transport.Target, query any, invalid error, opts []walletfi.CallOption,
) (*PoolPage, error) {
	return transport.Do[PoolPage](ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Read, Method: http.MethodGet,
		Answer: listAnswer,
		Path:   path, Query: query, Invalid: invalid,
	}, opts)
}
