package amm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// MintPage has the tokens that the service knows. Neither the shape of a token nor
// the envelope of the list is documented: Items holds the records of the list that
// was found, Raw the whole answer.
type MintPage struct {
	Items []walletfi.Document
	Raw   walletfi.Document
}

// UnmarshalJSON keeps the answer and looks for a list in it, as [PoolPage] does.
func (p *MintPage) UnmarshalJSON(b []byte) error {
	p.Raw, p.Items = slices.Clone(b), listIn(b, maxNesting, "mints", "tokens", "mintList")
	return heldToSay(b)
}

// MarshalJSON returns the answer as it arrived.
func (p MintPage) MarshalJSON() ([]byte, error) { return p.Raw.MarshalJSON() }

// ListMints returns the tokens that the service knows.
//
// GET /mint/list.
func (c *Client) ListMints(ctx context.Context, opts ...walletfi.CallOption) (*MintPage, error) {
	return transport.Do[MintPage](ctx, c.made().data, transport.Call{
		Op: "ListMints", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape).ByDecoder(),
		Path:   transport.Path("/mint/list"),
	}, opts)
}

// MintPrices holds the prices of tokens. Neither the currency nor the shape of
// the answer is documented: Prices holds what was found, Raw the whole answer.
type MintPrices struct {
	// Prices maps mints to prices. A mint without a price is missing, or its price
	// IsZero. One with two prices is missing: neither is more true.
	Prices map[string]walletfi.Decimal `wire:"decides"`
	Raw    walletfi.Document
}

// UnmarshalJSON keeps the answer and looks for prices in it: an object from
// mint to price, or a list of objects that hold both. It fails if what is found of a mint
// is no price, or comes twice.
func (p *MintPrices) UnmarshalJSON(b []byte) error {
	p.Raw, p.Prices = slices.Clone(b), map[string]walletfi.Decimal{}
	return p.gather(b, maxNesting)
}

// MarshalJSON returns the answer as it arrived.
func (p MintPrices) MarshalJSON() ([]byte, error) { return p.Raw.MarshalJSON() }

func (p *MintPrices) gather(doc []byte, depth int) error {
	var items []json.RawMessage
	if depth == 0 {
		return nil
	}
	if json.Unmarshal(doc, &items) == nil {
		several := map[string]bool{}
		for _, item := range items {
			record, _ := wire.Members(item)
			if record == nil {
				return errNoPrice
			}
			mint := priced(record).mint()
			was, has := p.Prices[mint]
			if err := p.add(mint, record); err != nil {
				return err
			}
			several[mint] = several[mint] || has && was.Cmp(p.Prices[mint]) != 0
		}
		maps.DeleteFunc(p.Prices, func(mint string, _ walletfi.Decimal) bool { return several[mint] })
		return nil
	}
	members, err := wire.Members(doc)
	isNothing := slices.Contains([]string{"null", `""`, "0", "false"}, string(doc))
	if err != nil || members == nil && !isNothing {
		return cmp.Or(err, errNoPrices)
	}
	for _, wrapper := range []string{"prices", "data"} {
		if inner, ok := members[wrapper]; ok {
			return p.gather(inner, depth-1)
		}
	}
	for mint, member := range members {
		item, _ := wire.Members(member)
		if item == nil {
			item = priced{"price": member}
		}
		if err := p.add(mint, item); err != nil {
			return err
		}
	}
	return nil
}

// Why there is no price, of an answer and of a mint.
var (
	errNoPrices = errors.New("the answer has no prices where they should be")
	errNoPrice  = errors.New("what is said of a mint is no price")
)

// add keeps the price of a mint. Of what is no mint nothing is expected.
func (p *MintPrices) add(mint string, item priced) error {
	price, ok := item.price()
	isMint := check.Address("", mint) == nil
	switch {
	case ok && mint != "" && (price.IsZero() || price.Valid() && price.Sign() >= 0):
		p.Prices[mint] = price
	case isMint:
		return errNoPrice
	}
	return nil
}

// priced is an object with a price, and perhaps a mint.
type priced map[string]walletfi.Document

func (o priced) mint() string {
	for _, name := range []string{"mint", "address", "id"} {
		if m := text(o[name]); m != "" {
			return m
		}
	}
	return ""
}

func (o priced) price() (price walletfi.Decimal, ok bool) {
	for _, name := range []string{"price", "value"} {
		if raw, has := o[name]; has && json.Unmarshal(raw, &price) == nil {
			return price, true
		}
	}
	return price, false
}

// GetMintPrices returns the prices of these mints.
//
// GET /mint/price.
func (c *Client) GetMintPrices(ctx context.Context, mints []string, opts ...walletfi.CallOption) (*MintPrices, error) {
	type query struct {
		Mints []string `url:"mints,comma"`
	}
	return transport.Do[MintPrices](ctx, c.made().data, transport.Call{
		Op: "GetMintPrices", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape),
		Echo:   transport.Echo(func(p *MintPrices) error { return p.mismatch(mints) }),
		Path:   transport.Path("/mint/price"), Query: query{mints},
		Invalid: check.All(
			check.That(len(mints) > 0, "mints", "must not be empty"),
			check.Each("mints", mints, check.Address[string]),
		),
	}, opts)
}
