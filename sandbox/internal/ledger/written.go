package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Written lists the accounts that a transaction stored: all that it may write to. Of one
// that failed these are its payer and its nonce.
func (r *Receipt) Written() (keys []solana.PublicKey) {
	static := len(r.Tx.Keys)
	for i, key := range r.Keys {
		writable := i < static && r.Tx.writable(i) || i >= static && i < static+r.Loaded[0]
		if writable && (r.Err == nil || i == 0 || i == r.Tx.nonceIndex()) {
			keys = append(keys, key)
		}
	}
	return keys
}

// nonceIndex is which key is the nonce account that the transaction advances first, 0 if
// it advances none.
func (tx *Transaction) nonceIndex() int {
	if len(tx.Instructions) == 0 {
		return 0
	}
	in := tx.Instructions[0]
	advances := tx.Keys[in.Program] == solana.SystemProgramID && len(in.Data) >= 4 &&
		binary.LittleEndian.Uint32(in.Data) == 4 && len(in.Accounts) > 0
	if !advances {
		return 0
	}
	return in.Accounts[0]
}
