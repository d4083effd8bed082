package amm

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// BuildRequest describes the transactions to build from a quote.
type BuildRequest struct {
	Quote *Quote `json:"-"`      // from QuoteBaseIn or QuoteBaseOut; required
	Owner string `json:"wallet"` // swaps and signs, base58; required

	// WrapSOL pays with the wallet's SOL if the input is wrapped SOL. Nil means
	// true; false pays from a wrapped SOL account, see InputAccount.
	WrapSOL *bool `json:"wrapSol,omitempty"`
	// UnwrapSOL turns an output of wrapped SOL into SOL. Nil means true.
	UnwrapSOL *bool `json:"unwrapSol,omitempty"`
	// InputAccount is the token account that pays, base58. If empty, the service
	// decides.
	InputAccount string `json:"inputAccount,omitempty"`
	// OutputAccount is the token account that receives the output, base58. If
	// empty, the service decides.
	OutputAccount string `json:"outputAccount,omitempty"`
	// OutputOwner is the wallet that OutputAccount, which must be given with it, belongs to, base58. It is not
	// sent. If it is another than Owner, nothing comes back to Owner, and Intent.Receive is empty: nothing holds
	// the output, except the route itself. Empty means Owner; a guard that simulates refuses a swap
	// that pays another wallet then.
	OutputOwner string `json:"-" asked:"-"`
	// ComputeUnitPriceMicroLamports is the priority fee in microlamports per
	// compute unit; see GetAutoFee. Nil lets the service decide, 0 means no fee.
	ComputeUnitPriceMicroLamports *uint64 `json:"computeUnitPriceMicroLamports,omitempty,string" asked:"-"`

	// MaxSpend is the most of the input that a BaseOut quote may cost. It is not sent;
	// the service alone says what such a swap costs, so that without it Intent.Spend is
	// empty and the signing guard refuses the transactions. A quote that costs more is
	// walletfi.ErrMismatch. It is of no use for a BaseIn quote.
	MaxSpend walletfi.Amount `json:"-" asked:"-"`
}

// Transaction holds the transactions of a quote, to check and sign.
type Transaction struct {
	// Transactions are the parts of the route, at most 4. Sign and send them in order,
	// each after the previous one is confirmed. If the blockhash of a transaction expires before its turn, do not
	// build the same quote again: the earlier transactions have changed the
	// balances. Ask for a new quote for the rest.
	Transactions []walletfi.Base64Transaction `json:"transactions" wire:"required"`

	Raw walletfi.Document `json:"-"` // the answer as it came

	intent walletfi.Intent
}

// decode reads a list of {transaction}.
func (s *Transaction) decode(b []byte, _ func(wire.Breach) bool) error {
	var list []struct {
		Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	}
	if err := wire.Unmarshal(b, &list); err != nil {
		return err
	}
	s.Raw = wire.Keep(b)
	s.Transactions = make([]walletfi.Base64Transaction, len(list))
	for i, item := range list {
		if slices.Contains(s.Transactions[:i], item.Transaction) {
			return fmt.Errorf("amm: transaction %d comes twice", i)
		}
		s.Transactions[i] = item.Transaction
	}
	return nil
}

// answer is the list as the service sends it.
func (s Transaction) answer() []map[string]walletfi.Base64Transaction {
	list := make([]map[string]walletfi.Base64Transaction, len(s.Transactions))
	for i, tx := range s.Transactions {
		list[i] = map[string]walletfi.Base64Transaction{"transaction": tx}
	}
	return list
}

// Unsigned returns the transactions with the intent of the quote and the
// request. For a BaseOut quote, Intent.Spend is BuildRequest.MaxSpend, or less if the
// quoted input and its slippage are less. The service states neither blockhash nor last
// valid block height.
func (s *Transaction) Unsigned() walletfi.Unsigned {
	u := walletfi.Unsigned{Intent: s.intent.Clone()}
	for _, tx := range s.Transactions {
		u.Transactions = append(u.Transactions, tx)
	}
	return u
}

// BuildSwap builds the unsigned transactions of req.Quote, with the quote's
// kind and transaction version. ErrSlippageExceeded means that the quote is
// stale.
//
// POST /transaction/swap-base-in or /transaction/swap-base-out. It moves
// nothing: safe to retry. Under [ratelimit.WithFollowUp] it does not wait for
// the pause after the quote.
func (c *Client) BuildSwap(ctx context.Context, req BuildRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	if err := req.problem(); err != nil {
		return nil, err
	}
	if err := echo.All(c.changed(req.Quote), req.tooDear()); err != nil {
		return nil, err
	}
	path := transport.Path("/transaction/swap-base-in")
	if req.Quote.kind == BaseOut {
		path = transport.Path("/transaction/swap-base-out")
	}
	swap, err := transport.Do[Transaction](ctx, c.made().trade, transport.Call{
		Op: "BuildSwap", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Lists(""), Path: path,
		Body: transport.Spliced{Rest: req.body(), Key: "swapResponse", Raw: req.Quote.echo},
	}, opts)
	if err != nil {
		return nil, err
	}
	swap.intent = req.intent()
	return swap, nil
}

func (r BuildRequest) problem() error {
	return check.All(
		check.That(r.Quote != nil && len(r.Quote.echo) > 0, "quote", "must be one that QuoteBaseIn or QuoteBaseOut returned"),
		check.Address("wallet", r.Owner),
		check.OptionalAddress("inputAccount", r.InputAccount),
		check.OptionalAddress("outputAccount", r.OutputAccount),
		check.OptionalAddress("outputOwner", r.OutputOwner),
		check.That(r.OutputOwner == "" || r.OutputAccount != "", "outputOwner", "needs an outputAccount"),
	)
}

// swapBody is the request without swapResponse.
type swapBody struct {
	BuildRequest
	TxVersion TxVersion `json:"txVersion"`
}

func (r BuildRequest) body() swapBody { return swapBody{r, r.Quote.TxVersion()} }

// maxTransactions bounds the transactions, and those that the network fee's cap allows
// for: the route is the service's word.
const maxTransactions = 4

// tooDear holds the cost of a BaseOut quote against the request.
func (r BuildRequest) tooDear() error {
	if r.Quote.kind != BaseOut || r.MaxSpend == 0 {
		return nil
	}
	return slippage.Ceiling(slippage.Stated{Field: "inAmount", Amount: r.Quote.InAmount}, r.MaxSpend)
}

// intent takes mints, exact amounts and what may be spent from the request, never from the
// answer, which can only lower it. The least output comes from the service, within the
// slippage of the request.
func (r BuildRequest) intent() walletfi.Intent {
	asked, bound := r.Quote.request, r.Quote.bound()
	spend, receive := asked.Amount, bound
	if r.Quote.kind == BaseOut {
		spend, receive = min(bound, r.MaxSpend), asked.Amount
	}
	i := walletfi.Intent{
		Service: "amm", Owner: r.Owner,
		MaxTransactions: maxTransactions,
		Asked:           asking.OfRenamed("amm.SwapRequest", r),
	}
	if r.OutputAccount == "" || r.OutputOwner == "" || r.OutputOwner == r.Owner {
		i.Receive = []walletfi.Asset{{Mint: asked.OutputMint, Amount: receive}}
	}
	if spend > 0 {
		i.Spend = []walletfi.Asset{{Mint: asked.InputMint, Amount: spend}}
	}
	for _, account := range []string{r.InputAccount, r.OutputAccount} {
		if account != "" {
			i.OutputTo = append(i.OutputTo, account)
		}
	}
	if price := r.ComputeUnitPriceMicroLamports; price != nil {
		// A route of several steps may take a transaction for each.
		i.MaxNetworkFeeLamports = new(
			networkfee.Times(networkfee.Cap(*price), min(max(1, len(r.Quote.RoutePlan)), maxTransactions)),
		)
	}
	return i
}

// bound returns the stricter of OtherAmountThreshold and the estimated side
// under the slippage of the request.
func (q *Quote) bound() walletfi.Amount {
	if q.kind != BaseOut {
		return max(q.OtherAmountThreshold, slippage.Least(q.OutAmount, q.request.Slippage))
	}
	return min(q.OtherAmountThreshold, slippage.Most(q.InAmount, q.request.Slippage))
}
