package lending

import (
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// cooldown is how long a boosted withdrawal waits.
const cooldown = 48 * time.Hour

type withdrawRequest struct {
	PriorityFee  *kit.Number `query:"priorityFee"` // micro-lamports a unit
	Owner        string      `body:"owner,required" form:"key"`
	MintAddress  string      `body:"mintAddress,required" form:"key"`
	WithdrawType string      `body:"withdrawType,required" oneof:"protected boosted regular"`
	Amount       uint64      `body:"amount,required"`
}

// withdrawal is a boosted withdrawal from its first transaction, which
// starts the cooldown, to its second, which takes the money.
type withdrawal struct {
	pool      *pool
	amount    uint64
	initiated time.Time
	available time.Time
}

func (l *Service) withdraw(c *kit.Call, in withdrawRequest) any {
	owner := c.Key(in.Owner, "owner")
	p := l.pool(in.MintAddress)
	kit.BadIf(in.Amount == 0, "amount must be positive")
	w, ok := l.wallets[in.Owner]
	kit.RefuseIf(!ok, http.StatusBadRequest, insufficientBalance, "the wallet has deposited nothing")
	plan := l.plan(w, p, in)
	plan.Owner = owner
	instructions := []solana.Instruction{build.CreateAccount(owner, owner, p.Token), l.Instruct(play.Lending, plan)}
	if len(plan.Moves) == 0 {
		instructions = instructions[1:]
	} else if p.Key == solana.WrappedSol {
		instructions = append(instructions, l.UnwrapSOL(owner))
	}
	tx := l.Build(play.Lending, build.Unsigned{
		Owner: owner, UnitLimit: units, UnitPrice: uint64(kit.Or(in.PriorityFee, 0)), Instructions: instructions,
		Tables: []solana.PublicKey{l.table()},
	})
	return map[string]any{"transaction": tx.Base64(), "lastValidBlockHeight": tx.LastValidBlockHeight}
}

// plan decides what the withdrawal's transaction does: pay out, start a
// cooldown, or take a withdrawal after its cooldown.
func (l *Service) plan(w *wallet, p *pool, in withdrawRequest) build.Effect {
	if in.WithdrawType == "boosted" {
		if pending := w.pendingOf(p); pending != nil {
			return l.planTake(w, pending, in.Amount)
		}
	}
	position := w.position(p, in.WithdrawType)
	position.accrue(l.Now())
	kit.RefuseIf(position.balance < in.Amount, http.StatusBadRequest, insufficientBalance, "the position holds %d",
		position.balance)
	work := withdrawing{l, w, position, in.Amount}
	if in.WithdrawType == "boosted" {
		return build.Effect{Work: work}
	}
	owner := solana.MustPublicKeyFromBase58(w.address)
	return build.Effect{
		Work:  work,
		Moves: []build.Move{{From: l.Vault(play.Lending), To: owner, Token: p.Token, Amount: in.Amount}},
	}
}

// withdrawing takes an amount out of a position: at once, or into a cooldown.
type withdrawing struct {
	l      *Service
	w      *wallet
	from   *position
	amount uint64
}

// Check implements build.Checker.
func (x withdrawing) Check() {
	cooling := x.from.depositType == "boosted" && x.w.pendingOf(x.from.pool) != nil
	ledger.FailIf(x.from.balance < x.amount || cooling, ledger.Custom(6002))
}

// Done implements build.Doer.
func (x withdrawing) Done(r *ledger.Receipt) {
	p, depositType := x.from.pool, x.from.depositType
	if depositType == "boosted" {
		x.l.cool(x.w, p, x.amount, r)
		return
	}
	x.l.reduce(x.w, p, depositType, x.amount)
	x.l.withdrawn(x.w, p, depositType, x.amount, r)
}

// planTake pays out a withdrawal after its cooldown, in full or in part.
func (l *Service) planTake(w *wallet, pending *withdrawal, amount uint64) build.Effect {
	kit.RefuseIf(l.Now().Before(pending.available), http.StatusBadRequest, cooldownActive,
		"the withdrawal cools down until %d",
		pending.available.Unix())
	kit.RefuseIf(amount > pending.amount, http.StatusBadRequest, insufficientBalance, "%d can be taken", pending.amount)
	owner, p := solana.MustPublicKeyFromBase58(w.address), pending.pool
	return build.Effect{
		Work:  taking{l, w, pending, amount},
		Moves: []build.Move{{From: l.Vault(play.Lending), To: owner, Token: p.Token, Amount: amount}},
	}
}

// taking pays out of a withdrawal that has cooled down.
type taking struct {
	l       *Service
	w       *wallet
	pending *withdrawal
	amount  uint64
}

// Check implements build.Checker.
func (x taking) Check() { ledger.FailIf(x.pending.amount < x.amount, ledger.Custom(6002)) }

// Done implements build.Doer.
func (x taking) Done(r *ledger.Receipt) {
	x.pending.amount -= x.amount
	if x.pending.amount == 0 {
		x.w.pending = slices.DeleteFunc(x.w.pending, func(p *withdrawal) bool { return p == x.pending })
	}
	x.l.withdrawn(x.w, x.pending.pool, "boosted", x.amount, r)
}

// cool takes the amount out of the position and starts its cooldown.
func (l *Service) cool(w *wallet, p *pool, amount uint64, r *ledger.Receipt) {
	l.reduce(w, p, "boosted", amount)
	pending := &withdrawal{pool: p, amount: amount, initiated: r.Time, available: r.Time.Add(cooldown)}
	w.pending = append(w.pending, pending)
	l.At(pending.available, cooled{l, w.address, p.Mint, amount})
}

// cooled is the end of a cooldown.
type cooled struct {
	l             *Service
	address, mint string
	amount        uint64
}

// Happen tells that the withdrawal can be taken.
func (x cooled) Happen() {
	x.l.emit("withdraw.available", map[string]any{
		"walletAddress": x.address, "mint": x.mint, "amount": x.amount, "withdrawType": "boosted",
	})
}

// reduce takes an amount out of a position and out of the pool's books.
func (l *Service) reduce(w *wallet, p *pool, depositType string, amount uint64) {
	position := w.position(p, depositType)
	position.accrue(l.Now())
	position.balance -= amount
	booked := p.of(depositType)
	*booked -= min(*booked, amount) // interest was never booked as a deposit
}

// withdrawn books what was paid out. The fields of a withdraw event are not
// documented: it is written in one of two ways.
func (l *Service) withdrawn(w *wallet, p *pool, withdrawType string, amount uint64, r *ledger.Receipt) {
	event := map[string]any{"type": "withdraw", "timestamp": r.Time.Unix()}
	if l.Turn("lending withdraw event", 2) == 0 {
		event["mint"], event["amount"] = p.Mint, amount
		event["withdrawType"], event["signature"] = withdrawType, r.Signature.String()
	} else {
		event["asset"] = map[string]any{"mint": p.Mint, "amount": amount}
	}
	w.record(event)
	l.emit("withdraw.completed", map[string]any{
		"walletAddress": w.address, "mint": p.Mint, "amount": amount, "signature": r.Signature.String(),
	})
}
