package program

import "encoding/binary"

// The System program's instructions, by their u32 tag.
const (
	CreateAccount         = 0
	Assign                = 1
	Transfer              = 2
	CreateAccountWithSeed = 3
	AdvanceNonce          = 4
	WithdrawNonce         = 5
	InitializeNonce       = 6
	AuthorizeNonce        = 7
	Allocate              = 8
	AllocateWithSeed      = 9
	AssignWithSeed        = 10
	TransferWithSeed      = 11
	UpgradeNonce          = 12
	CreateAllowPrefund    = 13
)

// maxSeed is the longest seed of a derived address.
const maxSeed = 32

// SystemTag returns the tag, -1 if the data is too short. The program ignores
// bytes after the last field, and so do the readers.
func (c *Call) SystemTag() int64 {
	if len(c.Data) < 4 {
		return -1
	}
	return int64(binary.LittleEndian.Uint32(c.Data))
}

// SystemMove is a transfer of lamports.
type SystemMove struct {
	From, To *Key
	By       *Key // who signs for it: the source, or the base of a derived source
	Lamports uint64
}

// ReadSystemMove reads a transfer of either kind.
func (c *Call) ReadSystemMove() (m SystemMove, ok bool) {
	lamports, whole := c.U64(4)
	switch c.SystemTag() {
	case Transfer:
		return SystemMove{From: c.At(0), By: c.At(0), To: c.At(1), Lamports: lamports}, whole && c.Count() >= 2
	case TransferWithSeed:
		return SystemMove{From: c.At(0), By: c.At(1), To: c.At(2), Lamports: lamports}, whole && c.Count() >= 3
	}
	return SystemMove{}, false
}

// Creation is the creation of an account, of any of the three kinds.
type Creation struct {
	Payer, Account *Key
	Base           Key // of a derived address
	Seed           string
	WithSeed       bool
	Lamports       uint64
	Space          uint64
	Owner          Key // program
}

// ReadCreation reads a creation.
func (c *Call) ReadCreation() (a Creation, ok bool) {
	at := 4
	switch c.SystemTag() {
	case CreateAccount:
		a.Payer, a.Account = c.At(0), c.At(1)
		ok = c.Count() >= 2
	case CreateAllowPrefund:
		a.Account, a.Payer = c.At(0), c.At(1)
		ok = c.Count() >= 1
	case CreateAccountWithSeed:
		a.Payer, a.Account, a.WithSeed = c.At(0), c.At(1), true
		ok = c.Count() >= 2
		a.Base, a.Seed, at = readSeed(c.Data)
	}
	if !ok || len(c.Data) < at+8+8+32 {
		return Creation{}, false
	}
	a.Lamports, a.Space = binary.LittleEndian.Uint64(c.Data[at:]), binary.LittleEndian.Uint64(c.Data[at+8:])
	a.Owner = Key(c.Data[at+16:])
	return a, true
}

// readSeed reads base and seed, and returns the offset of the next field: the
// data's end if there is none.
func readSeed(data []byte) (base Key, seed string, next int) {
	const at = 4 + 32 + 8
	if len(data) < at+8+8+32 {
		return Key{}, "", len(data)
	}
	length := binary.LittleEndian.Uint64(data[at-8:])
	if length > maxSeed {
		return Key{}, "", len(data)
	}
	next = at + int(length)
	return Key(data[4:]), string(data[at:next]), next
}
