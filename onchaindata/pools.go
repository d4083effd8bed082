package onchaindata

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// PoolsRequest says what to send along with several pools.
type PoolsRequest struct {
	Include []PoolInclude `url:"include,comma,omitempty"` // fills Pool.BaseToken, QuoteToken and DEX
}

// PoolBatch is several pools that were asked for by address.
type PoolBatch struct {
	Pools    []Pool            // found, in the order of the addresses
	NotFound []string          // addresses for which no pool came
	Unasked  []Pool            // that came under an address which was not asked for
	Raw      walletfi.Document // the answer as it came: its shape is not documented
}

// GetPools returns the pools of a network at the given addresses, in their
// order. How many addresses a request may name is not documented, so that they
// go in one. They change every PoolRefresh.
//
// GET /networks/{network}/pools/multi/{addresses}.
func (c *Client) GetPools(ctx context.Context, network string, addresses []string, req PoolsRequest, opts ...walletfi.CallOption) (*PoolBatch, error) {
	page, err := transport.DoFast(ctx, c.t, transport.Call{
		Op: "GetPools", Effect: transport.Read, Method: http.MethodGet,
		Answer: listAnswer,
		Path:   transport.Path("/networks/{network}/pools/multi/{addresses}", network, distinct(addresses)),
		Query:  req, Invalid: check.All(checkAddresses(addresses), checkPoolInclude(req.Include)),
	}, opts, fastPoolPage)
	if err != nil {
		return nil, err
	}
	batch := &PoolBatch{Raw: page.Raw}
	batch.Pools, batch.NotFound, batch.Unasked = arrange(addresses, page.Pools, func(p *Pool) string { return p.Address })
	return batch, nil
}
