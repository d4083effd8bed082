package swap

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type intentRequest struct {
	InputMint  string  `query:"inputMint,required" form:"key"`
	OutputMint string  `query:"outputMint,required" form:"key"`
	Amount     uint64  `query:"amount,required"`
	Slippage   *uint64 `query:"slippageBps" max:"10000"`
	User       string  `query:"userPublicKey,required" form:"key"`
}

// intent is an intent that was served: its order and the transaction that
// opens it.
type intent struct {
	order *order
	tx    build.Built
}

// intent answers bytes that must come back as they are, as quote does.
func (w *Service) intent(c *kit.Call, in intentRequest) any {
	owner := c.Key(in.User, "userPublicKey")
	from, to := w.pair(in.InputMint, in.OutputMint)
	q := w.book.Best(market.Request{From: from, To: to, Amount: in.Amount, Hops: hops})
	slippage := slippageOf(&slippage{in.Slippage}, q)
	order := &order{
		Service: w, owner: owner, from: from, to: to, in: in.Amount, least: q.Limit(slippage), id: "ord_" + c.RequestID,
		filler: overPools{w, q},
	}
	tx := w.Build(play.Swap, build.Unsigned{
		Owner: owner, UnitLimit: unitsFew, UnitPrice: w.Congestion() * 1_000_000 / unitsFew,
		Instructions: []solana.Instruction{order.opening()},
	})
	raw := market.Disguise(map[string]any{
		"inputMint": in.InputMint, "outputMint": in.OutputMint, "inAmount": text(in.Amount),
		"guaranteedOutAmount": text(order.least), "estimatedOutAmount": text(q.Out), "slippageBps": slippage,
		"transaction": tx.Base64(), "lastValidBlockHeight": tx.LastValidBlockHeight,
	}, c.Shape(market.Disguises))
	w.intents.Keep(raw, &intent{order, tx})
	return kit.Reply{Raw: raw}
}

// overPools fills an order over the pools of a quote.
type overPools struct {
	w *Service
	q *market.Quote
}

func (x overPools) price(part uint64) (uint64, filling) {
	fresh, ok := x.w.book.Again(x.q, part)
	if !ok {
		return 0, filling{}
	}
	book := func() {
		for _, l := range fresh.Legs() {
			l.Apply()
		}
		x.w.book.Restock(play.Swap)
	}
	return fresh.Out, filling{book, fresh.Legs()}
}
