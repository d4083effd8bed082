package txwire

import (
	"bytes"
	"encoding/binary"
)

// The views share the transaction's bytes and allocate nothing. They rely on
// Parse having checked every length.

// Message returns the bytes that are signed.
func (t *Transaction) Message() []byte { return t.Raw[t.message:t.messageEnd:t.messageEnd] }

// Unhashed is a copy of the message with zeros in place of its blockhash.
func (t *Transaction) Unhashed() []byte {
	m := bytes.Clone(t.Message())
	clear(m[t.blockhash-t.message:][:len(Key{})])
	return m
}

// Blockhash returns the recent blockhash, or a durable nonce's value.
func (t *Transaction) Blockhash() *Key { return (*Key)(t.Raw[t.blockhash : t.blockhash+32]) }

// Key returns the static key of index i, nil if i is out of range.
func (t *Transaction) Key(i int) *Key {
	if uint(i) >= uint(t.KeyCount) {
		return nil
	}
	at := t.keys + 32*i
	return (*Key)(t.Raw[at : at+32])
}

// Slot returns the signature slot of the required signer i.
func (t *Transaction) Slot(i int) *Signature {
	at := t.signatures + 64*i
	return (*Signature)(t.Raw[at : at+64])
}

// Slots returns where the signatures lie in Raw.
func (t *Transaction) Slots() (from, to int) {
	return t.signatures, t.signatures + 64*int(t.Required)
}

// Signers returns how many required signers have a static key.
func (t *Transaction) Signers() int { return min(int(t.Required), t.KeyCount) }

// SignerIndex returns k's place among the required signers, -1 if k is not
// required.
func (t *Transaction) SignerIndex(k *Key) int {
	for i := range t.Signers() {
		if *t.Key(i) == *k {
			return i
		}
	}
	return -1
}

// Writable reports whether the account of index i may be written.
func (t *Transaction) Writable(i int) bool {
	switch {
	case i < int(t.Required):
		return i < int(t.Required)-int(t.ReadonlySigned)
	case i < t.KeyCount:
		return i < t.KeyCount-int(t.ReadonlyUnsigned)
	}
	return i < t.KeyCount+t.LoadedWritable
}

// Instructions is a cursor over the instructions. Next moves it to the first.
type Instructions struct {
	Program  uint8 // index of a static key
	Accounts []byte
	Data     []byte

	raw     []byte
	left    int
	pos     int
	payload int
	v1      bool
}

// Instructions returns a cursor before the first instruction.
func (t *Transaction) Instructions() Instructions {
	return Instructions{
		raw:     t.Raw,
		left:    t.InstructionCount,
		pos:     t.instructions,
		payload: t.payloads,
		v1:      t.Version == V1,
	}
}

// Next moves to the next instruction. It is false after the last.
func (c *Instructions) Next() bool {
	if c.left == 0 {
		return false
	}
	c.left--
	c.Program = c.raw[c.pos]
	if c.v1 {
		accounts, data := int(c.raw[c.pos+1]), int(binary.LittleEndian.Uint16(c.raw[c.pos+2:]))
		c.pos += v1InstructionHeader
		c.Accounts = c.raw[c.payload : c.payload+accounts : c.payload+accounts]
		c.payload += accounts
		c.Data = c.raw[c.payload : c.payload+data : c.payload+data]
		c.payload += data
		return true
	}
	c.pos++
	c.Accounts, c.pos = counted(c.raw, c.pos)
	c.Data, c.pos = counted(c.raw, c.pos)
	return true
}

// Lookups is a cursor over the lookup tables of a v0 message. Next moves it to
// the first.
type Lookups struct {
	Table    *Key
	Writable []byte // indexes into the table
	Readonly []byte

	raw  []byte
	left int
	pos  int
}

// Lookups returns a cursor before the first lookup table.
func (t *Transaction) Lookups() Lookups {
	return Lookups{raw: t.Raw, left: t.LookupCount, pos: t.lookups}
}

// Next moves to the next lookup table. It is false after the last.
func (c *Lookups) Next() bool {
	if c.left == 0 {
		return false
	}
	c.left--
	c.Table = (*Key)(c.raw[c.pos : c.pos+32])
	c.Writable, c.pos = counted(c.raw, c.pos+32)
	c.Readonly, c.pos = counted(c.raw, c.pos)
	return true
}

// counted reads a compact-u16 and as many bytes, and returns the offset after them.
func counted(b []byte, pos int) ([]byte, int) {
	n, pos := int(b[pos]), pos+1
	if n >= 0x80 {
		n, pos = n&0x7f|int(b[pos]&0x7f)<<7, pos+1
		if b[pos-1] >= 0x80 {
			n, pos = n|int(b[pos])<<14, pos+1
		}
	}
	return b[pos : pos+n : pos+n], pos + n
}
