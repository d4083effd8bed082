package ledger

import "github.com/gagliardetto/solana-go"

// Bid is a transaction's offer for its room in a block.
type Bid struct {
	Price    uint64 // micro-lamports per compute unit
	Units    uint64 // its compute limit
	Writable []solana.PublicKey
	Fee      uint64 // lamports, with that of the signatures
}

// Bid reads the signature of a transaction and what it offers. The error says why no
// leader can read that.
func (l *Ledger) Bid(raw []byte) (solana.Signature, Bid, error) {
	tx, err := Parse(raw)
	if err != nil {
		return solana.Signature{}, Bid{}, err
	}
	e := &execution{Ledger: l, tx: tx}
	if err := e.load(); err != nil {
		return tx.Signatures[0], Bid{}, err
	}
	if err := e.readBudget(); err != nil {
		return tx.Signatures[0], Bid{}, err
	}
	return tx.Signatures[0], e.bid(), nil
}

// bid is the transaction's offer. Of a v1 transaction, which names a fee in all, the
// price follows.
func (e *execution) bid() Bid {
	b := Bid{Price: e.price, Units: e.limit, Fee: e.fee}
	for _, m := range e.metas {
		if m.Writable {
			b.Writable = append(b.Writable, m.Key)
		}
	}
	return b
}
