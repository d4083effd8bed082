package program

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// Key is an account's address.
type Key = txwire.Key

// Accounts are the accounts of a transaction by index: its static keys, then
// what its lookup tables load.
type Accounts struct {
	Tx     *txwire.Transaction
	Loaded []Key // nil if the tables are not resolved
}

// Key returns the account of an index, nil if it is in a lookup table that
// was not resolved.
func (a *Accounts) Key(i int) *Key {
	if i < a.Tx.KeyCount {
		return a.Tx.Key(i)
	}
	if i -= a.Tx.KeyCount; i < len(a.Loaded) {
		return &a.Loaded[i]
	}
	return nil
}

// Call is one call of a program.
type Call struct {
	Program Key
	Known   *Known
	Data    []byte
	Indexes []byte    // accounts of a transaction's own instruction, in Of
	Of      *Accounts // nil in a simulated call
	Keys    []Key     // accounts of a simulated call
}

// At returns account i, nil if the call has no such account or it is unknown.
func (c *Call) At(i int) *Key {
	if c.Of == nil {
		if i >= len(c.Keys) {
			return nil
		}
		return &c.Keys[i]
	}
	if i >= len(c.Indexes) {
		return nil
	}
	return c.Of.Key(int(c.Indexes[i]))
}

// Count returns the number of accounts.
func (c *Call) Count() int {
	if c.Of == nil {
		return len(c.Keys)
	}
	return len(c.Indexes)
}

// Writes reports whether account i may be written. A simulated call passes on
// no more than the transaction's own does.
func (c *Call) Writes(i int) bool {
	return c.Of != nil && c.Of.Tx.Writable(int(c.Indexes[i]))
}

// Signs reports whether account i signs the transaction. It is false in a
// simulated call, of which that is not known.
func (c *Call) Signs(i int) bool {
	return c.Of != nil && int(c.Indexes[i]) < c.Of.Tx.Signers()
}

// Tag returns the first byte of the data, 0 without data.
func (c *Call) Tag() uint8 {
	if len(c.Data) == 0 {
		return 0
	}
	return c.Data[0]
}

// Sub returns the call of a batch's part: n accounts from first on, with data.
func (c *Call) Sub(first, n int, data []byte) Call {
	part := *c
	part.Data = data
	if c.Of == nil {
		part.Keys = c.Keys[first : first+n]
	} else {
		part.Indexes = c.Indexes[first : first+n]
	}
	return part
}

// U64 reads the number at an offset of the data; ok is false if the data ends
// before.
func (c *Call) U64(at int) (n uint64, ok bool) {
	if len(c.Data) < at+8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(c.Data[at:]), true
}

// KeyAt reads the key at an offset of the data.
func (c *Call) KeyAt(at int) (k Key, ok bool) {
	if len(c.Data) < at+32 {
		return Key{}, false
	}
	return Key(c.Data[at:]), true
}
