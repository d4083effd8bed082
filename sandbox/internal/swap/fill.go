package swap

import (
	"crypto/ed25519"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// order is an order that a transaction opens and the service's keeper fills.
// Its states are pending until the transaction is confirmed, open, pendingClose
// once it is filled, and closed. An order that cannot be filled at its price
// fails, and the rest of its input is paid back.
type order struct {
	*Service
	id       string
	owner    solana.PublicKey
	from, to build.Token
	in       uint64
	least    uint64 // for the whole input
	filler   filler

	status       string
	filled, paid uint64
	fills        []fill
	reverts      []reverted
}

// filler fills an order.
type filler interface {
	// price returns what a part of the input buys now, and the function that
	// books it.
	price(part uint64) (out uint64, f filling)
}

// step is when the next part of an order is filled, or the order is closed.
type step struct {
	o    *order
	part uint64 // 0 for the rest
}

var _ = snapshot.Keep(step{}, opening{}, overPools{}, overBook{}, making{})

// Happen takes the step.
func (s step) Happen() {
	if s.o.status == pendingClose {
		s.o.status = closed
		return
	}
	s.o.fill(s.part)
}

// opening opens an order.
type opening struct{ o *order }

// Done implements build.Doer.
func (x opening) Done(r *ledger.Receipt) { x.o.opened(r) }

// reverted is an attempt to fill that failed.
type reverted struct {
	signature, reason string
	at                int64
}

const (
	fillPause  = time.Second // between an order's steps
	mostRevert = 3           // attempts that may fail
	firstFill  = 60          // percent of the input
)

// opening is the instruction that pays the input into the service's vault and
// opens the order. SOL comes as lamports.
func (o *order) opening() solana.Instruction {
	return o.Instruct(play.Swap, build.Effect{
		Owner: o.owner, Moves: []build.Move{{From: o.owner, To: o.Vault(play.Swap), Token: paid(o.from), Amount: o.in}},
		Work: opening{o},
	})
}

// paid is how a token is paid: SOL in lamports.
func paid(t build.Token) build.Token {
	if t.Key == solana.WrappedSol {
		return build.Token{}
	}
	return t
}

func (o *order) opened(r *ledger.Receipt) {
	o.orders.Put(r.Signature.String(), o)
	o.status = open // reported as pending while the transaction is not confirmed
	settles := time.Duration(o.Lag("confirmed")) * o.Config.SlotTime
	o.After(settles+fillPause, step{o, market.Share(o.in, firstFill, 100)})
}

// filling is how a part of an order is filled.
type filling struct {
	book func()       // changes the books
	legs []market.Leg // over pools, none if a market's book fills it
}

// fill pays for a part of the input, and plans the next step.
func (o *order) fill(part uint64) {
	if part == 0 {
		part = o.in - o.filled
	}
	out, f := o.filler.price(part)
	if out == 0 || out < market.Share(o.least, part, o.in) {
		o.revert("price below the order's", "")
		return
	}
	f.book()
	signature, err := o.pay(o.to, out)
	if err != nil {
		o.revert(err.Error(), signature)
		return
	}
	o.book.Report(f.legs, solana.MustSignatureFromBase58(signature), o.owner)
	o.filled, o.paid = o.filled+part, o.paid+out-o.book.Tax(o.to, out)
	o.fills = append(o.fills, fill{signature, text(part), text(out - o.book.Tax(o.to, out)), o.Now().Unix()})
	if o.filled < o.in {
		o.After(fillPause, step{o, 0})
		return
	}
	o.status = pendingClose
	o.After(fillPause, step{o, 0})
}

// revert notes a failed attempt. After the last one the order has failed and
// what is left of the input is paid back.
func (o *order) revert(reason, signature string) {
	o.reverts = append(o.reverts, reverted{signature, reason, o.Now().Unix()})
	if len(o.reverts) < mostRevert {
		o.After(fillPause, step{o, 0})
		return
	}
	o.status = failed
	o.pay(o.from, o.in-o.filled)
}

// pay sends from the vault to the owner, in a transaction of the keeper's.
func (o *order) pay(t build.Token, amount uint64) (signature string, err error) {
	keeper := o.Keypair("swap keeper")
	who := build.PublicKey(keeper)
	if o.Chain.Balance(who) < build.LamportsPerSOL {
		o.Chain.Airdrop(who, build.LamportsPerSOL)
	}
	var instructions []solana.Instruction
	if t.Key != solana.WrappedSol {
		instructions = append(instructions, build.CreateAccount(who, o.owner, t))
	}
	instructions = append(instructions, o.Instruct(play.Swap, build.Effect{
		Owner: who, Moves: []build.Move{{From: o.Vault(play.Swap), To: o.owner, Token: paid(t), Amount: amount}},
	}))
	hash, _ := o.Chain.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(who))
	if err != nil {
		return "", err
	}
	raw, err := o.Encode(tx, []ed25519.PrivateKey{keeper})
	if err != nil {
		return "", err
	}
	receipt, err := o.Submit(raw)
	if err != nil {
		return "", err
	}
	if receipt.Err != nil {
		return receipt.Signature.String(), receipt.Err
	}
	return receipt.Signature.String(), nil
}
