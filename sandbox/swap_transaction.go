package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type swapRequest struct {
	User             string           `body:"userPublicKey,required"`
	Quote            json.RawMessage  `body:"quoteResponse,required"`
	UnitPrice        *uint64          `body:"computeUnitPriceMicroLamports"`
	DynamicUnitLimit bool             `body:"dynamicComputeUnitLimit"`
	Priority         *swapPriority    `body:"prioritizationFeeLamports"`
	Wrap             *bool            `body:"wrapAndUnwrapSol"`
	FeeAccount       *string          `body:"feeAccount"`
	Destination      *swapDestination `body:"destinationTokenAccount"`
	Sponsor          *string          `body:"sponsor"`
	Mitigation       bool             `body:"includeSandwichMitigationAccount"`
	PositiveSlippage *swapSurplus     `body:"positiveSlippage"`
}

type swapDestination struct {
	Address        string `body:"address,required"`
	CreateIfNeeded bool   `body:"createIfNeeded"`
}

type swapSurplus struct {
	Mode string `body:"mode,required"`
	Bps  uint64 `body:"bps,required" max:"10000"`
}

// swapPlan is what a swap's transaction consists of.
type swapPlan struct {
	owner, payer solana.PublicKey
	fees         swapFees
	instructions []solana.Instruction
}

func (w *swap) swap(c *call, in swapRequest) (any, error) {
	p, err := w.plan(c, in)
	if err != nil {
		return nil, err
	}
	tx, err := w.build(Swap, unsigned{
		owner: p.owner, payer: p.payer, unitLimit: p.fees.unitLimit, unitPrice: p.fees.unitPrice,
		tables: []solana.PublicKey{w.book.table(Swap)}, instructions: p.instructions,
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"swapTransaction": tx.base64(), "computeUnitLimit": p.fees.unitLimit, "lastValidBlockHeight": tx.LastValidBlockHeight,
		"prioritizationFeeLamports": p.fees.lamports, "prioritizationType": p.fees.kind,
	}, nil
}

// swapInstructions answers what swap would put into its transaction.
func (w *swap) swapInstructions(c *call, in swapRequest) (any, error) {
	p, err := w.plan(c, in)
	if err != nil {
		return nil, err
	}
	instructions := []map[string]any{}
	for _, i := range append(p.fees.budgeting(), p.instructions...) {
		data, err := i.Data()
		if err != nil {
			return nil, err
		}
		accounts := []map[string]any{}
		for _, a := range i.Accounts() {
			accounts = append(accounts, map[string]any{"pubkey": a.PublicKey, "isSigner": a.IsSigner, "isWritable": a.IsWritable})
		}
		instructions = append(instructions, map[string]any{
			"programId": i.ProgramID(), "accounts": accounts, "data": base64.StdEncoding.EncodeToString(data),
		})
	}
	return map[string]any{
		"instructions": instructions, "addressLookupTableAddresses": []solana.PublicKey{w.book.table(Swap)},
		"computeUnitLimit": p.fees.unitLimit,
	}, nil
}

// plan turns a quote that came back into instructions.
func (w *swap) plan(c *call, in swapRequest) (*swapPlan, error) {
	owner, err := c.key(in.User, "userPublicKey")
	if err != nil {
		return nil, err
	}
	q, err := w.echoed(c, in.Quote)
	if err != nil {
		return nil, err
	}
	fees, err := w.chooseFees(c, in, swapUnits(len(q.quote.legs()), in.DynamicUnitLimit))
	if err != nil {
		return nil, err
	}
	p := &swapPlan{owner: owner, payer: owner, fees: fees}
	if in.Sponsor != nil {
		if p.payer, err = c.key(*in.Sponsor, "sponsor"); err != nil {
			return nil, err
		}
	}
	t := &poolTrade{
		service: Swap, owner: owner, quote: q.quote, limit: q.least, fee: q.fee,
		holders: map[holder]solana.PublicKey{}, done: w.executed,
	}
	wrap := poolWrap{payer: p.payer, wrap: in.Wrap == nil || *in.Wrap, unwrap: in.Wrap == nil || *in.Wrap}
	if err := w.direct(c, in, q, t, &wrap); err != nil {
		return nil, err
	}
	instructions := w.book.around(t, wrap)
	if in.Mitigation {
		w.mitigate(instructions)
	}
	p.instructions = append(instructions, w.tipping(fees, p.payer)...)
	return p, nil
}

// echoed finds the quote that came back. One that was changed, by a byte, is
// nothing that a correct client sends.
func (w *swap) echoed(c *call, raw json.RawMessage) (*swapQuote, error) {
	q, ok := w.quotes.find(raw)
	if !ok {
		c.violate("quoteResponse is not, to the byte, what was served")
		return nil, refuse(http.StatusBadRequest, "", "quoteResponse is not the response of a quote")
	}
	if w.now().Sub(q.at) > swapQuoteLife {
		return nil, refuse(http.StatusBadRequest, "", "the quote is too old")
	}
	return q, nil
}

func (w *swap) chooseFees(c *call, in swapRequest, limit uint32) (swapFees, error) {
	if in.UnitPrice == nil {
		return w.fees(in.Priority, limit)
	}
	if in.Priority != nil {
		c.violate("computeUnitPriceMicroLamports beside prioritizationFeeLamports")
		return swapFees{}, refuse(http.StatusBadRequest, "", "computeUnitPriceMicroLamports excludes prioritizationFeeLamports")
	}
	return swapPriced(*in.UnitPrice, limit), nil
}

// direct settles where the trade's output, its fee and its surplus go.
func (w *swap) direct(c *call, in swapRequest, q *swapQuote, t *poolTrade, wrap *poolWrap) error {
	if s := in.PositiveSlippage; s != nil {
		if s.Mode != "split" {
			return refuse(http.StatusBadRequest, "", "positiveSlippage.mode is not known")
		}
		t.fee.surplusBps = s.Bps
	}
	if in.FeeAccount != nil {
		account, owner, err := w.tokenAccountOf(c, *in.FeeAccount, "feeAccount", q.feeToken)
		if err != nil {
			return err
		}
		if owner == t.owner {
			return refuse(http.StatusBadRequest, "", "feeAccount is the user's own")
		}
		t.fee.to = owner
		t.holders[holder{owner, q.feeToken.key}] = account
	}
	if in.Destination == nil {
		return nil
	}
	to := q.quote.to
	address, err := c.key(in.Destination.Address, "destinationTokenAccount.address")
	if err != nil {
		return err
	}
	wrap.unwrap = false
	if address == to.account(t.owner) && (in.Destination.CreateIfNeeded || w.chain.Account(address) != nil) {
		return nil
	}
	_, receiver, err := w.tokenAccountOf(c, in.Destination.Address, "destinationTokenAccount.address", to)
	if err != nil {
		return err
	}
	if receiver == t.fee.to && t.holders[holder{receiver, to.key}] != address {
		return refuse(http.StatusBadRequest, "", "feeAccount and destinationTokenAccount are two accounts of one wallet")
	}
	t.receiver, wrap.held = receiver, true
	t.holders[holder{receiver, to.key}] = address
	return nil
}

// tokenAccountOf reads the address of a token account of a mint.
func (w *swap) tokenAccountOf(c *call, text, field string, t Token) (account, owner solana.PublicKey, err error) {
	if account, err = c.key(text, field); err != nil {
		return account, owner, err
	}
	held, ok := ledger.AsToken(w.chain.Account(account))
	if !ok || held.Mint() != t.key {
		return account, owner, refuse(http.StatusBadRequest, "", "%s is no account of %s", field, t.Mint)
	}
	return account, held.Owner(), nil
}

// mitigate adds the account by which block builders know that nothing may stand
// before the trade.
func (w *swap) mitigate(instructions []solana.Instruction) {
	marker := solana.Meta(publicKey(w.keypair("swap sandwich mitigation")))
	for _, i := range instructions {
		if in, ok := i.(*solana.GenericInstruction); ok && in.ProgID == w.chain.programs[Swap] {
			in.AccountValues = append(in.AccountValues, marker)
		}
	}
}
