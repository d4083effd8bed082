package sandbox

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type ammTransactionRequest struct {
	Quote         json.RawMessage `body:"swapResponse,required"`
	Wallet        string          `body:"wallet,required"`
	Format        ammFormat       `body:"txVersion,required"`
	Wrap          *bool           `body:"wrapSol"`
	Unwrap        *bool           `body:"unwrapSol"`
	InputAccount  *string         `body:"inputAccount"`
	OutputAccount *string         `body:"outputAccount"`
	UnitPrice     *string         `body:"computeUnitPriceMicroLamports"`
}

// ammUnits is what each of the transactions may use.
const ammUnits = 250_000

func (a *amm) transactionIn(c *call, in ammTransactionRequest) (any, error) {
	return a.transaction(c, in, false)
}

func (a *amm) transactionOut(c *call, in ammTransactionRequest) (any, error) {
	return a.transaction(c, in, true)
}

// ammJob is a transaction request, read.
type ammJob struct {
	quote         *ammQuote
	owner         solana.PublicKey
	wrap, unwrap  bool
	input, output *solana.PublicKey // token accounts of the caller's choice
	price         uint64            // micro-lamports a unit
}

// transaction answers one transaction, or several where the format has no room
// for the whole route.
func (a *amm) transaction(c *call, in ammTransactionRequest, exactOut bool) (any, error) {
	j, err := a.read(c, in, exactOut)
	if err != nil {
		return nil, err
	}
	q := j.quote
	if fresh, ok := a.book.again(q.poolQuote, q.amount); !ok {
		return nil, a.refuse(ammNoRoute)
	} else if exactOut && fresh.in > q.limit || !exactOut && fresh.out < q.limit {
		return nil, a.refuse(ammSlippage)
	}
	if !a.book.affords(j.owner, q.from, q.in, j.wrap && j.input == nil, j.input) {
		return nil, a.refuse(ammSimulation)
	}
	transactions := []map[string]string{}
	for _, instructions := range a.parts(j) {
		u := unsigned{owner: j.owner, legacy: q.format == ammLegacy, unitLimit: ammUnits, unitPrice: j.price, instructions: instructions}
		if q.format == ammV0 {
			u.tables = []solana.PublicKey{a.book.table(AMM)}
		}
		tx, err := a.build(AMM, u)
		if err != nil {
			return nil, err
		}
		transactions = append(transactions, map[string]string{"transaction": tx.base64()})
	}
	return transactions, nil
}

func (a *amm) read(c *call, in ammTransactionRequest, exactOut bool) (*ammJob, error) {
	j := &ammJob{wrap: in.Wrap == nil || *in.Wrap, unwrap: in.Unwrap == nil || *in.Unwrap}
	var err error
	if j.quote, err = a.echoed(c, in, exactOut); err != nil {
		return nil, err
	}
	if j.owner, err = c.key(in.Wallet, "wallet"); err != nil {
		return nil, err
	}
	if in.UnitPrice != nil {
		if j.price, err = strconv.ParseUint(*in.UnitPrice, 10, 64); err != nil {
			c.violate("computeUnitPriceMicroLamports is no number")
			return nil, refuse(http.StatusBadRequest, "", "computeUnitPriceMicroLamports is no number")
		}
	}
	if j.input, err = a.account(c, in.InputAccount, "inputAccount", j.owner, j.quote.from); err != nil {
		return nil, err
	}
	j.output, err = a.account(c, in.OutputAccount, "outputAccount", j.owner, j.quote.to)
	return j, err
}

// account reads a token account of the wallet's, nil where none was sent.
func (a *amm) account(c *call, text *string, field string, owner solana.PublicKey, t Token) (*solana.PublicKey, error) {
	if text == nil {
		return nil, nil
	}
	key, err := c.key(*text, field)
	if err != nil {
		return nil, err
	}
	held, ok := ledger.AsToken(a.chain.Account(key))
	switch {
	case !ok && key == t.account(owner):
		return nil, nil // to be made
	case !ok || held.Mint() != t.key || held.Owner() != owner:
		return nil, a.refuse(ammSimulation)
	}
	return &key, nil
}

// parts cuts the route into as many trades as there must be transactions, and
// returns the instructions of each. A later one spends what the one before it
// brought, and fails where that has not come.
func (a *amm) parts(j *ammJob) (parts [][]solana.Instruction) {
	whole := j.quote.routes[0]
	size := j.quote.format.hops()
	var before *poolTrade
	for at := 0; at < len(whole.hops); at += size {
		end := min(at+size, len(whole.hops))
		t := a.part(j, poolRoute{whole.hops[at:end], 100, whole.legs[at:end]}, before)
		first, last := at == 0, end == len(whole.hops)
		w := poolWrap{wrap: j.wrap && first && j.input == nil, unwrap: j.unwrap && last}
		w.closes = !first && j.unwrap && t.quote.from.key == solana.WrappedSol
		if first && j.input != nil {
			t.holders[holder{j.owner, t.quote.from.key}] = *j.input
		}
		if last && j.output != nil {
			t.holders[holder{j.owner, t.quote.to.key}] = *j.output
			w.held = true
		}
		parts = append(parts, a.book.around(t, w))
		before = t
	}
	return parts
}

// part is the trade over a part of the quote's route. What comes between the
// parts may slip as much as the whole may.
func (a *amm) part(j *ammJob, r poolRoute, before *poolTrade) *poolTrade {
	q := &poolQuote{
		poolRequest: poolRequest{from: r.hops[0].from(), to: r.hops[len(r.hops)-1].to(), exactOut: j.quote.exactOut},
		routes:      []poolRoute{r}, in: r.in(), sends: r.sends(), out: r.arrives(),
	}
	t := &poolTrade{service: AMM, owner: j.owner, quote: q, after: before, holders: map[holder]solana.PublicKey{}}
	if q.exactOut {
		q.amount = q.out
		t.limit = j.quote.limit
		if before != nil {
			t.limit = q.in // no more than the part before it brings
		}
		return t
	}
	q.amount = q.in
	t.limit = j.quote.limit
	if q.to.key != j.quote.to.key {
		t.limit = poolShare(q.out, j.quote.limit, j.quote.out)
	}
	return t
}
