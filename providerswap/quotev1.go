package providerswap

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// QuotesV1Request describes a swap for all providers of version 1 to quote. The
// two mints may be the same.
type QuotesV1Request struct {
	InputMint  string            `url:"fromMint" asked:"FromMint"` // token to give, base58; required
	OutputMint string            `url:"toMint" asked:"ToMint"`     // token to get, base58; required
	Amount     walletfi.Amount   `url:"amount"`                    // of InputMint; more than 0
	Slippage   walletfi.Slippage `url:"slippage"`                  // 0 to 10,000 bps; required; see MajorSlippageMax
}

// QuoteV1Request describes a swap for one provider of version 1 to quote.
type QuoteV1Request struct {
	QuotesV1Request
	Provider Provider `url:"provider" asked:"-"`       // required
	Pool     string   `url:"pool,omitempty" asked:"-"` // address of the pool, base58; if empty, the provider decides
}

// QuoteV1 is a provider's quote. Its shape is not documented: the typed fields
// are looked up under usual names, amounts are taken to be in smallest units,
// and everything is in Raw.
type QuoteV1 struct {
	Provider       Provider
	InAmount       *walletfi.Amount `wire:"decides"` // nil if not found
	OutAmount      *walletfi.Amount `wire:"decides"` // estimated; nil if not found
	MinOutAmount   *walletfi.Amount `wire:"decides"` // after slippage; nil if not found
	PriceImpactPct walletfi.Decimal `wire:"decides,min=0,max=100"`
	// Problem is why there is no OutAmount, if the provider says so, or else which member
	// that was found cannot be what it is called, or that MinOutAmount is above OutAmount or
	// below what Slippage allows.
	Problem string
	Raw     walletfi.Document

	unfit bool // a member cannot be what it is called, or the two amounts contradict each other or the request
}

// decode keeps the quote as it arrived in Raw.
func (q *QuoteV1) decode(b []byte) {
	found := search(b)
	*q = QuoteV1{
		Provider: Provider(found.text("provider", "swapprovider", "providername", "dex", "venue")),
		InAmount: found.amount("srcamountin", "inamount", "amountin", "inputamount", "fromamount"),
		OutAmount: found.amount("destamountout", "outamount", "amountout", "outputamount", "toamount",
			"estimatedamountout", "expectedamountout", "expectedoutput"),
		MinOutAmount: found.amount("destamountoutmin", "minoutamount", "minamountout", "outamountmin", "amountoutmin",
			"minimumamountout", "otheramountthreshold", "minimumreceived", "minoutput"),
		PriceImpactPct: found.percent("priceimpactpct", "priceimpactpercent", "priceimpact"),
		Raw:            clone(b),
	}
	if q.OutAmount == nil {
		q.Problem = found.text("error", "reason", "message")
	}
	q.Problem, q.unfit = cmp.Or(q.Problem, found.problem), found.misfit
	q.judge(walletfi.Slippage{})
}

// judge keeps as the problem that the amounts do not fit the slippage, or each other.
func (q *QuoteV1) judge(s walletfi.Slippage) {
	if err := q.floor(s); err != nil {
		q.unfit, q.Problem = true, cmp.Or(q.Problem, err.Error())
	}
}

// floor holds the least output, if both amounts were found, against the estimate under s.
// A least of 0 is a problem already.
func (q *QuoteV1) floor(s walletfi.Slippage) error {
	if q.OutAmount == nil || q.MinOutAmount == nil || *q.MinOutAmount == 0 {
		return nil
	}
	return slippage.Floors(slippage.Stated{Field: "outAmount", Amount: *q.OutAmount},
		slippage.Least(*q.OutAmount, s), slippage.Stated{Field: "minOutAmount", Amount: *q.MinOutAmount})
}

// fromNames and toNames are usual names of the mints of a swap.
var (
	fromNames = []string{"frommint", "srcmint", "inputmint", "mintin"}
	toNames   = []string{"tomint", "dstmint", "destmint", "outputmint", "mintout"}
)

// mismatch holds what was found of a quote against the request.
func (r QuotesV1Request) mismatch(q *QuoteV1) error {
	found := search(q.Raw)
	return echo.All(
		echo.That(q.InAmount == nil || *q.InAmount == r.Amount, "inAmount or amountIn", r.Amount, q.InAmount),
		echo.Mint("fromMint", r.InputMint, found.text(fromNames...)),
		echo.Mint("toMint", r.OutputMint, found.text(toNames...)),
	)
}

// GetQuoteV1 quotes a swap of exactly req.Amount with req.Provider. A quote without an output, or of
// which a member cannot be what it is called, is [walletfi.ErrDecode], and comes with the error.
//
// GET /api/v1/quote.
func (c *Client) GetQuoteV1(ctx context.Context, req QuoteV1Request, opts ...walletfi.CallOption) (*QuoteV1, error) {
	quote, err := transport.Do[QuoteV1](ctx, c.made().t, transport.Call{
		Op: "GetQuoteV1", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape),
		Echo: transport.Echo(func(q *QuoteV1) error {
			return echo.All(req.mismatch(q), q.floor(req.Slippage), echo.Slug("provider", req.Provider, q.Provider))
		}),
		Path: transport.Path("/api/v1/quote"), Query: req, Invalid: req.problem(),
	}, opts)
	if err != nil {
		return nil, err
	}
	quote.Provider = cmp.Or(quote.Provider, req.Provider)
	if problem := cmp.Or(quote.Problem, quote.lacks()); problem != "" {
		return quote, fmt.Errorf("providerswap.GetQuoteV1: %w: %s", walletfi.ErrDecode, problem)
	}
	return quote, nil
}

// lacks says that no output was found.
func (q *QuoteV1) lacks() string {
	if q.OutAmount == nil {
		return "the answer has no output"
	}
	return ""
}

func (r QuotesV1Request) problem() error {
	return check.All(
		check.Address("fromMint", r.InputMint),
		check.Address("toMint", r.OutputMint),
		check.Positive("amount", r.Amount),
		check.Slippage("slippage", r.Slippage),
	)
}

func (r QuoteV1Request) problem() error {
	return check.All(r.QuotesV1Request.problem(), r.Provider.problem(), check.OptionalAddress("pool", r.Pool))
}

// QuoteV1Page holds the quotes of all providers. Its shape is not documented:
// Items comes from the list, or from the object by provider, that was found.
// Raw is the whole answer.
type QuoteV1Page struct {
	Items []QuoteV1
	Raw   walletfi.Document
}

// UnmarshalJSON keeps the answer as it arrived in Raw. Items is nil if there is neither a list nor a quote.
func (q *QuoteV1Page) UnmarshalJSON(b []byte) error {
	found := quoteList{}
	isList := found.look(b, "", maxDepth)
	q.Raw, q.Items = clone(b), found.quotes
	if isList && q.Items == nil {
		q.Items = []QuoteV1{}
	}
	if len(found.unread) > 0 {
		return &walletfi.UnreadError{Records: found.unread}
	}
	return nil
}

// MarshalJSON returns the answer as it arrived.
func (q QuoteV1Page) MarshalJSON() ([]byte, error) { return q.Raw.MarshalJSON() }

// quoteList holds the quotes of an answer.
type quoteList struct {
	quotes []QuoteV1
	unread []*walletfi.RecordError
}

// look reads a list of quotes, an object from provider to quote, or an object that
// holds either under a usual name. A record of a list that is no object is unread.
// A member that is not an object is not a quote. It reports whether there is a list, or an object or a
// null under such a name.
func (l *quoteList) look(b []byte, name string, depth int) (isList bool) {
	var list []json.RawMessage
	if json.Unmarshal(b, &list) == nil {
		for i, item := range list {
			if item[0] != '{' {
				l.unread = append(l.unread, &walletfi.RecordError{List: name, Index: i, Raw: clone(item), Err: errNoQuote})
				continue
			}
			l.add(item, "")
		}
		return list != nil || name != ""
	}
	object, _ := wire.Members(b)
	if depth == 0 || object == nil {
		return false
	}
	for _, wrapper := range []string{"quotes", "data", "results", "result", "providers", "all"} {
		if inner := object[wrapper]; len(inner) > 0 && (inner[0] == '[' || inner[0] == '{') {
			l.look(inner, wrapper, depth-1)
			return true
		}
	}
	for _, provider := range sortedKeys(object) {
		if object[provider][0] == '{' {
			l.add(object[provider], Provider(provider))
		}
	}
	return false
}

var errNoQuotes = errors.New("the answer has no quotes where they should be")

var errNoQuote = errors.New("a quote must be an object")

// add reads a quote of a provider, which it may state itself.
func (l *quoteList) add(item []byte, provider Provider) {
	var q QuoteV1
	q.decode(item)
	q.Provider = cmp.Or(q.Provider, provider)
	l.quotes = append(l.quotes, q)
}

// Best returns the quote with the largest output, the first of several, and
// false if no output was found. A quote of which a member cannot be what it is called, or whose least
// output is above its estimate or below what the slippage allows, is never the best.
func (q *QuoteV1Page) Best() (best QuoteV1, ok bool) {
	for _, quote := range q.Items {
		if quote.OutAmount != nil && !quote.unfit && (!ok || *quote.OutAmount > *best.OutAmount) {
			best, ok = quote, true
		}
	}
	return best, ok
}

// ListQuotesV1 quotes a swap of exactly req.Amount with every provider. An answer with neither a list
// nor a quote is [walletfi.ErrDecode].
//
// GET /api/v1/quote/all.
func (c *Client) ListQuotesV1(
	ctx context.Context, req QuotesV1Request, opts ...walletfi.CallOption,
) (*QuoteV1Page, error) {
	return transport.Do[QuoteV1Page](ctx, c.made().t, transport.Call{
		Op: "ListQuotesV1", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape),
		Echo: transport.Echo(func(page *QuoteV1Page) error {
			if page.Items == nil {
				return errNoQuotes
			}
			for i := range page.Items {
				page.Items[i].judge(req.Slippage)
			}
			return echo.Each(page.Items, func(q QuoteV1) error { return req.mismatch(&q) })
		}),
		Path: transport.Path("/api/v1/quote/all"), Query: req, Invalid: req.problem(),
	}, opts)
}
