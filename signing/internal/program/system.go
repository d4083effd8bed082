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
	return m, false
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
		if a.Base, a.Seed, at, ok = readSeed(c.Data, ok); !ok {
			return a, false
		}
	}
	if !ok || len(c.Data) < at+8+8+32 {
		return a, false
	}
	a.Lamports, a.Space = binary.LittleEndian.Uint64(c.Data[at:]), binary.LittleEndian.Uint64(c.Data[at+8:])
	a.Owner = Key(c.Data[at+16 : at+48])
	return a, true
}

// readSeed reads base and seed, and returns the offset of the next field.
func readSeed(data []byte, soFar bool) (base Key, seed string, at int, ok bool) {
	if !soFar || len(data) < 4+32+8 {
		return base, "", 0, false
	}
	length := binary.LittleEndian.Uint64(data[36:])
	if length > maxSeed || len(data) < 44+int(length) {
		return base, "", 0, false
	}
	return Key(data[4:36]), string(data[44 : 44+length]), 44 + int(length), true
}
