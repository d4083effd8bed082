package txwire

// Version is a transaction's format.
type Version int8

// The formats.
const (
	Legacy Version = -1
	V0     Version = 0
	V1     Version = 1
)

// The sizes of the largest transactions, in bytes, and of the longest texts.
// Base58 is quadratic to decode, so its length is checked first.
const (
	MaxSize       = 1232 // legacy and v0
	MaxSizeV1     = 4096
	MaxBase64Text = (MaxSizeV1 + 2) / 3 * 4
	MaxBase58Text = 5594
)

// MaxAccounts is the number of accounts that a u8 index can reach.
const MaxAccounts = 256

// Transaction is the exact bytes of one transaction and the offsets of its
// parts. Set Raw and call Parse before anything else.
type Transaction struct {
	Raw []byte
	Layout
}

// Layout is the result of Parse. Counts are as the bytes state them, offsets have
// been checked against the length.
type Layout struct {
	Version          Version
	Required         uint8 // signatures
	ReadonlySigned   uint8
	ReadonlyUnsigned uint8
	KeyCount         int // static keys
	LoadedWritable   int // accounts that lookup tables add
	LoadedReadonly   int
	InstructionCount int
	LookupCount      int
	Config           Config

	signatures   int // first signature
	message      int // first byte that is signed
	messageEnd   int
	keys         int
	blockhash    int
	instructions int // first instruction; in v1 the first instruction's header
	payloads     int // v1: first instruction's accounts and data
	lookups      int
}

// Config is the configuration of a v1 transaction.
type Config struct {
	PriorityFeeLamports   uint64
	ComputeUnitLimit      uint32 // 0 if absent
	LoadedAccountsDataMax uint32 // 0 if absent
	HeapBytes             uint32 // DefaultHeap if absent
}

// DefaultHeap is a v1 transaction's heap without a config value, in bytes.
const DefaultHeap = 32 * 1024
