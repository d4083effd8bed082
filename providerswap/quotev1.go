package providerswap

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// QuotesV1Request asks version 1 what all providers would give. The two mints
// may be the same.
type QuotesV1Request struct {
	FromMint    string          `url:"fromMint"` // token to give, base58; required
	ToMint      string          `url:"toMint"`   // token to get, base58; required
	Amount      walletfi.Amount `url:"amount"`   // of FromMint; more than 0
	SlippageBps int             `url:"slippage"` // 0 to 10,000; see MajorSlippageMax and its like
}

// QuoteV1Request asks version 1 what one provider would give.
type QuoteV1Request struct {
	QuotesV1Request
	Provider Provider `url:"provider"`       // required
	Pool     string   `url:"pool,omitempty"` // address of the pool to take, base58; empty leaves it to the provider
}

// QuoteV1 is a provider's quote. Its shape is not documented: what was found
// under the usual names is filled, taken to be in smallest units, and
// everything is in Raw.
type QuoteV1 struct {
	Provider       Provider
	InAmount       *walletfi.Amount // nil where not found
	OutAmount      *walletfi.Amount // estimated; nil where not found
	MinOutAmount   *walletfi.Amount // after slippage; nil where not found
	PriceImpactPct walletfi.Decimal
	Problem        string // why there is no OutAmount, where the provider says so
	Raw            walletfi.Document
}

// UnmarshalJSON keeps the quote as it came in Raw.
func (q *QuoteV1) UnmarshalJSON(b []byte) error {
	found := search(b)
	*q = QuoteV1{
		Provider: Provider(found.text("provider", "swapprovider", "providername", "dex", "venue")),
		InAmount: found.amount("srcamountin", "inamount", "amountin", "inputamount", "fromamount"),
		OutAmount: found.amount("destamountout", "outamount", "amountout", "outputamount", "toamount",
			"estimatedamountout", "expectedamountout", "expectedoutput"),
		MinOutAmount: found.amount("destamountoutmin", "minoutamount", "minamountout", "outamountmin", "amountoutmin",
			"minimumamountout", "otheramountthreshold", "minimumreceived", "minoutput"),
		PriceImpactPct: found.decimal("priceimpactpct", "priceimpactpercent", "priceimpact"),
		Raw:            clone(b),
	}
	if q.OutAmount == nil {
		q.Problem = found.text("error", "reason", "message")
	}
	return nil
}

// MarshalJSON returns the quote as it came.
func (q QuoteV1) MarshalJSON() ([]byte, error) { return q.Raw.MarshalJSON() }

// GetQuoteV1 quotes giving exactly req.Amount to req.Provider.
//
// GET /api/v1/quote.
func (c *Client) GetQuoteV1(ctx context.Context, req QuoteV1Request, opts ...walletfi.CallOption) (*QuoteV1, error) {
	quote, err := transport.Do[QuoteV1](ctx, c.t, transport.Call{
		Op: "GetQuoteV1", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/api/v1/quote"), Query: req, Invalid: req.problem(),
	}, opts)
	if err != nil {
		return nil, err
	}
	quote.Provider = cmp.Or(quote.Provider, req.Provider)
	return quote, nil
}

func (r QuotesV1Request) problem() error {
	return check.All(
		check.Address("fromMint", r.FromMint),
		check.Address("toMint", r.ToMint),
		check.Positive("amount", r.Amount),
		check.Range("slippage", r.SlippageBps, 0, maxBps),
	)
}

func (r QuoteV1Request) problem() error {
	return check.All(r.QuotesV1Request.problem(), r.Provider.problem(), check.OptionalAddress("pool", r.Pool))
}

// QuotesV1 is what all providers would give. Its shape is not documented:
// Quotes holds those of the list, or of the object by provider, that was found,
// and Raw everything.
type QuotesV1 struct {
	Quotes []QuoteV1
	Raw    walletfi.Document
}

// UnmarshalJSON keeps the answer as it came in Raw.
func (q *QuotesV1) UnmarshalJSON(b []byte) error {
	q.Raw, q.Quotes = clone(b), quotesIn(b, maxDepth)
	return nil
}

// MarshalJSON returns the answer as it came.
func (q QuotesV1) MarshalJSON() ([]byte, error) { return q.Raw.MarshalJSON() }

// quotesIn reads a list of quotes, an object from provider to quote, or an
// object that holds either.
func quotesIn(b []byte, depth int) []QuoteV1 {
	var list []json.RawMessage
	if json.Unmarshal(b, &list) == nil {
		return quotesOf(list, func(int) string { return "" })
	}
	var object map[string]json.RawMessage
	if depth == 0 || json.Unmarshal(b, &object) != nil {
		return nil
	}
	for _, wrapper := range []string{"quotes", "data", "results", "result", "providers", "all"} {
		if inner := object[wrapper]; len(inner) > 0 && (inner[0] == '[' || inner[0] == '{') {
			return quotesIn(inner, depth-1)
		}
	}
	names := sortedKeys(object)
	for _, name := range names {
		list = append(list, object[name])
	}
	return quotesOf(list, func(i int) string { return names[i] })
}

// quotesOf reads the items that are objects; name is an item's provider where
// it does not say.
func quotesOf(items []json.RawMessage, name func(i int) string) []QuoteV1 {
	var quotes []QuoteV1
	for i, item := range items {
		if item[0] != '{' {
			continue
		}
		var q QuoteV1
		if q.UnmarshalJSON(item) == nil {
			q.Provider = cmp.Or(q.Provider, Provider(name(i)))
			quotes = append(quotes, q)
		}
	}
	return quotes
}

// Best returns the quote that gives the most, the first of those that give the
// same; false where no output was found.
func (q *QuotesV1) Best() (best QuoteV1, ok bool) {
	for _, quote := range q.Quotes {
		if quote.OutAmount != nil && (!ok || *quote.OutAmount > *best.OutAmount) {
			best, ok = quote, true
		}
	}
	return best, ok
}

// ListQuotesV1 quotes giving exactly req.Amount to every provider.
//
// GET /api/v1/quote/all.
func (c *Client) ListQuotesV1(ctx context.Context, req QuotesV1Request, opts ...walletfi.CallOption) (*QuotesV1, error) {
	return transport.Do[QuotesV1](ctx, c.t, transport.Call{
		Op: "ListQuotesV1", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/api/v1/quote/all"), Query: req, Invalid: req.problem(),
	}, opts)
}
