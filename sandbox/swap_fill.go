package sandbox

import (
	"crypto/ed25519"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// swapOrder is an order that a transaction opens and the service's keeper
// fills: pending while it is not confirmed, open, pendingClose once it is
// filled, closed. One that cannot be filled at its price fails, and what is
// left of its input goes back.
type swapOrder struct {
	*swap
	id       string
	owner    solana.PublicKey
	from, to Token
	in       uint64
	least    uint64 // for the whole input
	// price is what a part of the input brings at present, and what books it.
	price func(part uint64) (out uint64, book func())

	status       string
	filled, paid uint64
	fills        []swapFill
	reverts      []swapReverted
}

// swapReverted is an attempt to fill that failed.
type swapReverted struct {
	signature, reason string
	at                int64
}

const (
	swapFillPause  = time.Second // between an order's steps
	swapMostRevert = 3           // attempts that may fail
	swapFirstFill  = 60          // percent of the input
)

// opening is the instruction that pays the input into the service's vault and
// opens the order. SOL comes as lamports.
func (o *swapOrder) opening() solana.Instruction {
	return o.instruct(Swap, effect{
		owner: o.owner, moves: []move{{o.owner, o.vault(Swap), swapPaid(o.from), o.in}},
		done: o.opened,
	})
}

// swapPaid is how a token is paid: SOL in lamports.
func swapPaid(t Token) Token {
	if t.key == solana.WrappedSol {
		return Token{}
	}
	return t
}

func (o *swapOrder) opened(r *ledger.Receipt) {
	o.orders[r.Signature.String()] = o
	o.status = swapOpen // told as pending while the transaction is not confirmed
	settles := time.Duration(o.lag("confirmed")) * o.config.SlotTime
	o.after(settles+swapFillPause, func() { o.fill(poolShare(o.in, swapFirstFill, 100)) })
}

// fill pays for a part of the input, and plans the next step.
func (o *swapOrder) fill(part uint64) {
	if part == 0 {
		part = o.in - o.filled
	}
	out, book := o.price(part)
	if out == 0 || out < poolShare(o.least, part, o.in) {
		o.revert("price below the order's", "")
		return
	}
	book()
	signature, err := o.pay(o.to, out)
	if err != nil {
		o.revert(err.Error(), signature)
		return
	}
	o.filled, o.paid = o.filled+part, o.paid+out-o.book.tax(o.to, out)
	o.fills = append(o.fills, swapFill{signature, swapText(part), swapText(out - o.book.tax(o.to, out)), o.now().Unix()})
	if o.filled < o.in {
		o.after(swapFillPause, func() { o.fill(o.in - o.filled) })
		return
	}
	o.status = swapPendingClose
	o.after(swapFillPause, func() { o.status = swapClosed })
}

// revert notes a failed attempt. After the last one the order has failed and
// what is left of the input is paid back.
func (o *swapOrder) revert(reason, signature string) {
	o.reverts = append(o.reverts, swapReverted{signature, reason, o.now().Unix()})
	if len(o.reverts) < swapMostRevert {
		o.after(swapFillPause, func() { o.fill(o.in - o.filled) })
		return
	}
	o.status = swapFailed
	o.pay(o.from, o.in-o.filled)
}

// pay sends from the vault to the owner, in a transaction of the keeper's.
func (o *swapOrder) pay(t Token, amount uint64) (signature string, err error) {
	keeper := o.keypair("swap keeper")
	who := publicKey(keeper)
	if o.chain.Balance(who) < lamportsPerSOL {
		o.chain.Airdrop(who, lamportsPerSOL)
	}
	var instructions []solana.Instruction
	if t.key != solana.WrappedSol {
		instructions = append(instructions, createAccount(who, o.owner, t))
	}
	instructions = append(instructions, o.instruct(Swap, effect{
		owner: who, moves: []move{{o.vault(Swap), o.owner, swapPaid(t), amount}},
	}))
	hash, _ := o.chain.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(who))
	if err != nil {
		return "", err
	}
	raw, err := o.encode(tx, []ed25519.PrivateKey{keeper})
	if err != nil {
		return "", err
	}
	receipt, err := o.submit(raw)
	if err != nil {
		return "", err
	}
	if receipt.Err != nil {
		return receipt.Signature.String(), receipt.Err
	}
	return receipt.Signature.String(), nil
}
