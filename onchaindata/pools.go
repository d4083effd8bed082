package onchaindata

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// PoolsRequest says what to include with several pools.
type PoolsRequest struct {
	Include []PoolInclude `url:"include,comma,omitempty"` // fills Pool.BaseToken, QuoteToken and DEX
}

// PoolBatch is the answer to a request for several pools by address.
type PoolBatch struct {
	Pools    []Pool            // in the order of the addresses
	NotFound []string          // addresses without a pool in the answer
	Unasked  []Pool            // pools at addresses that were not requested: the error is walletfi.ErrMismatch
	Raw      walletfi.Document // the answer as it came: its shape is not documented
}

// GetPools returns the pools of a network at the given addresses, in their order,
// in one request: no cap is documented. They change every [PoolRefresh].
//
// GET /networks/{network}/pools/multi/{addresses}.
func (c *Client) GetPools(
	ctx context.Context, network string, addresses []string, req PoolsRequest, opts ...walletfi.CallOption,
) (*PoolBatch, error) {
	page, err := transport.Do[PoolPage](ctx, c.made().t, transport.Call{
		Op: "GetPools", Effect: transport.Read, Method: http.MethodGet,
		Answer: listAnswer,
		Path:   transport.Path("/networks/{network}/pools/multi/{addresses}", network, distinct(addresses)),
		Query:  req, Invalid: check.All(checkAddresses(addresses), checkPoolInclude(req.Include)),
	}, opts)
	if page == nil {
		return nil, err
	}
	batch := &PoolBatch{Raw: page.Raw}
	addressOf := func(p *Pool) string { return p.Address }
	batch.Pools, batch.NotFound, batch.Unasked = arrange(addresses, page.Items, addressOf)
	if err != nil {
		batch.NotFound = nil // one of them may be in a record that could not be read
	}
	return batch, held(err, addresses, batch.Unasked, addressOf)
}
