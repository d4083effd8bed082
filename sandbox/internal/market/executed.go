package market

import "github.com/gagliardetto/solana-go"

// Execution is a trade of one pool by a transaction that was executed.
type Execution struct {
	Leg
	Signature solana.Signature
	Wallet    solana.PublicKey // that paid
	Slot      uint64
	Second    int64 // Unix
}

// OnExecution makes the book call told for every executed trade of a pool, with
// the lock held.
func (b *Book) OnExecution(told func(Execution)) { b.told = append(b.told, told) }

// Report reports the legs that a wallet's transaction executed.
func (b *Book) Report(legs []Leg, signature solana.Signature, wallet solana.PublicKey) {
	for _, l := range legs {
		for _, told := range b.told {
			told(Execution{Leg: l, Signature: signature, Wallet: wallet, Slot: b.CurrentSlot(), Second: b.Now().Unix()})
		}
	}
}
