package amm

import (
	"encoding/json"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type transactionRequest struct {
	Quote         json.RawMessage `body:"swapResponse,required" form:"object"`
	Wallet        string          `body:"wallet,required" form:"key"`
	Format        format          `body:"txVersion,required" oneof:"V0 LEGACY"`
	Wrap          *bool           `body:"wrapSol"`
	Unwrap        *bool           `body:"unwrapSol"`
	InputAccount  *string         `body:"inputAccount" form:"key"`
	OutputAccount *string         `body:"outputAccount" form:"key"`
	UnitPrice     *string         `body:"computeUnitPriceMicroLamports" form:"digits"`
}

// units is the compute limit of each transaction.
const units = 250_000

func (a *Service) transactionIn(c *kit.Call, in transactionRequest) any {
	return a.transaction(c, in, false)
}

func (a *Service) transactionOut(c *kit.Call, in transactionRequest) any {
	return a.transaction(c, in, true)
}

// job is a transaction request, read.
type job struct {
	quote         *quote
	owner         solana.PublicKey
	wrap, unwrap  bool
	input, output *solana.PublicKey // token accounts of the caller's choice
	price         uint64            // micro-lamports a unit
}

// transaction answers one transaction, or several if the format has no room
// for the whole route.
func (a *Service) transaction(c *kit.Call, in transactionRequest, exactOut bool) any {
	j := a.read(c, in, exactOut)
	q := j.quote
	if fresh, ok := a.book.Again(q.Quote, q.Amount); !ok {
		panic(a.refuse(noRoute))
	} else if exactOut && fresh.In > q.limit || !exactOut && fresh.Out < q.limit {
		panic(a.refuse(slippage))
	}
	if !a.book.Affords(j.owner, q.From, q.In, j.wrap && j.input == nil, j.input) {
		panic(a.refuse(simulation))
	}
	return kit.List(a.parts(j), func(instructions []solana.Instruction) any {
		u := build.Unsigned{
			Owner: j.owner, Legacy: q.format == legacy, UnitLimit: units, UnitPrice: j.price, Instructions: instructions,
		}
		if q.format == v0 {
			u.Tables = []solana.PublicKey{a.book.Table(play.AMM)}
		}
		return map[string]string{"transaction": a.Build(play.AMM, u).Base64()}
	})
}

func (a *Service) read(c *kit.Call, in transactionRequest, exactOut bool) *job {
	j := &job{
		wrap: kit.Or(in.Wrap, true), unwrap: kit.Or(in.Unwrap, true),
		quote: a.echoed(c, in, exactOut), owner: c.Key(in.Wallet, "wallet"),
	}
	price, err := strconv.ParseUint(kit.Or(in.UnitPrice, "0"), 10, 64)
	kit.BadIf(err != nil, "computeUnitPriceMicroLamports is too large")
	j.price = price
	j.input = a.account(c, in.InputAccount, "inputAccount", j.owner, j.quote.From)
	j.output = a.account(c, in.OutputAccount, "outputAccount", j.owner, j.quote.To)
	return j
}

// account reads a token account, which may be another wallet's if it is for the output; nil if none
// was sent.
func (a *Service) account(
	c *kit.Call, text *string, field string, owner solana.PublicKey, t build.Token,
) *solana.PublicKey {
	if text == nil {
		return nil
	}
	key := c.Key(*text, field)
	held, ok := ledger.AsToken(a.Chain.Account(key))
	switch {
	case !ok && key == t.Account(owner):
		return nil // to be made
	case !ok || held.Mint() != t.Key || held.Owner() != owner && field != "outputAccount":
		panic(a.refuse(simulation))
	}
	return &key
}

// parts cuts the route into as many trades as there must be transactions, and
// returns the instructions of each. Each transaction spends the output of the
// previous transaction, and fails if that has not arrived.
func (a *Service) parts(j *job) (parts [][]solana.Instruction) {
	whole := j.quote.Routes[0]
	size := j.quote.format.hops()
	var before *market.Trade
	for at := 0; at < len(whole.Hops); at += size {
		end := min(at+size, len(whole.Hops))
		t := a.part(j, market.Route{Hops: whole.Hops[at:end], Share: 100, Legs: whole.Legs[at:end]}, before)
		first, last := at == 0, end == len(whole.Hops)
		w := market.Wrap{Wrap: j.wrap && first && j.input == nil, Unwrap: j.unwrap && last}
		w.Closes = !first && j.unwrap && t.Quote.From.Key == solana.WrappedSol
		if first && j.input != nil {
			t.Holders[build.Holder{Wallet: j.owner, Mint: t.Quote.From.Key}] = *j.input
		}
		if last && j.output != nil {
			t.Holders[build.Holder{Wallet: j.owner, Mint: t.Quote.To.Key}] = *j.output
			w.Held = true
		}
		parts = append(parts, a.book.Around(t, w))
		before = t
	}
	return parts
}

// part is the trade over a part of the quote's route. The amount between two
// parts has the slippage of the whole trade.
func (a *Service) part(j *job, r market.Route, before *market.Trade) *market.Trade {
	q := &market.Quote{
		Request: market.Request{From: r.Hops[0].From(), To: r.Hops[len(r.Hops)-1].To(), ExactOut: j.quote.ExactOut},
		Routes:  []market.Route{r}, In: r.In(), Sends: r.Sends(), Out: r.Arrives(),
	}
	t := &market.Trade{
		Service: play.AMM, Owner: j.owner, Quote: q, After: before, Holders: map[build.Holder]solana.PublicKey{},
	}
	if q.ExactOut {
		q.Amount = q.Out
		t.Limit = j.quote.limit
		if before != nil {
			t.Limit = q.In // no more than the previous part pays
		}
		return t
	}
	q.Amount = q.In
	t.Limit = j.quote.limit
	if q.To.Key != j.quote.To.Key {
		t.Limit = market.Share(q.Out, j.quote.limit, j.quote.Out)
	}
	return t
}
