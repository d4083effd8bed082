package providerswap

import (
	"crypto/ed25519"
	"net/http"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type swapRequest struct {
	_     struct{} `rule:"feeLamports needs feeReceiver"`
	_     struct{} `rule:"gasless needs the native currency as output"`
	Owner string   `query:"owner,required" form:"key"`
	v1Request
	FeeLamports   *uint64 `query:"feeLamports"`
	FeeReceiver   *string `query:"feeReceiver" form:"key"`
	PriorityPrice *uint64 `query:"priorityMicroLamports"`
	MEVSafe       bool    `query:"mevSafe"`
	Gasless       bool    `query:"gasless"`
}

func (in swapRequest) Problems(*kit.Call) (problems []string) {
	if in.FeeLamports != nil && in.FeeReceiver == nil {
		problems = append(problems, "feeLamports needs feeReceiver")
	}
	if in.Gasless && in.To != solana.WrappedSol.String() {
		problems = append(problems, "gasless needs the native currency as output")
	}
	return problems
}

// Tip is the tip of mevSafe, lamports.
const Tip = 10_000

// swap builds a trade with one provider. Only the base64 of the transaction is
// documented. It is sent as plain text, as a JSON string, or in an object under
// one of two names.
func (p *Service) swap(c *kit.Call, in swapRequest) any {
	owner := c.Key(in.Owner, "owner")
	q := p.price(in.v1Request)
	fees := p.fees(c, in, owner)
	u := build.Unsigned{Owner: owner, UnitLimit: units, Tables: []solana.PublicKey{p.book.Table(play.ProviderSwap)}}
	if in.PriorityPrice != nil {
		u.UnitPrice = *in.PriorityPrice
	}
	t := &market.Trade{Service: play.ProviderSwap, Owner: owner, Quote: q, Limit: q.Limit(uint64(in.Slippage))}
	w := market.Wrap{Wrap: true, Unwrap: true}
	if in.Gasless {
		sponsor := p.Keypair(sponsor)
		u.Payer, u.Cosigners = build.PublicKey(sponsor), []ed25519.PrivateKey{sponsor}
		w.Payer, t.Lamports = u.Payer, true // no account to be made, none to be closed
	}
	u.Instructions = append(p.book.Around(t, w), fees...)
	tx := p.Build(play.ProviderSwap, u)
	return written(tx.Base64(), c.Shape(4))
}

// fees are the transfers that go along with a swap.
func (p *Service) fees(c *kit.Call, in swapRequest, owner solana.PublicKey) (all []solana.Instruction) {
	if in.FeeReceiver != nil {
		receiver := c.Key(*in.FeeReceiver, "feeReceiver")
		if in.FeeLamports != nil && *in.FeeLamports > 0 {
			all = append(all, system.NewTransferInstruction(*in.FeeLamports, owner, receiver).Build())
		}
	}
	if in.MEVSafe {
		tips := build.PublicKey(p.Keypair(Tips))
		all = append(all, system.NewTransferInstruction(Tip, owner, tips).Build())
	}
	return all
}

// written is a transaction in one of four forms.
func written(tx string, form int) any {
	switch form {
	case 0:
		return kit.Reply{Raw: []byte(tx), Header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}}
	case 1:
		return tx
	case 2:
		return map[string]string{"transaction": tx}
	}
	return map[string]any{"success": true, "data": map[string]string{"txn": tx}}
}
