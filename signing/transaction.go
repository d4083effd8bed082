package signing

import (
	"context"
	"iter"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
)

// Version is a transaction's format.
type Version int8

// The formats.
const (
	Legacy Version = -1
	V0     Version = 0
	V1     Version = 1
)

// String is "legacy", "v0" or "v1".
func (v Version) String() string {
	switch v {
	case Legacy:
		return "legacy"
	case V0:
		return "v0"
	case V1:
		return "v1"
	}
	return "unknown"
}

// Transaction is the exact bytes of one transaction and the offsets of its
// parts. Decode and DecodeBytes make it; only signing changes it, and only
// in the signer's slot. It is not safe for concurrent use.
//
// The accessors return copies.
type Transaction struct {
	wire txwire.Transaction
	text string // the base64 that it was decoded from; "" if it was not
}

// Config is the configuration of a v1 transaction, which replaces the
// compute-budget instructions.
type Config struct {
	PriorityFeeLamports   walletfi.Amount `json:"priorityFeeLamports"`   // in all, not per unit
	ComputeUnitLimit      uint32          `json:"computeUnitLimit"`      // 0 if absent
	LoadedAccountsDataMax uint32          `json:"loadedAccountsDataMax"` // bytes, 0 if absent
	HeapBytes             uint32          `json:"heapBytes"`             // 32,768 if absent
}

// Version returns the format.
func (t *Transaction) Version() Version { return Version(t.wire.Version) }

// Len returns the size in bytes.
func (t *Transaction) Len() int { return len(t.wire.Raw) }

// Bytes returns a copy of the whole transaction.
func (t *Transaction) Bytes() []byte { return append([]byte(nil), t.wire.Raw...) }

// Message returns a copy of the bytes that are signed.
func (t *Transaction) Message() []byte { return append([]byte(nil), t.wire.Message()...) }

// Blockhash returns the recent blockhash, or a durable nonce's value.
func (t *Transaction) Blockhash() PublicKey { return PublicKey(*t.wire.Blockhash()) }

// FeePayer returns the first account.
func (t *Transaction) FeePayer() PublicKey { return PublicKey(*t.wire.Key(0)) }

// Config returns the configuration of a v1 transaction; ok is false for the
// other formats.
func (t *Transaction) Config() (c Config, ok bool) {
	from := t.wire.Config
	c = Config{
		PriorityFeeLamports: walletfi.Amount(from.PriorityFeeLamports), ComputeUnitLimit: from.ComputeUnitLimit,
		LoadedAccountsDataMax: from.LoadedAccountsDataMax, HeapBytes: from.HeapBytes,
	}
	return c, t.wire.Version == txwire.V1
}

// Signers returns the accounts whose signatures are required, the fee payer
// first.
func (t *Transaction) Signers() []PublicKey { return t.firstKeys(t.wire.Signers()) }

// AccountKeys returns the static account keys, without those that lookup
// tables add.
func (t *Transaction) AccountKeys() []PublicKey { return t.firstKeys(t.wire.KeyCount) }

// AllAccounts returns all accounts, in the order of their indexes, with those that lookup tables
// add: the writable ones of every table, then the read-only ones. Without a table that the
// transaction names, the error is ErrUnknown.
func (t *Transaction) AllAccounts(ctx context.Context, r Resolver) ([]PublicKey, error) {
	loaded, err := resolve(ctx, r, t)
	if err == nil && len(loaded) != t.wire.LoadedWritable+t.wire.LoadedReadonly {
		err = ErrUnknown
	}
	return append(t.AccountKeys(), keysOf[PublicKey](loaded)...), err
}

func (t *Transaction) firstKeys(n int) []PublicKey {
	keys := make([]PublicKey, 0, n)
	for i := range n {
		keys = append(keys, PublicKey(*t.wire.Key(i)))
	}
	return keys
}

// Signatures returns the slots in the order of Signers; an empty slot is zero.
func (t *Transaction) Signatures() []Signature {
	all := make([]Signature, t.wire.Required)
	for i := range all {
		all[i] = Signature(*t.wire.Slot(i))
	}
	return all
}

// Signature returns the first signature, by which the ledger knows the
// transaction. It is zero until the fee payer has signed.
func (t *Transaction) Signature() Signature { return Signature(*t.wire.Slot(0)) }

// Lookup is one address lookup table of a v0 transaction.
type Lookup struct {
	Table    PublicKey
	Writable []uint8 // indexes into the table
	Readonly []uint8
}

// Lookups returns the lookup tables of a v0 transaction.
func (t *Transaction) Lookups() []Lookup {
	all := make([]Lookup, 0, t.wire.LookupCount)
	for c := t.wire.Lookups(); c.Next(); {
		all = append(all, Lookup{
			PublicKey(*c.Table), append([]uint8(nil), c.Writable...), append([]uint8(nil), c.Readonly...),
		})
	}
	return all
}

// Instruction is one instruction of a transaction.
type Instruction struct {
	Program  PublicKey
	Accounts []uint8 // indexes into the static keys, then into what the tables load: all writable, then all read-only
	Data     []byte
}

// at is the account of an instruction at an index, nil if only a lookup table names it.
func (t *Transaction) at(ins Instruction, i int) *PublicKey {
	if i >= len(ins.Accounts) {
		return nil
	}
	return (*PublicKey)(t.wire.Key(int(ins.Accounts[i])))
}

// Instructions iterates over the instructions in order.
func (t *Transaction) Instructions() iter.Seq2[int, Instruction] {
	return func(yield func(int, Instruction) bool) {
		i := 0
		for c := t.wire.Instructions(); c.Next(); i++ {
			ins := Instruction{Accounts: append([]uint8(nil), c.Accounts...), Data: append([]byte(nil), c.Data...)}
			if k := t.wire.Key(int(c.Program)); k != nil {
				ins.Program = PublicKey(*k)
			}
			if !yield(i, ins) {
				return
			}
		}
	}
}
