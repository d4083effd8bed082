package ledger

import (
	"encoding/binary"
	"math"

	"github.com/gagliardetto/solana-go"
)

// tableHeader is the length of what comes before a lookup table's addresses.
const tableHeader = 56

// PutTable writes a lookup table, active from the beginning and frozen.
func (l *Ledger) PutTable(key solana.PublicKey, keys []solana.PublicKey) {
	data := make([]byte, tableHeader, tableHeader+32*len(keys))
	binary.LittleEndian.PutUint32(data, 1)
	binary.LittleEndian.PutUint64(data[4:], math.MaxUint64) // never deactivated
	for _, k := range keys {
		data = append(data, k[:]...)
	}
	l.Put(key, Account{Lamports: Rent(len(data)), Owner: solana.AddressLookupTableProgramID, Data: data})
}

// TableKeys reads the addresses of a lookup table.
func TableKeys(data []byte) []solana.PublicKey {
	var keys []solana.PublicKey
	for at := tableHeader; at+32 <= len(data); at += 32 {
		keys = append(keys, solana.PublicKey(data[at:at+32]))
	}
	return keys
}
