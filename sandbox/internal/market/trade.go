package market

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Trade is a quote that is about to become an instruction.
type Trade struct {
	Service play.Service
	Owner   solana.PublicKey
	Quote   *Quote
	Limit   uint64 // the least that arrives, or the most that leaves if the output is exact
	// After is the trade of an earlier transaction whose proceeds this one
	// spends, nil if there is none.
	After *Trade
	// Receiver is the wallet that gets the output. Zero means the owner.
	Receiver solana.PublicKey
	Holders  map[build.Holder]solana.PublicKey
	// Lamports pays SOL out as lamports, not wrapped.
	Lamports bool
	Fee      Fee
	// Watcher is told after execution. May be nil.
	Watcher Watcher

	Settled *Quote // as executed, or as it would be
	over    bool   // executed
}

// Watcher is told of trades that were executed.
type Watcher interface {
	Executed(t *Trade, r *ledger.Receipt)
}

// Fee is taken of a trade on top of the pools' fees.
type Fee struct {
	// Input is taken before the trade, an amount of the input.
	Input uint64
	// Bps is a share of the output.
	Bps uint64
	// SurplusBps is the share of a trade's surplus over its quote.
	SurplusBps uint64
	// To is the wallet that is paid. Zero leaves the fee with the service.
	To solana.PublicKey
}

// The errors with which a venue's program refuses.
const (
	slippage    = 6001 // worse than the limit
	noLiquidity = 6002 // the pools hold too little
	tooEarly    = 6003 // the input has not arrived yet
)

// amounts are what a trade moves.
type amounts struct{ In, Out, Fee uint64 }

// instruction is the trade, priced once more when it is executed.
func (b *Book) instruction(t *Trade) solana.Instruction {
	if t.Receiver.IsZero() {
		t.Receiver = t.Owner
	}
	vault := b.Vault(t.Service)
	paid := t.Quote.To
	if t.Lamports {
		paid = build.Token{}
	}
	moves := []build.Move{{From: t.Owner, To: vault, Token: t.Quote.From, Amount: 0},
		{From: vault, To: t.Receiver, Token: paid, Amount: 0}}
	if to := t.Fee.To; !to.IsZero() {
		if t.Fee.Input > 0 {
			moves = append(moves, build.Move{From: t.Owner, To: to, Token: t.Quote.From, Amount: 0})
		} else {
			moves = append(moves, build.Move{From: vault, To: to, Token: t.Quote.To, Amount: 0})
		}
	}
	return b.Instruct(t.Service, build.Effect{
		Owner: t.Owner, Moves: moves, Holders: t.Holders, Work: trading{b, t},
	})
}

// trading carries a trade out.
type trading struct {
	b *Book
	t *Trade
}

var _ = snapshot.Keep(trading{}, Product{}, Stable{})

// Settle implements build.Settler.
func (x trading) Settle(moves []build.Move) {
	amounts := x.b.settle(x.t)
	moves[0].Amount, moves[1].Amount = amounts.In, amounts.Out
	if len(moves) > 2 {
		moves[2].Amount = amounts.Fee
		if x.t.Fee.Input > 0 {
			moves[0].Amount -= amounts.Fee
		}
	}
}

// Done implements build.Doer.
func (x trading) Done(r *ledger.Receipt) {
	t := x.t
	for _, l := range t.Settled.Legs() {
		l.Apply()
	}
	x.b.Report(t.Settled.Legs(), r.Signature, t.Owner)
	t.over = true
	x.b.Restock(t.Service)
	if t.Watcher != nil {
		t.Watcher.Executed(t, r)
	}
}

// Rehearse implements build.Rehearser.
func (x trading) Rehearse(*ledger.Receipt) (undo func()) {
	pools := map[*Pool]Pool{}
	for _, l := range x.t.Settled.Legs() {
		if _, known := pools[l.Pool]; !known {
			pools[l.Pool] = *l.Pool
		}
		l.Apply()
	}
	x.t.over = true
	return func() {
		x.t.over = false
		for p, was := range pools {
			*p = was
		}
	}
}

// settle prices the trade at the pools' present state and holds it against its
// limit.
func (b *Book) settle(t *Trade) amounts {
	amount := t.Quote.Amount
	if t.After != nil {
		ledger.FailIf(!t.After.over, ledger.Custom(tooEarly))
		if !t.Quote.ExactOut {
			amount = t.After.Settled.Out
		}
	}
	fresh, ok := b.Again(t.Quote, amount)
	ledger.FailIf(!ok, ledger.Custom(noLiquidity))
	t.Settled = fresh
	a := t.Fee.Of(t.Quote, fresh)
	received := a.Out
	if !fresh.Gross {
		received -= b.Tax(fresh.To, received)
	}
	ledger.FailIf(fresh.ExactOut && a.In > t.Limit || !fresh.ExactOut && received < t.Limit, ledger.Custom(slippage))
	return a
}

// Of splits a trade among the wallet, the pools and the receiver of the fee. A
// fee on the input was deducted before the quote.
func (f Fee) Of(quoted, fresh *Quote) amounts {
	a := amounts{In: fresh.In, Out: fresh.Sends}
	if f.Input > 0 {
		a.Fee = f.Input
		a.In += f.Input
		return a
	}
	a.Fee = Share(fresh.Sends, f.Bps, 10_000)
	if fresh.Sends > quoted.Sends {
		a.Fee += Share(fresh.Sends-quoted.Sends, f.SurplusBps, 10_000)
	}
	a.Fee = min(a.Fee, fresh.Sends)
	a.Out -= a.Fee
	return a
}

// Promised returns the amount that a quote promises to the wallet after the fee.
func (b *Book) Promised(q *Quote, f Fee) uint64 {
	out := f.Of(q, q).Out
	if !q.Gross {
		out -= b.Tax(q.To, out)
	}
	return out
}

// Wrap says what goes around a trade so that a wallet can pay and be paid.
type Wrap struct {
	Payer        solana.PublicKey // of the rent of accounts that are made. Zero means the owner
	Wrap, Unwrap bool             // SOL comes as lamports, and leaves as such
	// Held means that the account that is paid is there already.
	Held bool
	// Closes unwraps what is left of wrapped SOL that an earlier transaction
	// returned and this one spends.
	Closes bool
}

// Around puts what wraps, makes accounts and unwraps around a trade's own
// instruction.
func (b *Book) Around(t *Trade, w Wrap) []solana.Instruction {
	trade := b.instruction(t)
	if w.Payer.IsZero() {
		w.Payer = t.Owner
	}
	var before, after []solana.Instruction
	wrapped := w.Wrap && t.Quote.From.Key == solana.WrappedSol
	if wrapped {
		before = b.WrapSOL(t.Owner, t.most())
		if w.Payer != t.Owner {
			before[0] = build.CreateAccount(w.Payer, t.Owner, t.Quote.From)
		}
	}
	intoSOL := t.Quote.To.Key == solana.WrappedSol && !t.Lamports
	if !t.Lamports && !w.Held && !(wrapped && intoSOL) {
		before = append(before, build.CreateAccount(w.Payer, t.Receiver, t.Quote.To))
	}
	if wrapped || w.Closes || w.Unwrap && intoSOL && t.Receiver == t.Owner && !w.Held {
		after = append(after, b.UnwrapSOL(t.Owner))
	}
	return append(append(before, trade), after...)
}

// most is the most that leaves the wallet.
func (t *Trade) most() uint64 {
	if t.Quote.ExactOut {
		return t.Limit
	}
	return t.Quote.In + t.Fee.Input
}

// Affords reports whether a wallet has what a trade spends, fees and rent of
// the accounts that it makes not counted. An account of the caller's choice
// replaces the associated one.
func (b *Book) Affords(
	owner solana.PublicKey, t build.Token, amount uint64, lamports bool, account *solana.PublicKey,
) bool {
	switch {
	case lamports && t.Key == solana.WrappedSol:
		return b.Chain.Balance(owner) >= amount
	case account != nil:
		held, ok := ledger.AsToken(b.Chain.Account(*account))
		return ok && held.Mint() == t.Key && held.Owner() == owner && held.Amount() >= amount
	}
	return b.Holding(owner, t) >= amount
}
