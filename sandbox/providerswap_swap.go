package sandbox

import (
	"crypto/ed25519"
	"net/http"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
)

type providerSwapSwapRequest struct {
	Owner         string  `query:"owner,required"`
	From          string  `query:"fromMint,required"`
	To            string  `query:"toMint,required"`
	Amount        uint64  `query:"amount,required"`
	Slippage      uint64  `query:"slippage,required" max:"10000"`
	Provider      string  `query:"provider,required"`
	Pool          *string `query:"pool"`
	FeeLamports   *uint64 `query:"feeLamports"`
	FeeReceiver   *string `query:"feeReceiver"`
	PriorityPrice *uint64 `query:"priorityMicroLamports"`
	MEVSafe       bool    `query:"mevSafe"`
	Gasless       bool    `query:"gasless"`
}

// providerSwapTip is what mevSafe pays, lamports.
const providerSwapTip = 10_000

// swap builds a trade with one provider. How its transaction is written is not
// documented but for its being base64: as it is, as a JSON string, or in an
// object under one of two names.
func (p *providerSwap) swap(c *call, in providerSwapSwapRequest) (any, error) {
	owner, err := c.key(in.Owner, "owner")
	if err != nil {
		return nil, err
	}
	q, err := p.price(providerSwapV1Request{From: in.From, To: in.To, Amount: in.Amount, Slippage: in.Slippage, Provider: in.Provider, Pool: in.Pool})
	if err != nil {
		return nil, err
	}
	fees, err := p.fees(c, in, owner)
	if err != nil {
		return nil, err
	}
	u := unsigned{owner: owner, unitLimit: providerSwapUnits, tables: []solana.PublicKey{p.book.table(ProviderSwap)}}
	if in.PriorityPrice != nil {
		u.unitPrice = *in.PriorityPrice
	}
	t := &poolTrade{service: ProviderSwap, owner: owner, quote: q, limit: q.limit(in.Slippage)}
	w := poolWrap{wrap: true, unwrap: true}
	if in.Gasless {
		if q.to.key != solana.WrappedSol {
			c.violate("gasless where the output is not the native currency")
			return nil, refuse(http.StatusBadRequest, "", "gasless needs the native currency as output")
		}
		sponsor := p.keypair(providerSwapSponsor)
		u.payer, u.cosigners = publicKey(sponsor), []ed25519.PrivateKey{sponsor}
		w.payer, t.lamports = u.payer, true // no account to be made, none to be closed
	}
	u.instructions = append(p.book.around(t, w), fees...)
	tx, err := p.build(ProviderSwap, u)
	if err != nil {
		return nil, err
	}
	return providerSwapWritten(tx.base64(), c.shape(4)), nil
}

// fees are the transfers that go along with a swap.
func (p *providerSwap) fees(c *call, in providerSwapSwapRequest, owner solana.PublicKey) (all []solana.Instruction, err error) {
	if in.FeeLamports != nil && in.FeeReceiver == nil {
		c.violate("feeLamports without feeReceiver")
		return nil, refuse(http.StatusBadRequest, "", "feeReceiver is required when feeLamports is set")
	}
	if in.FeeReceiver != nil {
		receiver, err := c.key(*in.FeeReceiver, "feeReceiver")
		if err != nil {
			return nil, err
		}
		if in.FeeLamports != nil && *in.FeeLamports > 0 {
			all = append(all, system.NewTransferInstruction(*in.FeeLamports, owner, receiver).Build())
		}
	}
	if in.MEVSafe {
		tips := publicKey(p.keypair(providerSwapTips))
		all = append(all, system.NewTransferInstruction(providerSwapTip, owner, tips).Build())
	}
	return all, nil
}

// providerSwapWritten is a transaction in one of four forms.
func providerSwapWritten(tx string, form int) any {
	switch form {
	case 0:
		return reply{raw: []byte(tx), header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}}
	case 1:
		return tx
	case 2:
		return map[string]string{"transaction": tx}
	}
	return map[string]any{"success": true, "data": map[string]string{"txn": tx}}
}

type providerSwapFeeRequest struct {
	Payer    string `query:"payer,required"`
	Receiver string `query:"receiver,required"`
	Lamports uint64 `query:"lamports,required"`
}

// customFee builds a transfer of lamports.
func (p *providerSwap) customFee(c *call, in providerSwapFeeRequest) (any, error) {
	payer, err := c.key(in.Payer, "payer")
	if err != nil {
		return nil, err
	}
	receiver, err := c.key(in.Receiver, "receiver")
	if err != nil {
		return nil, err
	}
	if in.Lamports == 0 {
		return nil, refuse(http.StatusBadRequest, "", "lamports must be positive")
	}
	tx, err := p.build(ProviderSwap, unsigned{
		owner: payer, instructions: []solana.Instruction{system.NewTransferInstruction(in.Lamports, payer, receiver).Build()},
	})
	if err != nil {
		return nil, err
	}
	if c.shape(2) == 0 {
		return map[string]string{"transaction": tx.base64()}, nil
	}
	return map[string]any{"success": true, "data": map[string]string{"serializedTransaction": tx.base64()}}, nil
}
