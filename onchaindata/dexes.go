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

// DEX is a decentralised exchange on a network.
type DEX struct {
	ID   string `json:"-" wire:"identity"` // what FilterPoolsRequest.DEXes takes
	Name string `json:"name"`

	// Raw is the attributes of the record as they came, if a value in them could not
	// be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func dexOf(d *DEX, r *resource[DEX]) {
	d.ID = r.ID
}

// DEXPage is a page of a network's DEXes, in the service's order.
type DEXPage struct {
	Items []DEX

	Raw walletfi.Document // the answer as it came
}

// UnmarshalJSON reads a JSON:API document.
func (p *DEXPage) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, p)
}

func init() {
	reads(func(p *DEXPage, doc *document[DEX], raw walletfi.Document) error {
		*p = DEXPage{doc.records(dexOf), raw}
		return nil
	})
}

// MarshalJSON returns the answer as it came.
func (p DEXPage) MarshalJSON() ([]byte, error) { return json.Marshal(p.Raw) }

// DEXesRequest selects a page of a network's DEXes.
type DEXesRequest struct {
	Page *int `url:"page,omitempty"` // from 1; nil means 1
}

// ListDEXes returns one page of a network's DEXes. They change every
// [DEXRefresh].
//
// GET /networks/{network}/dexes.
func (c *Client) ListDEXes(
	ctx context.Context, network string, req DEXesRequest, opts ...walletfi.CallOption,
) (*DEXPage, error) {
	return transport.Do[DEXPage](ctx, c.made().t, transport.Call{
		Op: "ListDEXes", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("data"),
		Path:   transport.Path("/networks/{network}/dexes", network),
		Query:  req, Invalid: c.made().tier.checkPage(req.Page),
	}, opts)
}

// AllDEXes iterates over a network's DEXes; see [Client.AllTopPools].
func (c *Client) AllDEXes(
	ctx context.Context, network string, req DEXesRequest, opts ...walletfi.CallOption,
) iter.Seq2[DEX, error] {
	l := pageList[DEX]{tier: c.made().tier, start: req.Page, id: func(d DEX) string { return d.ID }}
	return l.all(func(page *int) ([]DEX, error) {
		p, err := c.ListDEXes(ctx, network, DEXesRequest{Page: page}, opts...)
		if p == nil {
			return nil, err
		}
		return p.Items, err
	})
}
