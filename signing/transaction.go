package signing

import "iter"

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

// Transaction is the exact bytes of one transaction, and where its parts lie
// in them. Decode and DecodeBytes make it; only signing changes it, and only
// in the signer's slot. It is not safe for concurrent use.
//
// What the accessors return are copies.
type Transaction struct {
	raw []byte
	layout
}

// layout is what the walk found, as offsets into the bytes. All of them have
// been checked against the length.
type layout struct {
	version          Version
	required         uint8 // signatures
	readonlySigned   uint8
	readonlyUnsigned uint8
	keyCount         int
	loadedWritable   int // accounts that lookup tables add
	loadedReadonly   int
	instructionCount int
	lookupCount      int

	signatures   int // first signature
	message      int // first byte that is signed
	messageEnd   int
	keys         int
	blockhash    int
	instructions int // first instruction; in v1 the first instruction's header
	payloads     int // v1: first instruction's accounts and data
	lookups      int

	config Config
}

// Config is what a v1 transaction says of itself in place of compute-budget
// instructions.
type Config struct {
	PriorityFeeLamports   uint64 `json:"priorityFeeLamports"`   // in all, not a unit
	ComputeUnitLimit      uint32 `json:"computeUnitLimit"`      // 0 where absent
	LoadedAccountsDataMax uint32 `json:"loadedAccountsDataMax"` // bytes, 0 where absent
	HeapBytes             uint32 `json:"heapBytes"`             // 32,768 where absent
}

// Version returns the format.
func (t *Transaction) Version() Version { return t.version }

// Len returns the size in bytes.
func (t *Transaction) Len() int { return len(t.raw) }

// Bytes returns a copy of the whole transaction.
func (t *Transaction) Bytes() []byte { return append([]byte(nil), t.raw...) }

// Message returns a copy of the bytes that are signed.
func (t *Transaction) Message() []byte { return append([]byte(nil), t.messageView()...) }

// Blockhash returns the recent blockhash, or a durable nonce's value.
func (t *Transaction) Blockhash() PublicKey { return PublicKey(t.raw[t.blockhash : t.blockhash+32]) }

// FeePayer returns the first account.
func (t *Transaction) FeePayer() PublicKey { return *t.key(0) }

// Config returns the configuration of a v1 transaction; ok is false for the
// other formats.
func (t *Transaction) Config() (c Config, ok bool) { return t.config, t.version == V1 }

// Signers returns the accounts whose signatures are required, the fee payer
// first.
func (t *Transaction) Signers() []PublicKey { return t.keyRange(0, int(t.required)) }

// AccountKeys returns the static account keys. What lookup tables add is not
// among them.
func (t *Transaction) AccountKeys() []PublicKey { return t.keyRange(0, t.keyCount) }

func (t *Transaction) keyRange(from, to int) []PublicKey {
	to = min(to, t.keyCount)
	keys := make([]PublicKey, 0, to-from)
	for i := from; i < to; i++ {
		keys = append(keys, *t.key(i))
	}
	return keys
}

// Signatures returns the slots in the order of Signers; an empty one is zero.
func (t *Transaction) Signatures() []Signature {
	all := make([]Signature, t.required)
	for i := range all {
		all[i] = *t.slot(i)
	}
	return all
}

// Signature returns the first signature, by which the ledger knows the
// transaction. It is zero until the fee payer has signed.
func (t *Transaction) Signature() Signature { return *t.slot(0) }

// Lookup is one address lookup table of a v0 transaction.
type Lookup struct {
	Table    PublicKey
	Writable []uint8 // indexes into the table
	Readonly []uint8
}

// Lookups returns the lookup tables, none where the format is not v0.
func (t *Transaction) Lookups() []Lookup {
	all := make([]Lookup, 0, t.lookupCount)
	for c := t.lookupCursor(); c.next(); {
		all = append(all, Lookup{*c.table, append([]uint8(nil), c.writable...), append([]uint8(nil), c.readonly...)})
	}
	return all
}

// Instruction is one instruction of a transaction.
type Instruction struct {
	Program  PublicKey
	Accounts []uint8 // indexes into the static keys, then into what the tables load: all writable, then all read-only
	Data     []byte
}

// Instructions iterates over the instructions in order.
func (t *Transaction) Instructions() iter.Seq2[int, Instruction] {
	return func(yield func(int, Instruction) bool) {
		i := 0
		for c := t.instructionCursor(); c.next(); i++ {
			ins := Instruction{Accounts: append([]uint8(nil), c.accounts...), Data: append([]byte(nil), c.data...)}
			if k := t.key(int(c.program)); k != nil {
				ins.Program = *k
			}
			if !yield(i, ins) {
				return
			}
		}
	}
}
