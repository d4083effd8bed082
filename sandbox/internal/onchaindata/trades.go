package onchaindata

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// mostTrades is how many trades the list holds, all of them of the last
// day.
const mostTrades = 300

type tradesRequest struct {
	Network string   `path:"network" open:"a network"`
	Address string   `path:"pool_address" open:"an address of any chain"`
	Above   *float64 `query:"trade_volume_in_usd_greater_than"`
}

func (b *Service) trades(c *kit.Call, in tradesRequest) any {
	p := b.poolOn(in.Network, in.Address)
	v := b.view(c, 1)
	items := []any{}
	for t := range p.backward(v.at) {
		if t.second <= v.at-Day || len(items) == mostTrades {
			break
		}
		if in.Above == nil || float64(t.micros)/1e6 > *in.Above {
			items = append(items, v.trade(&t))
		}
	}
	return v.document(list(items), nil)
}

// trade writes a trade as a resource. "From" is the token that the trader gave.
func (v *view) trade(t *trade) map[string]any {
	p := t.pool
	from, to, kind := p.quote, p.base, "buy"
	if !t.buy {
		from, to, kind = p.base, p.quote, "sell"
	}
	amount := func(of *token) any { return v.text(strconv.FormatFloat(t.amount(of), 'f', of.decimals, 64)) }
	inQuote := func(of *token) any { // the quote token is the pool's currency
		if of == p.quote {
			return v.text("1")
		}
		return v.price(t.rate)
	}
	hash, block := v.transaction(t), v.block(t)
	a := map[string]any{
		"block_number": v.count(block), "block_timestamp": stamp(t.second),
		"tx_hash": hash, "tx_from_address": v.wallet(t),
		"from_token_amount": amount(from), "to_token_amount": amount(to),
		"price_from_in_currency_token": inQuote(from), "price_to_in_currency_token": inQuote(to),
		"price_from_in_usd": v.price(t.dollars(from)), "price_to_in_usd": v.price(t.dollars(to)),
		"kind": kind, "volume_in_usd": v.text(dollars(t.micros)),
	}
	if v.kind == sparse {
		a["from_token_address"], a["to_token_address"] = from.address, to.address // not documented
	}
	return resource("trade", fmt.Sprintf("%s_%d_%s_%d", p.network.id, block, hash, t.second), a)
}

// wallet is the address that traded.
func (b *Service) wallet(t *trade) string {
	if t.execution != nil {
		return t.execution.wallet
	}
	return b.addressOn(t.pool.network, "trader", t.trader())
}

// transaction makes up the hash of the trade's transaction.
func (b *Service) transaction(t *trade) string {
	if t.execution != nil {
		return t.signature
	}
	first, second := b.hash(t.pool.id()+" trade", t.slot), b.hash(t.pool.id()+" more of trade", t.slot)
	if t.pool.network.evm {
		return "0x" + hex.EncodeToString(first[:])
	}
	return solana.Signature(append(first[:], second[:]...)).String()
}

// block is in step with the ledger's slots on its own network.
func (b *Service) block(t *trade) int64 {
	if t.execution != nil {
		return t.execution.slot
	}
	return max(1, kit.FirstSlot+int64(float64(t.second-b.start)/t.pool.network.block))
}
