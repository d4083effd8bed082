package swap

import (
	"math/big"
	"net/http"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// outcome is a token that pays a dollar if its market ends its way. It
// trades for USDC at the market's book, not over pools.
type outcome struct {
	build.Token
	market.Outcome
}

// settlement is the token in which outcome tokens are paid.
const settlement = "USDC"

// Outcome finds the outcome token with a mint.
func (w *Service) Outcome(mint string) (*outcome, bool) {
	o, ok := w.outcomes.Outcome(mint)
	if !ok {
		return nil, false
	}
	symbol := o.Ticker + "-" + strings.ToUpper(o.Side)
	public := play.Token{
		Mint: mint, Symbol: symbol, Name: o.Title, Decimals: 6, Program: solana.TokenProgramID.String(),
	}
	return &outcome{build.Token{Token: public, Key: o.Key, Owner: solana.TokenProgramID}, o}, true
}

// initialized reports whether the token can be traded: those of the markets
// that were open when the sandbox started can, the others once a caller has
// asked for it.
func (o *outcome) initialized(w *Service) bool {
	return o.Opens <= w.Core.Start.Unix() || w.initialized[o.Mint]
}

// cents is the present price of one token.
func (o *outcome) cents(second int64, buying bool) uint64 {
	price, half := o.Market.YesQuote(second)
	if o.Side == "no" {
		price = 100 - price
	}
	if buying {
		return uint64(min(price+half, 99))
	}
	return uint64(max(price-half, 1))
}

// trade returns how many tokens an amount of USDC buys, or for how much tokens sell. Both
// have six decimals.
func (o *outcome) trade(second int64, amount uint64, buying bool) uint64 {
	cents := o.cents(second, buying)
	n := new(big.Int).SetUint64(amount)
	if buying {
		n.Mul(n, big.NewInt(100)).Quo(n, new(big.Int).SetUint64(cents))
	} else {
		n.Mul(n, new(big.Int).SetUint64(cents)).Quo(n, big.NewInt(100))
	}
	return build.Capped(n)
}

// feeBps is the platform's fee: its scale, in thousandths, of p(1-p).
func (o *outcome) feeBps(scale *uint64, cents uint64) uint64 {
	if scale == nil {
		return 0
	}
	return min(*scale, 10_000) * cents * (100 - cents) / 1000
}

// outcomeSlippage is the tolerance of an order that names none.
const outcomeSlippage = 500

// offerOutcome prices an order that a market's book fills later.
func (w *Service) offerOutcome(in orderRequest, o *outcome, buying bool) *offer {
	usdc := w.Token(settlement)
	from, to := usdc, o.Token
	if !buying {
		from, to = to, from
	}
	second := w.Now().Unix()
	kit.BadIf(from.Mint != in.InputMint || to.Mint != in.OutputMint, "outcome tokens trade for %s only", settlement)
	kit.BadIf(!o.Market.Live(second), "market %s is not trading", o.Ticker)
	kit.BadIf(!o.initialized(w), "the market's tokens are not initialized")
	fee := o.feeBps(in.PlatformFeeScale, o.cents(second, buying))
	book := overBook{w, o, buying, fee}
	out := book.worth(in.Amount)
	kit.BadIf(out == 0, "no route for the pair and amount")
	least := market.Share(out, 10_000-kit.Or(in.PredictionSlippage, outcomeSlippage), 10_000)
	return &offer{
		out: out, least: least, impact: market.Percent(0), mode: "async", hops: 1,
		steps: []any{map[string]any{
			"venue": "Outcomes", "marketKey": o.Mint, "inputMint": from.Mint, "outputMint": to.Mint,
			"inAmount": text(in.Amount), "outAmount": text(out),
		}},
		instructions: func(owner solana.PublicKey) []solana.Instruction {
			w.Stock(play.Swap, o.Token.Key, 0) // so that the vault has an account of it
			order := &order{Service: w, owner: owner, from: from, to: to, in: in.Amount, least: least, filler: book}
			return []solana.Instruction{order.opening()}
		},
	}
}

// overBook fills an order at a market's book.
type overBook struct {
	w      *Service
	o      *outcome
	buying bool
	fee    uint64 // basis points
}

// worth is how much a part of the input buys now.
func (x overBook) worth(part uint64) uint64 {
	out := x.o.trade(x.w.Now().Unix(), part, x.buying)
	return out - market.Share(out, x.fee, 10_000)
}

func (x overBook) price(part uint64) (uint64, filling) {
	return x.worth(part), filling{book: func() { x.w.supply(x.o, x.buying, x.worth(part)) }}
}

// supply makes the tokens that a buyer gets: every dollar can be split into a
// yes and a no.
func (w *Service) supply(o *outcome, buying bool, amount uint64) {
	if buying {
		w.Stock(play.Swap, o.Token.Key, amount)
	}
}

type initRequest struct {
	Mint string `query:"marketMint,required" form:"key"`
	User string `query:"userPublicKey,required" form:"key"`
}

// initMarket builds the transaction that makes a market's token tradable.
func (w *Service) initMarket(c *kit.Call, in initRequest) any {
	owner := c.Key(in.User, "userPublicKey")
	o, ok := w.Outcome(in.Mint)
	kit.RefuseIf(!ok, http.StatusNotFound, "", "%s is not the outcome token of a market", in.Mint)
	tx := w.Build(play.Swap, build.Unsigned{
		Owner: owner, UnitLimit: unitsFew,
		Instructions: []solana.Instruction{
			build.CreateAccount(owner, owner, o.Token),
			w.Instruct(play.Swap, build.Effect{Owner: owner, Work: making{w, o.Mint}}),
		},
	})
	return map[string]any{
		"transaction": tx.Base64(),
		"marketInfo":  map[string]string{"mint": o.Mint, "series": o.Series, "event": o.Event, "outcome": o.Side},
	}
}

// making makes a market's token tradable.
type making struct {
	w    *Service
	mint string
}

// Done implements build.Doer.
func (x making) Done(*ledger.Receipt) { x.w.initialized[x.mint] = true }

// tradable are the tokens that orders can name: those of the pools, then those
// of the markets that trade at present.
func (w *Service) tradable() []build.Token {
	all := w.book.Tokens()
	second := w.Now().Unix()
	for _, mint := range w.outcomes.OutcomeMints() {
		if o, ok := w.Outcome(mint); ok && o.Market.Live(second) && o.initialized(w) {
			all = append(all, o.Token)
		}
	}
	return all
}
