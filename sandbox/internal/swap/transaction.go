package swap

import (
	"encoding/json"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type request struct {
	_                struct{}        `rule:"computeUnitPriceMicroLamports excludes prioritizationFeeLamports"`
	_                struct{}        `rule:"quoteResponse is the entire response of a quote"`
	User             string          `body:"userPublicKey,required" form:"key"`
	Quote            json.RawMessage `body:"quoteResponse,required" form:"object"`
	UnitPrice        *uint64         `body:"computeUnitPriceMicroLamports"`
	DynamicUnitLimit bool            `body:"dynamicComputeUnitLimit"`
	Priority         *priority       `body:"prioritizationFeeLamports"`
	Wrap             *bool           `body:"wrapAndUnwrapSol"`
	FeeAccount       *string         `body:"feeAccount" form:"key"`
	Destination      *destination    `body:"destinationTokenAccount"`
	Sponsor          *string         `body:"sponsor" form:"key"`
	Mitigation       bool            `body:"includeSandwichMitigationAccount"`
	PositiveSlippage *surplus        `body:"positiveSlippage"`
}

type destination struct {
	Address        string `body:"address,required" form:"key"`
	CreateIfNeeded bool   `body:"createIfNeeded"`
}

type surplus struct {
	Mode string `body:"mode,required" open:"further values not shown"`
	Bps  uint64 `body:"bps,required" max:"10000"`
}

func (in request) Problems(*kit.Call) []string {
	if in.UnitPrice != nil && in.Priority != nil {
		return []string{"computeUnitPriceMicroLamports excludes prioritizationFeeLamports"}
	}
	return nil
}

// plan holds the parts of a swap's transaction.
type plan struct {
	owner, payer solana.PublicKey
	fees         fees
	instructions []solana.Instruction
}

func (w *Service) swap(c *kit.Call, in request) any {
	p := w.plan(c, in)
	tx := w.Build(play.Swap, build.Unsigned{
		Owner: p.owner, Payer: p.payer, UnitLimit: p.fees.unitLimit, UnitPrice: p.fees.unitPrice,
		Tables: []solana.PublicKey{w.book.Table(play.Swap)}, Instructions: p.instructions,
	})
	return map[string]any{
		"swapTransaction": tx.Base64(), "computeUnitLimit": p.fees.unitLimit, "lastValidBlockHeight": tx.LastValidBlockHeight,
		"prioritizationFeeLamports": p.fees.lamports, "prioritizationType": p.fees.kind,
	}
}

// plan turns a returned quote into instructions.
func (w *Service) plan(c *kit.Call, in request) *plan {
	owner := c.Key(in.User, "userPublicKey")
	q := w.quotes.Returned(c, in.Quote, "quoteResponse", "a quote")
	fees := w.chooseFees(in, units(len(q.quote.Legs()), in.DynamicUnitLimit))
	p := &plan{owner: owner, payer: owner, fees: fees}
	if in.Sponsor != nil {
		p.payer = c.Key(*in.Sponsor, "sponsor")
	}
	t := &market.Trade{
		Service: play.Swap, Owner: owner, Quote: q.quote, Limit: q.least, Fee: q.fee,
		Holders: map[build.Holder]solana.PublicKey{}, Watcher: w,
	}
	wrap := market.Wrap{Payer: p.payer, Wrap: in.Wrap == nil || *in.Wrap, Unwrap: in.Wrap == nil || *in.Wrap}
	w.direct(c, in, q, t, &wrap)
	instructions := w.book.Around(t, wrap)
	if in.Mitigation {
		w.mitigate(instructions)
	}
	p.instructions = append(instructions, w.tipping(fees, p.payer)...)
	return p
}

func (w *Service) chooseFees(in request, limit uint32) fees {
	if in.UnitPrice == nil {
		return w.fees(in.Priority, limit)
	}
	return priced(*in.UnitPrice, limit)
}

// direct sets the receivers of the trade's output, fee and surplus.
func (w *Service) direct(c *kit.Call, in request, q *quote, t *market.Trade, wrap *market.Wrap) {
	if s := in.PositiveSlippage; s != nil {
		t.Fee.SurplusBps = s.Bps // whatever the mode: only one is shown
	}
	if in.FeeAccount != nil {
		account, owner := w.tokenAccountOf(c, *in.FeeAccount, "feeAccount", q.feeToken)
		kit.BadIf(owner == t.Owner, "feeAccount is the user's own")
		t.Fee.To = owner
		t.Holders[build.Holder{Wallet: owner, Mint: q.feeToken.Key}] = account
	}
	if in.Destination == nil {
		return
	}
	to := q.quote.To
	address := c.Key(in.Destination.Address, "destinationTokenAccount.address")
	wrap.Unwrap = false
	if address == to.Account(t.Owner) && (in.Destination.CreateIfNeeded || w.Chain.Account(address) != nil) {
		return
	}
	_, receiver := w.tokenAccountOf(c, in.Destination.Address, "destinationTokenAccount.address", to)
	kit.BadIf(receiver == t.Fee.To && t.Holders[build.Holder{Wallet: receiver, Mint: to.Key}] != address,
		"feeAccount and destinationTokenAccount are two accounts of one wallet")
	t.Receiver, wrap.Held = receiver, true
	t.Holders[build.Holder{Wallet: receiver, Mint: to.Key}] = address
}

// tokenAccountOf reads the address of a token account of a mint.
func (w *Service) tokenAccountOf(
	c *kit.Call, text, field string, t build.Token,
) (account, owner solana.PublicKey) {
	account = c.Key(text, field)
	held, ok := ledger.AsToken(w.Chain.Account(account))
	kit.BadIf(!ok || held.Mint() != t.Key, "%s is not an account of %s", field, t.Mint)
	return account, held.Owner()
}

// mitigate adds the account by which block builders know that nothing may come
// before the trade.
func (w *Service) mitigate(instructions []solana.Instruction) {
	marker := solana.Meta(build.PublicKey(w.Keypair("swap sandwich mitigation")))
	for _, i := range instructions {
		if in, ok := i.(*solana.GenericInstruction); ok && in.ProgID == w.Chain.Programs[play.Swap] {
			in.AccountValues = append(in.AccountValues, marker)
		}
	}
}
