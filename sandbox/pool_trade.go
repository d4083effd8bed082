package sandbox

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// poolTrade is a quote that is about to become an instruction.
type poolTrade struct {
	service Service
	owner   solana.PublicKey
	quote   *poolQuote
	limit   uint64 // the least that arrives, or the most that leaves where the output is exact
	// after is the trade of an earlier transaction whose proceeds this one
	// spends, nil where there is none.
	after *poolTrade
	// receiver is the wallet that is paid. Zero means the owner.
	receiver solana.PublicKey
	holders  map[holder]solana.PublicKey
	// lamports pays SOL out as such, not wrapped.
	lamports bool
	fee      poolFee
	// done is told what was traded. May be nil.
	done func(t *poolTrade, r *ledger.Receipt)

	settled *poolQuote // as executed, or as it would be
	over    bool       // executed
}

// poolFee is what somebody takes of a trade beside the pools.
type poolFee struct {
	// input is taken before the trade, an amount of the input.
	input uint64
	// bps is a share of the output.
	bps uint64
	// surplusBps is the share of what a trade brings beyond its quote.
	surplusBps uint64
	// to is the wallet that is paid. Zero leaves the fee with the service.
	to solana.PublicKey
}

// The errors with which a venue's program refuses.
const (
	poolSlippage    = 6001 // worse than the limit
	poolNoLiquidity = 6002 // the pools have not got it
	poolTooEarly    = 6003 // what it spends has not come in
)

// poolAmounts are what a trade moves.
type poolAmounts struct{ in, out, fee uint64 }

// instruction is the trade, priced once more when it is executed.
func (b *poolBook) instruction(t *poolTrade) solana.Instruction {
	if t.receiver.IsZero() {
		t.receiver = t.owner
	}
	vault := b.vault(t.service)
	paid := t.quote.to
	if t.lamports {
		paid = Token{}
	}
	moves := []move{{t.owner, vault, t.quote.from, 0}, {vault, t.receiver, paid, 0}}
	if to := t.fee.to; !to.IsZero() {
		if t.fee.input > 0 {
			moves = append(moves, move{t.owner, to, t.quote.from, 0})
		} else {
			moves = append(moves, move{vault, to, t.quote.to, 0})
		}
	}
	return b.instruct(t.service, effect{
		owner: t.owner, moves: moves, holders: t.holders,
		settle: func(moves []move) *ledger.InstructionError {
			amounts, err := b.settle(t)
			if err != nil {
				return err
			}
			moves[0].amount, moves[1].amount = amounts.in, amounts.out
			if len(moves) > 2 {
				moves[2].amount = amounts.fee
				if t.fee.input > 0 {
					moves[0].amount -= amounts.fee
				}
			}
			return nil
		},
		done: func(r *ledger.Receipt) {
			for _, l := range t.settled.legs() {
				l.apply()
			}
			t.over = true
			b.restock(t.service)
			if t.done != nil {
				t.done(t, r)
			}
		},
	})
}

// settle prices the trade at the pools' present state and holds it against its
// limit.
func (b *poolBook) settle(t *poolTrade) (poolAmounts, *ledger.InstructionError) {
	amount := t.quote.amount
	if t.after != nil {
		if !t.after.over {
			return poolAmounts{}, ledger.Custom(poolTooEarly)
		}
		if !t.quote.exactOut {
			amount = t.after.settled.out
		}
	}
	fresh, ok := b.again(t.quote, amount)
	if !ok {
		return poolAmounts{}, ledger.Custom(poolNoLiquidity)
	}
	t.settled = fresh
	a := t.fee.of(t.quote, fresh)
	received := a.out
	if !fresh.gross {
		received -= b.tax(fresh.to, received)
	}
	if fresh.exactOut && a.in > t.limit || !fresh.exactOut && received < t.limit {
		return poolAmounts{}, ledger.Custom(poolSlippage)
	}
	return a, nil
}

// of splits what is traded among the wallet, the pools and who takes the fee. A
// fee on the input was taken off before the quote was made.
func (f poolFee) of(quoted, fresh *poolQuote) poolAmounts {
	a := poolAmounts{in: fresh.in, out: fresh.sends}
	if f.input > 0 {
		a.fee = f.input
		a.in += f.input
		return a
	}
	a.fee = poolShare(fresh.sends, f.bps, 10_000)
	if fresh.sends > quoted.sends {
		a.fee += poolShare(fresh.sends-quoted.sends, f.surplusBps, 10_000)
	}
	a.fee = min(a.fee, fresh.sends)
	a.out -= a.fee
	return a
}

// promised is what a quote promises to the wallet once the fee is taken.
func (b *poolBook) promised(q *poolQuote, f poolFee) uint64 {
	out := f.of(q, q).out
	if !q.gross {
		out -= b.tax(q.to, out)
	}
	return out
}
