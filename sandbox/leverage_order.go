package sandbox

import (
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// leverageUnitLimit is what a transaction of the service may use.
const leverageUnitLimit = 200_000

// leverageSum is an amount of a token.
type leverageSum struct {
	token  Token
	amount uint64
}

// leverageOrder is what one transaction does.
type leverageOrder struct {
	owner    solana.PublicKey
	pays     []leverageSum // to the market
	receives []leverageSum
	tip      uint64 // lamports, to the relay
	// check may refuse at execution.
	check func() *ledger.InstructionError
	// payout is what the first of receives comes to at execution. Nil leaves
	// what was reckoned when the transaction was built.
	payout func() uint64
	// apply changes the books.
	apply func(r *ledger.Receipt)

	applied bool
}

// place builds the transaction of an order.
func (l *leverage) place(order leverageOrder) (built, error) {
	o := &order
	instructions, unwrap := l.prepare(o)
	instructions = append(instructions, l.program(o))
	if unwrap {
		instructions = append(instructions, l.unwrapSOL(o.owner))
	}
	if o.tip > 0 {
		instructions = append(instructions, system.NewTransferInstruction(o.tip, o.owner, l.tipAccount()).Build())
	}
	return l.build(Leverage, unsigned{
		owner: o.owner, unitLimit: leverageUnitLimit, instructions: instructions, tables: []solana.PublicKey{l.leverageTable()},
	})
}

// prepare wraps the SOL that is paid and makes the accounts that receive.
func (l *leverage) prepare(o *leverageOrder) (instructions []solana.Instruction, unwrap bool) {
	for _, sum := range o.pays {
		if sum.token.key == solana.WrappedSol {
			instructions, unwrap = append(instructions, l.wrapSOL(o.owner, sum.amount)...), true
		}
	}
	for _, sum := range o.receives {
		native := sum.token.key == solana.WrappedSol
		if !native || !unwrap {
			instructions = append(instructions, createAccount(o.owner, o.owner, sum.token))
		}
		unwrap = unwrap || native
	}
	return instructions, unwrap
}

// program is the instruction of the market's program.
func (l *leverage) program(o *leverageOrder) solana.Instruction {
	vault := l.vault(Leverage)
	var moves []move
	for _, sum := range o.pays {
		moves = append(moves, move{o.owner, vault, sum.token, sum.amount})
	}
	first := len(moves)
	for _, sum := range o.receives {
		moves = append(moves, move{vault, o.owner, sum.token, sum.amount})
	}
	in := l.instruct(Leverage, effect{
		owner: o.owner, moves: moves,
		check: func() *ledger.InstructionError {
			if o.applied {
				return ledger.Custom(6000)
			}
			if err := o.check(); err != nil {
				return err
			}
			if o.payout != nil { // the program pays what it is worth at that moment
				moves[first].amount = o.payout()
			}
			return nil
		},
		done: func(r *ledger.Receipt) { o.carryOut(r) },
	})
	if data, err := in.Data(); err == nil {
		l.orders[binary.LittleEndian.Uint64(data[8:])] = o
	}
	return in
}

// carryOut changes the books, once.
func (o *leverageOrder) carryOut(r *ledger.Receipt) {
	if !o.applied {
		o.applied = true
		o.apply(r)
	}
}

// ordersOf are the orders that a transaction carries out.
func (l *leverage) ordersOf(tx *ledger.Transaction) (found []*leverageOrder) {
	for _, in := range tx.Instructions {
		if tx.Keys[in.Program] == l.chain.programs[Leverage] && len(in.Data) == 16 {
			if o, ok := l.orders[binary.LittleEndian.Uint64(in.Data[8:])]; ok {
				found = append(found, o)
			}
		}
	}
	return found
}

// affords refuses to build what the wallet cannot pay.
func (l *leverage) affords(owner solana.PublicKey, sums ...leverageSum) error {
	for _, sum := range sums {
		held := l.holding(owner, sum.token)
		if sum.token.key == solana.WrappedSol {
			held = l.chain.Balance(owner)
		}
		if held < sum.amount {
			return leverageBad("the wallet holds %d of %s, %d are needed", held, sum.token.Symbol, sum.amount)
		}
	}
	return nil
}

// leverageTable is the lookup table of the market: the vault's accounts and
// the mints.
func (l *leverage) leverageTable() solana.PublicKey {
	vault := l.vault(Leverage)
	keys := []solana.PublicKey{vault}
	for _, t := range l.chain.tokens {
		if l.deals(t) && !slices.Contains(keys, t.key) {
			keys = append(keys, t.key, t.account(vault))
		}
	}
	return l.lookupTable("leverage", keys...)
}

// leverageBuilt is the answer of all builders but one.
type leverageBuilt struct {
	Transaction          string `json:"transaction"`
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
}

// answer builds an order's transaction and answers it.
func (l *leverage) answer(o leverageOrder) (*leverageBuilt, error) {
	tx, err := l.place(o)
	if err != nil {
		return nil, err
	}
	return &leverageBuilt{tx.base58(), tx.LastValidBlockHeight}, nil
}
