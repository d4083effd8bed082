package providerswap

import (
	"cmp"
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// BuildV1Request describes a swap for one provider of version 1 to build.
type BuildV1Request struct {
	QuoteV1Request
	Owner string `url:"owner"` // wallet that swaps and signs, base58; required

	// FeeLamports is the fee of the caller's product. The owner pays it to
	// FeeReceiver in addition to the swap. Nil means no fee.
	FeeLamports *walletfi.Amount `url:"feeLamports,omitempty"`
	FeeReceiver string           `url:"feeReceiver,omitempty"` // base58

	// ComputeUnitPriceMicroLamports is the priority fee in microlamports per compute unit.
	// Nil lets the service decide, 0 means no fee.
	ComputeUnitPriceMicroLamports *uint64 `url:"priorityMicroLamports,omitempty" asked:"-"`
	// MEVSafe adds a tip for SendBundle. Its amount is not documented: see
	// MaxTipLamports. Nil lets the service decide.
	MEVSafe *bool `url:"mevSafe,omitempty" asked:"-"`
	// Gasless lets a sponsor pay the network fee. It requires walletfi.NativeMint
	// as OutputMint. See Sponsor. Nil lets the service decide.
	Gasless *bool `url:"gasless,omitempty" asked:"-"`

	// MaxTipLamports is the largest tip that MEVSafe may add. It is not sent; it
	// becomes the intent's TipLamports, and the signing guard refuses a higher
	// tip. 0 allows no tip, so set it together with MEVSafe.
	MaxTipLamports walletfi.Amount `url:"-" asked:"-"`
	// Sponsor is the wallet that pays the network fee of a Gasless swap, base58. It
	// is not sent; without it the signing guard refuses a fee payer other than Owner,
	// and with it Owner. A sponsor that may pay belongs in signing.Policy. What the sponsor
	// takes from the output in return is not documented; allow it in the intent's
	// ServiceFee.
	Sponsor string `url:"-" asked:"-"`
	// Quote is the quote of this swap, from GetQuoteV1 or ListQuotesV1. It is not
	// sent. With it, the intent's Receive is the stricter of its MinOutAmount and
	// its OutAmount under Slippage. A quote of another amount, or whose MinOutAmount is
	// below what Slippage allows, is walletfi.ErrMismatch.
	Quote *QuoteV1 `url:"-" asked:"-"`
	// MinReceive is the least of OutputMint that should arrive. It is not sent; it becomes the
	// intent's Receive if the quote's is not higher. It is required without Quote, and if
	// Gasless, since the answer states no output and what a sponsor takes is not documented.
	MinReceive walletfi.Amount `url:"-" asked:"-"`
}

// TransactionV1 is a transaction that version 1 built, to check and sign.
type TransactionV1 struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	// Raw is the whole answer.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// decode finds the transaction, which it recognises by its structure, in
// a JSON string or anywhere in an object or list. It is an error if there is no
// transaction, or if there are two that differ.
func (t *TransactionV1) decode(b []byte, _ func(wire.Breach) bool) error {
	found, err := transactionIn(b)
	if err != nil {
		return err
	}
	t.Transaction, t.Raw = found, clone(b)
	return nil
}

// Unsigned returns the transaction with the intent of the request. The service
// states neither blockhash nor last valid block height.
func (t *TransactionV1) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{t.Transaction},
		Intent:       t.intent.Clone(),
	}
}

// BuildSwapV1 builds the unsigned transaction of a swap with req.Provider.
//
// GET /api/v1/swap. It moves nothing: safe to retry.
func (c *Client) BuildSwapV1(
	ctx context.Context, req BuildV1Request, opts ...walletfi.CallOption,
) (*TransactionV1, error) {
	if err := req.quoteMismatch(); err != nil {
		return nil, err
	}
	built, err := transport.Do[TransactionV1](ctx, c.made().t, transport.Call{
		Op: "BuildSwapV1", Effect: transport.Build, Method: http.MethodGet,
		Answer: transport.Says("*transaction"),
		Path:   transport.Path("/api/v1/swap"), Query: req, Invalid: req.problem(),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

func (r BuildV1Request) problem() error {
	gasless := r.Gasless != nil && *r.Gasless
	return check.All(
		r.QuoteV1Request.problem(),
		check.Address("owner", r.Owner),
		check.That(r.FeeLamports == nil || r.FeeReceiver != "", "feeReceiver", "is required with feeLamports"),
		check.That(r.FeeLamports != nil || r.FeeReceiver == "", "feeLamports", "is required with feeReceiver"),
		check.OptionalAddress("feeReceiver", r.FeeReceiver),
		check.That(!gasless || r.OutputMint == walletfi.NativeMint, "gasless", "needs "+walletfi.NativeMint+" as toMint"),
		check.OptionalAddress("sponsor", r.Sponsor),
		check.That(r.Quote == nil || r.Quote.OutAmount != nil || r.Quote.MinOutAmount != nil, "quote", "names no output"),
		check.That(r.MinReceive > 0 || r.Quote != nil && !gasless, "minReceive",
			"is required without a quote, and if gasless"),
	)
}

// quoteMismatch holds the quote, whose names are looked up, against the request.
func (r BuildV1Request) quoteMismatch() error {
	q := r.Quote
	if q == nil || q.OutAmount == nil && q.MinOutAmount == nil {
		return nil
	}
	quoted := *cmp.Or(q.OutAmount, q.MinOutAmount)
	least := slippage.Least(quoted, r.Slippage)
	floor := slippage.Stated{Field: "quote.minOutAmount", Amount: least}
	if q.MinOutAmount != nil {
		floor.Amount = *q.MinOutAmount
	}
	return echo.All(
		echo.That(q.InAmount == nil || *q.InAmount == r.Amount, "quote.inAmount", r.Amount, q.InAmount),
		slippage.Floors(slippage.Stated{Field: "quote.outAmount", Amount: quoted}, least, floor),
	)
}

// intent states the least output that MinReceive and the quote allow.
func (r BuildV1Request) intent() walletfi.Intent {
	i := walletfi.Intent{
		Service: "providerswap", Owner: r.Owner,
		Spend:       []walletfi.Asset{{Mint: r.InputMint, Amount: r.Amount}},
		TipLamports: r.MaxTipLamports,
		Sponsor:     r.Sponsor,
		Asked:       asking.Of(r),
	}
	if r.FeeLamports != nil && *r.FeeLamports > 0 {
		i.ServiceFee = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: *r.FeeLamports}}
		i.FeeTo = []string{r.FeeReceiver}
	}
	i.Receive = []walletfi.Asset{{Mint: r.OutputMint, Amount: max(r.least(), r.MinReceive, 1)}}
	if r.ComputeUnitPriceMicroLamports != nil {
		i.MaxNetworkFeeLamports = new(networkfee.Cap(*r.ComputeUnitPriceMicroLamports))
	}
	return i
}

// least returns the smallest output that the quote and the slippage allow, after
// the fee of the caller's product, or 0 if there is no quote.
func (r BuildV1Request) least() walletfi.Amount {
	if r.Quote == nil || r.Gasless != nil && *r.Gasless {
		return 0
	}
	var least walletfi.Amount
	if quoted := r.Quote.OutAmount; quoted != nil {
		least = slippage.Least(*quoted, r.Slippage)
	}
	if stated := r.Quote.MinOutAmount; stated != nil {
		least = max(least, *stated)
	}
	if r.FeeLamports != nil && r.OutputMint == walletfi.NativeMint {
		least -= min(least, *r.FeeLamports)
	}
	return least
}
