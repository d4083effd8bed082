package onchaindata

import (
	"context"
	"iter"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Network is a chain that the service knows. The shape of the answer is not
// documented: it is taken to be the service's usual one, and Raw has the rest.
type Network struct {
	ID   string `json:"-"` // what the other methods take as network
	Name string `json:"name"`

	Raw walletfi.Document `json:"-"`
}

func networkOf(r *resource[Network]) Network {
	n := r.Attributes
	n.ID, n.Raw = r.ID, r.raw
	return n
}

// NetworksRequest picks a page of the networks.
type NetworksRequest struct {
	// Page is numbered from 1. The route is not documented to take one, the
	// service's way of paging is: 0 sends none.
	Page int `url:"page,omitempty"`
}

// ListNetworks returns one page of the networks that the service knows.
//
// GET /networks.
func (c *Client) ListNetworks(ctx context.Context, req NetworksRequest, opts ...walletfi.CallOption) ([]Network, error) {
	doc, err := transport.Do[document[Network]](ctx, c.t, transport.Call{
		Op: "ListNetworks", Effect: transport.Read, Method: http.MethodGet,
		Answer: listAnswer,
		Path:   transport.Path("/networks"),
		Query:  req, Invalid: c.tier.checkPage(req.Page),
	}, opts)
	if err != nil {
		return nil, err
	}
	return doc.records(networkOf), nil
}

// AllNetworks iterates over the networks; see AllTopPools. A page that is not
// full is the last, so that no page is asked for without need.
func (c *Client) AllNetworks(ctx context.Context, req NetworksRequest, opts ...walletfi.CallOption) iter.Seq2[Network, error] {
	l := pageList[Network]{tier: c.tier, start: req.Page, endsShort: true, id: func(n Network) string { return n.ID }}
	return l.all(func(page int) ([]Network, error) {
		return c.ListNetworks(ctx, NetworksRequest{Page: page}, opts...)
	})
}
