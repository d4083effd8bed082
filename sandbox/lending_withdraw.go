package sandbox

import (
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// lendingCooldown is how long a boosted withdrawal waits.
const lendingCooldown = 48 * time.Hour

type lendingWithdrawRequest struct {
	PriorityFee  *uint64 `query:"priorityFee"` // micro-lamports a unit
	Owner        string  `body:"owner,required"`
	MintAddress  string  `body:"mintAddress,required"`
	WithdrawType string  `body:"withdrawType,required" oneof:"protected boosted regular"`
	Amount       uint64  `body:"amount,required"`
}

type lendingWithdrawAnswer struct {
	Transaction          string `json:"transaction"`
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
}

// lendingPending is a boosted withdrawal from its first transaction, which
// starts the cooldown, to its second, which takes the money.
type lendingPending struct {
	pool      *lendingPool
	amount    uint64
	initiated time.Time
	available time.Time
}

func (l *lending) withdraw(c *call, in lendingWithdrawRequest) (*lendingWithdrawAnswer, error) {
	owner, err := c.key(in.Owner, "owner")
	if err != nil {
		return nil, err
	}
	p, err := l.pool(in.MintAddress)
	if err != nil {
		return nil, err
	}
	if in.Amount == 0 {
		return nil, refuse(http.StatusBadRequest, "", "amount must be positive")
	}
	w, ok := l.wallets[in.Owner]
	if !ok {
		return nil, refuse(http.StatusBadRequest, lendingInsufficientBalance, "the wallet has deposited nothing")
	}
	plan, err := l.plan(w, p, in)
	if err != nil {
		return nil, err
	}
	plan.owner = owner
	instructions := []solana.Instruction{createAccount(owner, owner, p.Token), l.instruct(Lending, plan)}
	if len(plan.moves) == 0 {
		instructions = instructions[1:]
	} else if p.key == solana.WrappedSol {
		instructions = append(instructions, l.unwrapSOL(owner))
	}
	var fee uint64
	if in.PriorityFee != nil {
		fee = *in.PriorityFee
	}
	tx, err := l.build(Lending, unsigned{
		owner: owner, unitLimit: lendingUnits, unitPrice: fee, instructions: instructions,
		tables: []solana.PublicKey{l.table()},
	})
	if err != nil {
		return nil, err
	}
	return &lendingWithdrawAnswer{tx.base64(), tx.LastValidBlockHeight}, nil
}

// plan says what the withdrawal's transaction does: it pays out, or starts a
// cooldown, or takes what has cooled down.
func (l *lending) plan(w *lendingWallet, p *lendingPool, in lendingWithdrawRequest) (effect, error) {
	if in.WithdrawType == "boosted" {
		if pending := w.pendingOf(p); pending != nil {
			return l.planTake(w, pending, in.Amount)
		}
	}
	position := w.position(p, in.WithdrawType)
	position.accrue(l.now())
	if position.balance < in.Amount {
		return effect{}, refuse(http.StatusBadRequest, lendingInsufficientBalance, "the position holds %d", position.balance)
	}
	check := func() *ledger.InstructionError {
		if position.balance < in.Amount || in.WithdrawType == "boosted" && w.pendingOf(p) != nil {
			return ledger.Custom(6002)
		}
		return nil
	}
	if in.WithdrawType == "boosted" {
		return effect{check: check, done: func(r *ledger.Receipt) { l.cool(w, p, in.Amount, r) }}, nil
	}
	owner := solana.MustPublicKeyFromBase58(w.address)
	return effect{
		check: check,
		moves: []move{{l.vault(Lending), owner, p.Token, in.Amount}},
		done: func(r *ledger.Receipt) {
			l.reduce(w, p, in.WithdrawType, in.Amount)
			l.withdrawn(w, p, in.WithdrawType, in.Amount, r)
		},
	}, nil
}

// planTake pays out a withdrawal that has cooled down, whole or in part.
func (l *lending) planTake(w *lendingWallet, pending *lendingPending, amount uint64) (effect, error) {
	if l.now().Before(pending.available) {
		return effect{}, refuse(http.StatusBadRequest, lendingCooldownActive, "the withdrawal cools down until %d", pending.available.Unix())
	}
	if amount > pending.amount {
		return effect{}, refuse(http.StatusBadRequest, lendingInsufficientBalance, "%d can be taken", pending.amount)
	}
	owner, p := solana.MustPublicKeyFromBase58(w.address), pending.pool
	return effect{
		check: func() *ledger.InstructionError {
			if pending.amount < amount {
				return ledger.Custom(6002)
			}
			return nil
		},
		moves: []move{{l.vault(Lending), owner, p.Token, amount}},
		done: func(r *ledger.Receipt) {
			pending.amount -= amount
			if pending.amount == 0 {
				w.pending = slices.DeleteFunc(w.pending, func(x *lendingPending) bool { return x == pending })
			}
			l.withdrawn(w, p, "boosted", amount, r)
		},
	}, nil
}

// cool takes the amount out of the position and starts its cooldown.
func (l *lending) cool(w *lendingWallet, p *lendingPool, amount uint64, r *ledger.Receipt) {
	l.reduce(w, p, "boosted", amount)
	pending := &lendingPending{pool: p, amount: amount, initiated: r.Time, available: r.Time.Add(lendingCooldown)}
	w.pending = append(w.pending, pending)
	l.at(pending.available, func() {
		l.emit("withdraw.available", map[string]any{
			"walletAddress": w.address, "mint": p.Mint, "amount": amount, "withdrawType": "boosted",
		})
	})
}

// reduce takes an amount out of a position and out of the pool's books.
func (l *lending) reduce(w *lendingWallet, p *lendingPool, depositType string, amount uint64) {
	position := w.position(p, depositType)
	position.accrue(l.now())
	position.balance -= amount
	booked := p.of(depositType)
	*booked -= min(*booked, amount) // interest was never booked as a deposit
}

// withdrawn books what was paid out. The fields of a withdraw event are not
// documented: it is written in one of two ways.
func (l *lending) withdrawn(w *lendingWallet, p *lendingPool, withdrawType string, amount uint64, r *ledger.Receipt) {
	event := map[string]any{"type": "withdraw", "timestamp": r.Time.Unix()}
	if l.turn("lending withdraw event", 2) == 0 {
		event["mint"], event["amount"], event["withdrawType"], event["signature"] = p.Mint, amount, withdrawType, r.Signature.String()
	} else {
		event["asset"] = map[string]any{"mint": p.Mint, "amount": amount}
	}
	w.events = append(w.events, event)
	l.emit("withdraw.completed", map[string]any{
		"walletAddress": w.address, "mint": p.Mint, "amount": amount, "signature": r.Signature.String(),
	})
}
