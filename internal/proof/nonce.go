package proof

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// advanceNonce is the system program's instruction that gives a nonce its next value. The
// program's address is all zeros.
const advanceNonce = 4

// NonceAccount returns the account of the durable nonce that a transaction, read by
// txwire or package signing, uses: the one that its first instruction advances. The value
// does not name it, as accounts that are advanced in one block hold the same value. If the
// transaction is in a block, it has advanced the account, also if it failed.
func NonceAccount(raw []byte) (account txwire.Key, ok bool) {
	tx := txwire.Transaction{Raw: raw}
	if tx.Parse() != nil {
		return account, false
	}
	first := tx.Instructions()
	if !first.Next() || len(first.Data) < 4 || binary.LittleEndian.Uint32(first.Data) != advanceNonce ||
		len(first.Accounts) == 0 {
		return account, false
	}
	program, key := tx.Key(int(first.Program)), tx.Key(int(first.Accounts[0]))
	if program == nil || *program != (txwire.Key{}) || key == nil {
		return account, false
	}
	return *key, true
}
