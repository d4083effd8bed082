package onchaindata

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Network is a chain that the service knows. The shape of the answer is not
// documented: it is decoded with the service's usual shape, and Raw has the rest.
type Network struct {
	ID   string `json:"-" wire:"identity"` // the network argument of the other methods
	Name string `json:"name"`

	Raw walletfi.Document `json:"-"`
}

func networkOf(n *Network, r *resource[Network]) {
	n.ID, n.Raw = r.ID, r.Raw
}

// NetworkPage is a page of networks, in the service's order.
type NetworkPage struct {
	Items []Network

	Raw walletfi.Document // the answer as it came
}

// UnmarshalJSON reads a JSON:API document.
func (p *NetworkPage) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, p)
}

func init() {
	reads(func(p *NetworkPage, doc *document[Network], raw walletfi.Document) error {
		*p = NetworkPage{doc.records(networkOf), raw}
		return nil
	})
}

// MarshalJSON returns the answer as it came.
func (p NetworkPage) MarshalJSON() ([]byte, error) { return json.Marshal(p.Raw) }

// NetworksRequest selects a page of the networks.
type NetworksRequest struct {
	// Page is numbered from 1. That this route takes a page is not documented. Nil
	// sends none.
	Page *int `url:"page,omitempty"`
}

// ListNetworks returns one page of the networks that the service knows.
//
// GET /networks.
func (c *Client) ListNetworks(
	ctx context.Context, req NetworksRequest, opts ...walletfi.CallOption,
) (*NetworkPage, error) {
	return transport.Do[NetworkPage](ctx, c.made().t, transport.Call{
		Op: "ListNetworks", Effect: transport.Read, Method: http.MethodGet,
		Answer: listAnswer,
		Path:   transport.Path("/networks"),
		Query:  req, Invalid: c.made().tier.checkPage(req.Page),
	}, opts)
}

// AllNetworks iterates over the networks; see [Client.AllTopPools]. A page that is
// not full is the last: AllNetworks requests no page after it.
func (c *Client) AllNetworks(
	ctx context.Context, req NetworksRequest, opts ...walletfi.CallOption,
) iter.Seq2[Network, error] {
	l := pageList[Network]{
		tier: c.made().tier, start: req.Page, endsShort: true, id: func(n Network) string { return n.ID },
	}
	return l.all(func(page *int) ([]Network, error) {
		p, err := c.ListNetworks(ctx, NetworksRequest{Page: page}, opts...)
		if p == nil {
			return nil, err
		}
		return p.Items, err
	})
}
