package sandbox

import (
	"math/big"
	"net/http"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// swapOutcome is a token that pays a dollar if its market ends its way. It
// trades for USDC at the market's book, not over pools.
type swapOutcome struct {
	Token
	predictMetaMint
}

// swapSettlement is what outcome tokens are paid in.
const swapSettlement = "USDC"

// outcome finds the outcome token with a mint.
func (w *swap) outcome(mint string) (*swapOutcome, bool) {
	m, ok := w.predictMeta.byMint[mint]
	if !ok || m.outcome == "" {
		return nil, false
	}
	symbol := m.market.ticker + "-" + strings.ToUpper(m.outcome)
	return &swapOutcome{Token{
		Mint: mint, Symbol: symbol, Name: m.market.title, Decimals: 6, Program: solana.TokenProgramID.String(),
		key: m.key, owner: solana.TokenProgramID,
	}, m}, true
}

// initialized reports whether the token can be traded: those of the markets
// that were open when the sandbox started can, the others once somebody has
// asked for it.
func (o *swapOutcome) initialized(w *swap) bool {
	return o.market.opens <= w.chain.start.Unix() || w.initialized[o.Mint]
}

// cents is what one token costs, or pays, at present.
func (o *swapOutcome) cents(second int64, buying bool) uint64 {
	price := o.market.yesPrice(second)
	if o.predictMetaMint.outcome == "no" {
		price = 100 - price
	}
	if buying {
		return uint64(min(price+o.market.halfSpread(second), 99))
	}
	return uint64(max(price-o.market.halfSpread(second), 1))
}

// trade is what an amount of USDC buys, or an amount of tokens sells for. Both
// have six decimals.
func (o *swapOutcome) trade(second int64, amount uint64, buying bool) uint64 {
	cents := o.cents(second, buying)
	n := new(big.Int).SetUint64(amount)
	if buying {
		n.Mul(n, big.NewInt(100)).Quo(n, new(big.Int).SetUint64(cents))
	} else {
		n.Mul(n, new(big.Int).SetUint64(cents)).Quo(n, big.NewInt(100))
	}
	if !n.IsUint64() {
		return 1<<64 - 1
	}
	return n.Uint64()
}

// feeBps is what the platform takes: its scale, in thousandths, of p(1-p).
func (o *swapOutcome) feeBps(scale *uint64, cents uint64) uint64 {
	if scale == nil {
		return 0
	}
	return min(*scale, 10_000) * cents * (100 - cents) / 1000
}

// swapOutcomeSlippage is the tolerance of an order that names none.
const swapOutcomeSlippage = 500

// offerOutcome prices an order that a market's book fills later.
func (w *swap) offerOutcome(in swapOrderRequest, o *swapOutcome, buying bool) (*swapOffer, error) {
	usdc := w.token(swapSettlement)
	from, to := usdc, o.Token
	if !buying {
		from, to = to, from
	}
	second := w.now().Unix()
	switch {
	case from.Mint != in.InputMint || to.Mint != in.OutputMint:
		return nil, refuse(http.StatusBadRequest, "", "outcome tokens trade for %s only", swapSettlement)
	case !o.market.live(second):
		return nil, refuse(http.StatusBadRequest, "", "market %s is not trading", o.market.ticker)
	case !o.initialized(w):
		return nil, refuse(http.StatusBadRequest, "", "the market's tokens are not initialized")
	}
	fee := o.feeBps(in.PlatformFeeScale, o.cents(second, buying))
	price := func(part uint64) uint64 {
		out := o.trade(w.now().Unix(), part, buying)
		return out - poolShare(out, fee, 10_000)
	}
	out := price(in.Amount)
	if out == 0 {
		return nil, refuse(http.StatusBadRequest, "", "no route for the pair and amount")
	}
	slippage := uint64(swapOutcomeSlippage)
	if in.PredictionSlippage != nil {
		slippage = *in.PredictionSlippage
	}
	least := poolShare(out, 10_000-slippage, 10_000)
	return &swapOffer{
		out: out, least: least, impact: poolPercent(0), mode: "async", hops: 1,
		steps: []swapStepAnswer{{Venue: "Outcomes", MarketKey: o.Mint, InputMint: from.Mint, OutputMint: to.Mint, InAmount: swapText(in.Amount), OutAmount: swapText(out)}},
		instructions: func(owner solana.PublicKey) []solana.Instruction {
			w.stock(Swap, o.Token.key, 0) // so that the vault has an account of it
			order := &swapOrder{swap: w, owner: owner, from: from, to: to, in: in.Amount, least: least}
			order.price = func(part uint64) (uint64, func()) {
				return price(part), func() { w.supply(o, buying, price(part)) }
			}
			return []solana.Instruction{order.opening()}
		},
	}, nil
}

// supply makes the tokens that a buyer gets: every dollar can be split into a
// yes and a no.
func (w *swap) supply(o *swapOutcome, buying bool, amount uint64) {
	if buying {
		w.stock(Swap, o.Token.key, amount)
	}
}

type swapInitRequest struct {
	Mint string `query:"marketMint,required"`
	User string `query:"userPublicKey,required"`
}

// initMarket builds the transaction that makes a market's token tradable.
func (w *swap) initMarket(c *call, in swapInitRequest) (any, error) {
	owner, err := c.key(in.User, "userPublicKey")
	if err != nil {
		return nil, err
	}
	if _, err := c.key(in.Mint, "marketMint"); err != nil {
		return nil, err
	}
	o, ok := w.outcome(in.Mint)
	if !ok {
		return nil, refuse(http.StatusNotFound, "", "%s is no outcome token of a market", in.Mint)
	}
	tx, err := w.build(Swap, unsigned{
		owner: owner, unitLimit: swapUnitsFew,
		instructions: []solana.Instruction{
			createAccount(owner, owner, o.Token),
			w.instruct(Swap, effect{owner: owner, done: func(*ledger.Receipt) { w.initialized[o.Mint] = true }}),
		},
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"transaction": tx.base64(),
		"marketInfo": map[string]string{
			"mint": o.Mint, "series": o.market.event.series.ticker, "event": o.market.event.ticker, "outcome": o.predictMetaMint.outcome,
		},
	}, nil
}

// tradable are the tokens that orders can name: those of the pools, then those
// of the markets that trade at present.
func (w *swap) tradable() []Token {
	all := w.book.tokens()
	second := w.now().Unix()
	for _, m := range w.predictMeta.markets {
		for _, mint := range []string{m.yes, m.no} {
			if o, ok := w.outcome(mint); ok && m.live(second) && o.initialized(w) {
				all = append(all, o.Token)
			}
		}
	}
	return all
}
