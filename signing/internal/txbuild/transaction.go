package txbuild

import (
	"crypto/ed25519"
	"encoding/binary"
	"slices"
)

// Key is an address.
type Key = [32]byte

// Format is a transaction's format.
type Format int

// The formats.
const (
	Legacy Format = iota
	V0
	V1
)

// Formats is all of them.
var Formats = []Format{Legacy, V0, V1}

// String names the format.
func (f Format) String() string { return [...]string{"legacy", "v0", "v1"}[f] }

// Account is an account that an instruction names.
type Account struct {
	Key      Key
	Signer   bool
	Writable bool
}

// Signer is an account that signs and is not written.
func Signer(k Key) Account { return Account{k, true, false} }

// Writable is an account that is written and does not sign.
func Writable(k Key) Account { return Account{k, false, true} }

// WritableSigner is an account that signs and is written.
func WritableSigner(k Key) Account { return Account{k, true, true} }

// Readonly is an account that neither signs nor is written.
func Readonly(k Key) Account { return Account{k, false, false} }

// Instruction is one instruction.
type Instruction struct {
	Program  Key
	Accounts []Account
	Data     []byte
}

// Table is a lookup table; accounts that it holds are loaded through it
// unless they sign or are called.
type Table struct {
	Address Key
	Holds   []Key
}

// Config is a v1 transaction's configuration; nil fields are absent.
type Config struct {
	PriorityFee *uint64
	UnitLimit   *uint32
	DataLimit   *uint32
	Heap        *uint32
}

// Transaction is the input of Bytes.
type Transaction struct {
	Format       Format
	Payer        Key
	Blockhash    Key
	Instructions []Instruction
	Tables       []Table // v0 only
	Config       Config  // v1 only
	Signers      []Key   // required in addition to those that the instructions name
}

// Bytes compiles the transaction with empty signature slots.
func (t Transaction) Bytes() []byte {
	c := t.compile()
	if t.Format == V1 {
		message := c.messageV1(t)
		return append(message, make([]byte, 64*c.required)...)
	}
	out := compact(nil, c.required)
	out = append(out, make([]byte, 64*c.required)...)
	return append(out, c.message(t)...)
}

type compiled struct {
	keys                             []Key // static, then loaded writable, then loaded read-only
	static, required                 int
	readonlySigned, readonlyUnsigned int
	loadedWritable, loadedReadonly   [][]uint8 // by table
}

func (t Transaction) compile() compiled {
	accounts := t.collect()
	rank := func(a Account) int {
		switch {
		case a.Key == t.Payer:
			return -1
		case a.Signer && a.Writable:
			return 0
		case a.Signer:
			return 1
		case a.Writable:
			return 2
		}
		return 3
	}
	called := map[Key]bool{}
	for _, ins := range t.Instructions {
		called[ins.Program] = true
	}
	loaded := func(a Account) bool {
		return t.Format == V0 && !a.Signer && !called[a.Key] && t.table(a.Key) >= 0
	}
	slices.SortStableFunc(accounts, func(a, b Account) int { return rank(a) - rank(b) })
	var c compiled
	for _, a := range accounts {
		if loaded(a) {
			continue
		}
		c.keys = append(c.keys, a.Key)
		switch {
		case a.Signer && !a.Writable:
			c.readonlySigned++
			c.required++
		case a.Signer:
			c.required++
		case !a.Writable:
			c.readonlyUnsigned++
		}
	}
	c.static = len(c.keys)
	c.load(t, accounts, loaded)
	return c
}

// load appends what comes out of the tables, the writable of all tables first.
func (c *compiled) load(t Transaction, accounts []Account, loaded func(Account) bool) {
	c.loadedWritable, c.loadedReadonly = make([][]uint8, len(t.Tables)), make([][]uint8, len(t.Tables))
	for _, writable := range []bool{true, false} {
		for i, table := range t.Tables {
			for _, a := range accounts {
				if a.Writable != writable || !loaded(a) || t.table(a.Key) != i {
					continue
				}
				at := uint8(slices.Index(table.Holds, a.Key))
				if writable {
					c.loadedWritable[i] = append(c.loadedWritable[i], at)
				} else {
					c.loadedReadonly[i] = append(c.loadedReadonly[i], at)
				}
				c.keys = append(c.keys, a.Key)
			}
		}
	}
}

// collect merges the mentions of each account.
func (t Transaction) collect() []Account {
	accounts := []Account{WritableSigner(t.Payer)}
	add := func(a Account) {
		for i := range accounts {
			if accounts[i].Key == a.Key {
				accounts[i].Signer = accounts[i].Signer || a.Signer
				accounts[i].Writable = accounts[i].Writable || a.Writable
				return
			}
		}
		accounts = append(accounts, a)
	}
	for _, k := range t.Signers {
		add(Signer(k))
	}
	for _, ins := range t.Instructions {
		for _, a := range ins.Accounts {
			add(a)
		}
		add(Readonly(ins.Program))
	}
	return accounts
}

func (t Transaction) table(k Key) int {
	return slices.IndexFunc(t.Tables, func(table Table) bool { return slices.Contains(table.Holds, k) })
}

func (c *compiled) index(k Key) uint8 { return uint8(slices.Index(c.keys, k)) }

func (c *compiled) indexes(accounts []Account) []byte {
	out := make([]byte, 0, len(accounts))
	for _, a := range accounts {
		out = append(out, c.index(a.Key))
	}
	return out
}

func (c *compiled) header() []byte {
	return []byte{uint8(c.required), uint8(c.readonlySigned), uint8(c.readonlyUnsigned)}
}

func (c *compiled) message(t Transaction) []byte {
	var b []byte
	if t.Format == V0 {
		b = append(b, 0x80)
	}
	b = append(b, c.header()...)
	b = compact(b, c.static)
	for _, k := range c.keys[:c.static] {
		b = append(b, k[:]...)
	}
	b = append(b, t.Blockhash[:]...)
	b = compact(b, len(t.Instructions))
	for _, ins := range t.Instructions {
		b = append(b, c.index(ins.Program))
		b = prefixed(b, c.indexes(ins.Accounts))
		b = prefixed(b, ins.Data)
	}
	if t.Format == V0 {
		b = c.lookups(b, t)
	}
	return b
}

func (c *compiled) lookups(b []byte, t Transaction) []byte {
	used := 0
	var body []byte
	for i, table := range t.Tables {
		if len(c.loadedWritable[i])+len(c.loadedReadonly[i]) == 0 {
			continue
		}
		used++
		body = append(body, table.Address[:]...)
		body = prefixed(body, c.loadedWritable[i])
		body = prefixed(body, c.loadedReadonly[i])
	}
	return append(compact(b, used), body...)
}

func (c *compiled) messageV1(t Transaction) []byte {
	mask, values := t.Config.encode()
	b := append([]byte{0x81}, c.header()...)
	b = binary.LittleEndian.AppendUint32(b, mask)
	b = append(b, t.Blockhash[:]...)
	b = append(b, uint8(len(t.Instructions)), uint8(len(c.keys)))
	for _, k := range c.keys {
		b = append(b, k[:]...)
	}
	b = append(b, values...)
	for _, ins := range t.Instructions {
		b = append(b, c.index(ins.Program), uint8(len(ins.Accounts)))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(ins.Data)))
	}
	for _, ins := range t.Instructions {
		b = append(b, c.indexes(ins.Accounts)...)
		b = append(b, ins.Data...)
	}
	return b
}

func (c Config) encode() (mask uint32, values []byte) {
	if c.PriorityFee != nil {
		mask |= 3
		values = binary.LittleEndian.AppendUint64(values, *c.PriorityFee)
	}
	for i, v := range []*uint32{c.UnitLimit, c.DataLimit, c.Heap} {
		if v != nil {
			mask |= 4 << i
			values = binary.LittleEndian.AppendUint32(values, *v)
		}
	}
	return mask, values
}

func prefixed(b, field []byte) []byte { return append(compact(b, len(field)), field...) }

// compact appends a compact-u16.
func compact(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, uint8(n)|0x80)
		n >>= 7
	}
	return append(b, uint8(n))
}

// SignBy fills the slots of the signers whose private keys are given. The
// transaction is one that Bytes made.
func (t Transaction) SignBy(keys ...ed25519.PrivateKey) []byte {
	b, c := t.Bytes(), t.compile()
	message, slots := b[1+64*c.required:], b[1:]
	if t.Format == V1 {
		message, slots = b[:len(b)-64*c.required], b[len(b)-64*c.required:]
	}
	for _, private := range keys {
		i := slices.Index(c.keys[:c.required], Key(private[32:]))
		copy(slots[64*i:], ed25519.Sign(private, message))
	}
	return b
}
