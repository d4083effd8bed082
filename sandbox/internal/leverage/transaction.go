package leverage

import (
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// unitLimit is the compute limit of the service's transactions.
const unitLimit = 200_000

// sum is an amount of a token.
type sum struct {
	token  build.Token
	amount uint64
}

// order describes one transaction.
type order struct {
	owner    solana.PublicKey
	pays     []sum // to the market
	receives []sum
	tip      uint64 // lamports, to the relay
	change   change
	applied  bool
}

// change is the effect of an order on the books.
type change interface {
	// check may refuse at execution.
	check()
	// apply changes the books.
	apply(r *ledger.Receipt)
}

// payer is a change that pays what it is worth at execution.
type payer interface {
	// payout returns the first amount of an order's receives. Without it the amount is
	// that computed when the transaction was built.
	payout() uint64
}

// executing carries an order out.
type executing struct {
	l *Service
	o *order
}

var _ = snapshot.Keep(executing{}, hour{}, opening{}, closing{}, repaying{}, partRepaying{}, increasing{}, adding{},
	splitting{}, merging{})

// Check implements build.Checker.
func (x executing) Check() {
	ledger.FailIf(x.o.applied, ledger.Custom(6000))
	x.o.change.check()
}

// Settle implements build.Settler: the program pays what it is worth at that moment.
func (x executing) Settle(moves []build.Move) {
	if p, ok := x.o.change.(payer); ok {
		moves[len(x.o.pays)].Amount = p.payout()
	}
}

// Done implements build.Doer.
func (x executing) Done(r *ledger.Receipt) { x.o.carryOut(r) }

// Rehearse implements build.Rehearser.
func (x executing) Rehearse(r *ledger.Receipt) (undo func()) {
	restore := x.l.snapshot()
	x.o.carryOut(r)
	return func() {
		restore()
		x.o.applied = false
	}
}

// place builds the transaction of an order.
func (l *Service) place(order order) build.Built {
	o := &order
	instructions, unwrap := l.prepare(o)
	instructions = append(instructions, l.program(o))
	if unwrap {
		instructions = append(instructions, l.UnwrapSOL(o.owner))
	}
	if o.tip > 0 {
		instructions = append(instructions, system.NewTransferInstruction(o.tip, o.owner, l.TipAccount()).Build())
	}
	return l.Build(play.Leverage, build.Unsigned{
		Owner: o.owner, UnitLimit: unitLimit, Instructions: instructions, Tables: []solana.PublicKey{l.leverageTable()},
	})
}

// prepare wraps the SOL that is paid and makes the accounts that receive.
func (l *Service) prepare(o *order) (instructions []solana.Instruction, unwrap bool) {
	for _, sum := range o.pays {
		if sum.token.Key == solana.WrappedSol {
			instructions, unwrap = append(instructions, l.WrapSOL(o.owner, sum.amount)...), true
		}
	}
	for _, sum := range o.receives {
		native := sum.token.Key == solana.WrappedSol
		if !native || !unwrap {
			instructions = append(instructions, build.CreateAccount(o.owner, o.owner, sum.token))
		}
		unwrap = unwrap || native
	}
	return instructions, unwrap
}

// program is the instruction of the market's program.
func (l *Service) program(o *order) solana.Instruction {
	vault := l.Vault(play.Leverage)
	moves := slices.Concat(moved(o.owner, vault, o.pays), moved(vault, o.owner, o.receives))
	in := l.Instruct(play.Leverage, build.Effect{Owner: o.owner, Moves: moves, Work: executing{l, o}})
	if data, err := in.Data(); err == nil {
		l.orders.Put(binary.LittleEndian.Uint64(data[8:]), o)
	}
	return in
}

func moved(from, to solana.PublicKey, sums []sum) []build.Move {
	return kit.List(sums, func(s sum) build.Move {
		return build.Move{From: from, To: to, Token: s.token, Amount: s.amount}
	})
}

// carryOut changes the books once.
func (o *order) carryOut(r *ledger.Receipt) {
	if !o.applied {
		o.applied = true
		o.change.apply(r)
	}
}

// ordersOf are the orders that a transaction carries out.
func (l *Service) ordersOf(tx *ledger.Transaction) (found []*order) {
	for _, in := range tx.Instructions {
		if tx.Keys[in.Program] == l.Chain.Programs[play.Leverage] && len(in.Data) == 16 {
			if o, ok := l.orders.Get(binary.LittleEndian.Uint64(in.Data[8:])); ok {
				found = append(found, o)
			}
		}
	}
	return found
}

// affords refuses to build what the wallet cannot pay.
func (l *Service) affords(owner solana.PublicKey, sums ...sum) {
	for _, sum := range sums {
		held := l.Holding(owner, sum.token)
		if sum.token.Key == solana.WrappedSol {
			held = l.Chain.Balance(owner)
		}
		kit.BadIf(held < sum.amount, "the wallet holds %d of %s, %d are needed", held, sum.token.Symbol, sum.amount)
	}
}

// leverageTable is the lookup table of the market.
func (l *Service) leverageTable() solana.PublicKey {
	undealt := func(t build.Token) bool { return !l.deals(t) }
	return l.VaultTable("leverage", play.Leverage, slices.DeleteFunc(slices.Clone(l.Chain.Tokens), undealt))
}

// answer builds an order's transaction and answers it.
func (l *Service) answer(o order) any {
	tx := l.place(o)
	return map[string]any{"transaction": tx.Base58(), "lastValidBlockHeight": tx.LastValidBlockHeight}
}
