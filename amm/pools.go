package amm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// PoolPage is a list of pools. Neither the shape of a pool nor the envelope of
// the list is documented: Items holds the items of the list that was found, Raw
// the whole answer.
type PoolPage struct {
	Items []walletfi.Document
	Raw   walletfi.Document
}

// UnmarshalJSON keeps the answer and looks for a list in it: the answer itself,
// or a member.
func (l *PoolPage) UnmarshalJSON(b []byte) error {
	l.Raw, l.Items = slices.Clone(b), listIn(b, maxNesting, "pools")
	return heldToSay(b)
}

// MarshalJSON returns the answer as it arrived.
func (l PoolPage) MarshalJSON() ([]byte, error) { return l.Raw.MarshalJSON() }

// heldToSay returns an error if an answer of no documented shape says something twice, or nothing:
// it is no list, or null as an empty one can be, and no object with a member that has a value.
func heldToSay(b []byte) error {
	members, twice := wire.Members(b)
	if twice != nil {
		return twice
	}
	if b[0] != '[' && string(b) != "null" && !wire.SaySomething(members) {
		return errNothing
	}
	return nil
}

var errNothing = errors.New("the answer says nothing")

// maxNesting is how many levels of objects are searched for a list.
const maxNesting = 3

// listIn returns the items of the list in doc, or nil. A list under a usual
// name, or one of usual, is preferred; under another name it must be the only list.
func listIn(doc []byte, depth int, usual ...string) []walletfi.Document {
	var items []walletfi.Document
	if depth == 0 || json.Unmarshal(doc, &items) == nil {
		return items
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(doc, &members) != nil {
		return nil
	}
	for _, name := range slices.Concat([]string{"data", "list", "items", "rows"}, usual) {
		if found := listIn(members[name], depth-1, usual...); items == nil || len(items) == 0 && len(found) > 0 {
			items = found // an empty list says nothing of the others
		}
	}
	if items != nil {
		return items
	}
	lists := 0
	for _, member := range members {
		if member[0] == '[' {
			lists++
			items = listIn(member, depth-1, usual...)
		}
	}
	if lists != 1 {
		return nil
	}
	return items
}

// PoolsByIDsRequest selects pools by their ids.
type PoolsByIDsRequest struct {
	IDs []string `url:"ids,comma"` // none may hold a comma; required
}

// ListPoolsByIDs returns the pools of these ids.
//
// GET /pools/info/ids.
func (c *Client) ListPoolsByIDs(
	ctx context.Context, req PoolsByIDsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return transport.Do[PoolPage](ctx, c.made().data, transport.Call{
		Op: "ListPoolsByIDs", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape).ByDecoder(),
		Echo:   transport.Echo(func(p *PoolPage) error { return p.mismatch(req.IDs) }),
		Path:   transport.Path("/pools/info/ids"), Query: req,
		Invalid: check.All(
			check.That(len(req.IDs) > 0, "ids", "must not be empty"),
			check.Each("ids", req.IDs, listItem),
		),
	}, opts)
}

// listItem refuses an item that is empty or holds a comma, because items are
// joined by commas.
func listItem(field, item string) error {
	return check.All(
		check.Required(field, item),
		check.That(!bytes.ContainsRune([]byte(item), ','), field, "must not hold a comma"),
	)
}

// PoolsByMintsRequest selects the pools of a token or of a pair.
type PoolsByMintsRequest struct {
	Mint1 string `url:"mint1"`           // base58; required
	Mint2 string `url:"mint2,omitempty"` // base58; empty means any
}

// ListPoolsByMints returns the pools that trade these mints.
//
// GET /pools/info/mint.
func (c *Client) ListPoolsByMints(
	ctx context.Context, req PoolsByMintsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return transport.Do[PoolPage](ctx, c.made().data, transport.Call{
		Op: "ListPoolsByMints", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape).ByDecoder(),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/pools/info/mint"), Query: req,
		Invalid: check.All(
			check.Address("mint1", req.Mint1),
			check.OptionalAddress("mint2", req.Mint2),
		),
	}, opts)
}

// PoolsRequest selects a page of all pools. The service's defaults are not
// documented.
type PoolsRequest struct {
	Limit *int `url:"pageSize,omitempty"` // pools per page; nil lets the service decide
	Page  *int `url:"page,omitempty"`     // from 1; nil lets the service decide
}

// ListPools returns one page of all pools.
//
// GET /pools/info/list.
func (c *Client) ListPools(ctx context.Context, req PoolsRequest, opts ...walletfi.CallOption) (*PoolPage, error) {
	return transport.Do[PoolPage](ctx, c.made().data, transport.Call{
		Op: "ListPools", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape).ByDecoder(),
		Path:   transport.Path("/pools/info/list"), Query: req,
		Invalid: check.All(
			check.NotNegativeOf("pageSize", req.Limit),
			check.NotNegativeOf("page", req.Page),
		),
	}, opts)
}

// AllPools iterates over all pools, from req.Page on (nil means 1). It ends at
// the first error, at an empty page, and at a page that repeats the previous
// one. If a page holds no list, the error is [walletfi.ErrDecode].
func (c *Client) AllPools(
	ctx context.Context, req PoolsRequest, opts ...walletfi.CallOption,
) iter.Seq2[walletfi.Document, error] {
	return func(yield func(walletfi.Document, error) bool) {
		first := 1
		if req.Page != nil {
			first = max(*req.Page, 1)
		}
		var last []byte
		paging.Pages(first, 0, func(page int) ([]walletfi.Document, error) {
			list, err := c.ListPools(ctx, PoolsRequest{Limit: req.Limit, Page: &page}, opts...)
			switch {
			case err != nil:
				return nil, err
			case list.Items == nil && len(list.Raw) > 0 && string(list.Raw) != "null":
				return nil, fmt.Errorf("amm.AllPools: %w: no list on page %d", walletfi.ErrDecode, page)
			case bytes.Equal(list.Raw, last):
				return nil, nil
			}
			last = list.Raw
			return list.Items, nil
		})(yield)
	}
}
