package providerswap

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// BuildV1Request asks version 1 for the transaction of a swap with one provider.
type BuildV1Request struct {
	QuoteV1Request
	Owner string `url:"owner"` // wallet that swaps and signs, base58; required

	// FeeLamports is what the caller's product takes from the owner beside the
	// swap, paid to FeeReceiver, which it needs. 0 means none.
	FeeLamports walletfi.Amount `url:"feeLamports,omitempty"`
	FeeReceiver string          `url:"feeReceiver,omitempty"` // base58

	// PriorityMicroLamports is the priority fee in microlamports a compute unit.
	// Nil leaves it to the service, 0 means none.
	PriorityMicroLamports *uint64 `url:"priorityMicroLamports,omitempty"`
	// MEVSafe adds a tip for SendBundle. How much is not documented: see
	// MaxTipLamports. Nil leaves it to the service.
	MEVSafe *bool `url:"mevSafe,omitempty"`
	// Gasless lets another pay the network fee; only where ToMint is
	// walletfi.NativeMint. See Sponsor. Nil leaves it to the service.
	Gasless *bool `url:"gasless,omitempty"`

	// MaxTipLamports is the most that MEVSafe may tip. It is not sent: it is the
	// intent's TipLamports, by which the signing guard refuses a tip that is
	// higher. 0 allows none, so set it with MEVSafe, or set the intent's.
	MaxTipLamports walletfi.Amount `url:"-"`
	// Sponsor is the wallet that may pay the network fee of a Gasless swap,
	// base58. It is not sent: without it the signing guard refuses a fee payer
	// other than Owner. What the sponsor takes from the output in return is not
	// documented either; allow it in the intent's ServiceFee.
	Sponsor string `url:"-"`
}

// TransactionV1 is what version 1 builds, ready to be checked and signed.
type TransactionV1 struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	// Raw is the answer as it came, with what else it held.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// UnmarshalJSON takes the transaction out of a JSON text, or out of an object or
// list wherever it stands in it: it is known by its structure. None is an
// error, and so are two that differ.
func (t *TransactionV1) UnmarshalJSON(b []byte) error {
	found, err := transactionIn(b)
	if err != nil {
		return err
	}
	t.Transaction, t.Raw = found, clone(b)
	return nil
}

// Unsigned returns the transaction with the intent of the request. The service
// names neither blockhash nor last valid block height.
func (t *TransactionV1) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{t.Transaction},
		Intent:       t.intent.Clone(),
	}
}

// BuildSwapV1 builds the unsigned transaction of a swap with req.Provider.
//
// GET /api/v1/swap. It moves nothing: safe to retry.
func (c *Client) BuildSwapV1(ctx context.Context, req BuildV1Request, opts ...walletfi.CallOption) (*TransactionV1, error) {
	built, err := transport.Do[TransactionV1](ctx, c.t, transport.Call{
		Op: "BuildSwapV1", Effect: transport.Build, Method: http.MethodGet,
		Path: transport.Path("/api/v1/swap"), Query: req, Invalid: req.problem(),
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
		check.That(r.FeeLamports == 0 || r.FeeReceiver != "", "feeReceiver", "is required with feeLamports"),
		check.OptionalAddress("feeReceiver", r.FeeReceiver),
		check.That(!gasless || r.ToMint == walletfi.NativeMint, "gasless", "needs "+walletfi.NativeMint+" as toMint"),
		check.OptionalAddress("sponsor", r.Sponsor),
	)
}

// intent has no Receive: version 1 says neither in the request nor for certain
// in the answer what arrives at least.
func (r BuildV1Request) intent() walletfi.Intent {
	i := walletfi.Intent{
		Service: "providerswap", Owner: r.Owner,
		Spend:       []walletfi.Asset{{Mint: r.FromMint, Amount: r.Amount}},
		TipLamports: r.MaxTipLamports,
		Sponsor:     r.Sponsor,
	}
	if r.FeeLamports > 0 {
		i.ServiceFee = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: r.FeeLamports}}
		i.Destinations = []string{r.FeeReceiver}
	}
	if r.PriorityMicroLamports != nil {
		i.MaxNetworkFeeLamports = new(networkfee.Cap(*r.PriorityMicroLamports))
	}
	return i
}
