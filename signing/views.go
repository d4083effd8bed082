package signing

import "encoding/binary"

// Views into the bytes, for the guard and the signer. They allocate nothing
// and rely on the walk having checked every length.

func (t *Transaction) messageView() []byte { return t.raw[t.message:t.messageEnd:t.messageEnd] }

// key returns the static key of index i, nil where there is none.
func (t *Transaction) key(i int) *PublicKey {
	if uint(i) >= uint(t.keyCount) {
		return nil
	}
	at := t.keys + 32*i
	return (*PublicKey)(t.raw[at : at+32])
}

func (t *Transaction) slot(i int) *Signature {
	at := t.signatures + 64*i
	return (*Signature)(t.raw[at : at+64])
}

// signerIndex returns k's place among the required signers, -1 if it has none.
func (t *Transaction) signerIndex(k PublicKey) int {
	for i := range min(int(t.required), t.keyCount) {
		if *t.key(i) == k {
			return i
		}
	}
	return -1
}

// writable reports whether the account of index i may be written.
func (t *Transaction) writable(i int) bool {
	switch {
	case i < int(t.required):
		return i < int(t.required)-int(t.readonlySigned)
	case i < t.keyCount:
		return i < t.keyCount-int(t.readonlyUnsigned)
	}
	return i < t.keyCount+t.loadedWritable
}

// instructionCursor walks over the instructions.
type instructionCursor struct {
	program  uint8
	accounts []byte
	data     []byte

	raw     []byte
	left    int
	pos     int
	payload int
	v1      bool
}

func (t *Transaction) instructionCursor() instructionCursor {
	return instructionCursor{raw: t.raw, left: t.instructionCount, pos: t.instructions, payload: t.payloads, v1: t.version == V1}
}

func (c *instructionCursor) next() bool {
	if c.left == 0 {
		return false
	}
	c.left--
	c.program = c.raw[c.pos]
	if c.v1 {
		accounts, data := int(c.raw[c.pos+1]), int(binary.LittleEndian.Uint16(c.raw[c.pos+2:]))
		c.pos += v1InstructionHeader
		c.accounts = c.raw[c.payload : c.payload+accounts : c.payload+accounts]
		c.payload += accounts
		c.data = c.raw[c.payload : c.payload+data : c.payload+data]
		c.payload += data
		return true
	}
	c.pos++
	c.accounts, c.pos = counted(c.raw, c.pos)
	c.data, c.pos = counted(c.raw, c.pos)
	return true
}

// lookupCursor walks over the lookup tables of a v0 message.
type lookupCursor struct {
	table    *PublicKey
	writable []byte
	readonly []byte

	raw  []byte
	left int
	pos  int
}

func (t *Transaction) lookupCursor() lookupCursor {
	return lookupCursor{raw: t.raw, left: t.lookupCount, pos: t.lookups}
}

func (c *lookupCursor) next() bool {
	if c.left == 0 {
		return false
	}
	c.left--
	c.table = (*PublicKey)(c.raw[c.pos : c.pos+32])
	c.writable, c.pos = counted(c.raw, c.pos+32)
	c.readonly, c.pos = counted(c.raw, c.pos)
	return true
}

// counted reads a compact-u16 and as many bytes, and returns where they end.
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
