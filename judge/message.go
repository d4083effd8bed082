package main

import (
	"crypto/ed25519"
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
)

type key = solana.PublicKey

// meta is an account of an instruction.
type meta struct {
	key              key
	signer, writable bool
}

// ins is an instruction, with the place of an amount of 8 bytes in its data, -1 if it has none.
type ins struct {
	name    string
	program key
	metas   []meta
	data    []byte
	amount  int
}

func (i ins) clone() ins {
	i.metas = slices.Clone(i.metas)
	i.data = slices.Clone(i.data)
	return i
}

// sw, rs, w and r are the four kinds of account.
func sw(k key) meta { return meta{k, true, true} }
func rs(k key) meta { return meta{k, true, false} }
func w(k key) meta  { return meta{k, false, true} }
func r(k key) meta  { return meta{k, false, false} }

func u16(v uint16) []byte { return binary.LittleEndian.AppendUint16(nil, v) }
func u32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
func u64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

// join concatenates bytes, texts, keys and single bytes.
func join(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case byte:
			b = append(b, p)
		case []byte:
			b = append(b, p...)
		case string:
			b = append(b, p...)
		case key:
			b = append(b, p[:]...)
		default:
			panic("join: no bytes")
		}
	}
	return b
}

// lookup has what a message of version 0 loads from a table.
type lookup struct {
	table              key
	writable, readOnly []byte
}

// format is that of a transaction.
type format int

const (
	legacy format = iota
	v0
	v1
)

// config has what version 1 says of its budget in front of its instructions. A value without a bit is not written.
type config struct {
	mask                  uint32
	fee                   uint64
	units, loadable, heap uint32
}

// The bits of a config's mask.
const (
	feeBits     = 3
	unitsBit    = 4
	loadableBit = 8
	heapBit     = 16
)

// plenty is a config that limits nothing.
func plenty() config {
	return config{mask: unitsBit | loadableBit, units: 1_400_000, loadable: 64 << 20, heap: 32 << 10}
}

func (c config) bytes() []byte {
	var b []byte
	if c.mask&feeBits == feeBits {
		b = u64(c.fee)
	}
	for at, v := range []uint32{c.units, c.loadable, c.heap} {
		if c.mask&(unitsBit<<at) != 0 {
			b = append(b, u32(v)...)
		}
	}
	return b
}

// message is a transaction before it is bytes: everything in it may be wrong.
type message struct {
	format                                   format
	config                                   config // of version 1
	signers, readOnlySigners, readOnlyOthers int
	keys                                     []key
	blockhash                                [32]byte
	instructions                             []compiled
	lookups                                  []lookup
}

type compiled struct {
	program  int
	accounts []byte
	data     []byte
}

// table is a lookup table and the addresses that it holds.
type table struct {
	key  key
	held []key
}

// compile orders the accounts as the format wants them. With a table, accounts which do not
// sign and are no program are loaded from it. The zero table holds none.
func compile(payer key, blockhash [32]byte, as format, from table, all []ins) message {
	order := []key{payer}
	flags := map[key]*meta{payer: {payer, true, true}}
	add := func(m meta) {
		f := flags[m.key]
		if f == nil {
			f = &meta{key: m.key}
			flags[m.key] = f
			order = append(order, m.key)
		}
		f.signer = f.signer || m.signer
		f.writable = f.writable || m.writable
	}
	programs := map[key]bool{}
	for _, i := range all {
		for _, m := range i.metas {
			add(m)
		}
		add(r(i.program))
		programs[i.program] = true
	}
	m := message{format: as, config: plenty(), blockhash: blockhash}
	place := map[key]int{}
	var loadedWritable, loadedReadOnly []key
	l := lookup{table: from.key}
	for at, k := range from.held {
		f := flags[k]
		if as != v0 || f == nil || f.signer || programs[k] {
			continue
		}
		if f.writable {
			l.writable = append(l.writable, byte(at))
			loadedWritable = append(loadedWritable, k)
		} else {
			l.readOnly = append(l.readOnly, byte(at))
			loadedReadOnly = append(loadedReadOnly, k)
		}
		order = slices.DeleteFunc(order, func(o key) bool { return o == k })
	}
	if len(l.writable)+len(l.readOnly) > 0 {
		m.lookups = append(m.lookups, l)
	}
	m.place(order, flags, place)
	for n, k := range append(loadedWritable, loadedReadOnly...) {
		place[k] = len(m.keys) + n
	}
	for _, i := range all {
		c := compiled{program: place[i.program], data: i.data}
		for _, a := range i.metas {
			c.accounts = append(c.accounts, byte(place[a.key]))
		}
		m.instructions = append(m.instructions, c)
	}
	return m
}

// place puts the keys in the format's order, and counts those that sign and those that are read only.
func (m *message) place(order []key, flags map[key]*meta, place map[key]int) {
	for _, kind := range []meta{{signer: true, writable: true}, {signer: true}, {writable: true}, {}} {
		for _, k := range order {
			f := flags[k]
			if f.signer != kind.signer || f.writable != kind.writable {
				continue
			}
			place[k] = len(m.keys)
			m.keys = append(m.keys, k)
			switch {
			case f.signer && f.writable:
				m.signers++
			case f.signer:
				m.signers++
				m.readOnlySigners++
			case !f.writable:
				m.readOnlyOthers++
			}
		}
	}
}

func short(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

// bytes encodes the message.
func (m message) bytes() []byte {
	if m.format == v1 {
		return m.bytesV1()
	}
	var b []byte
	if m.format == v0 {
		b = append(b, 0x80)
	}
	b = append(b, byte(m.signers), byte(m.readOnlySigners), byte(m.readOnlyOthers))
	b = short(b, len(m.keys))
	for _, k := range m.keys {
		b = append(b, k[:]...)
	}
	b = append(b, m.blockhash[:]...)
	b = short(b, len(m.instructions))
	for _, i := range m.instructions {
		b = append(b, byte(i.program))
		b = append(short(b, len(i.accounts)), i.accounts...)
		b = append(short(b, len(i.data)), i.data...)
	}
	if m.format == v0 {
		b = short(b, len(m.lookups))
		for _, l := range m.lookups {
			b = append(b, l.table[:]...)
			b = append(short(b, len(l.writable)), l.writable...)
			b = append(short(b, len(l.readOnly)), l.readOnly...)
		}
	}
	return b
}

func (m message) bytesV1() []byte {
	b := join(0x81, m.signers, m.readOnlySigners, m.readOnlyOthers, u32(m.config.mask), m.blockhash[:],
		len(m.instructions), len(m.keys))
	for _, k := range m.keys {
		b = append(b, k[:]...)
	}
	b = append(b, m.config.bytes()...)
	for _, i := range m.instructions {
		b = join(b, i.program, len(i.accounts), u16(uint16(len(i.data))))
	}
	for _, i := range m.instructions {
		b = join(b, i.accounts, i.data)
	}
	return b
}

// sign encodes the transaction. Signers whose key is not known get no signature. Version 1 has them last.
func (m message) sign(keys map[key]ed25519.PrivateKey) []byte {
	text := m.bytes()
	var b []byte
	if m.format != v1 {
		b = short(nil, m.signers)
	}
	for n := range m.signers {
		signature := make([]byte, 64)
		if n < len(m.keys) {
			if private, ok := keys[m.keys[n]]; ok {
				signature = ed25519.Sign(private, text)
			}
		}
		b = append(b, signature...)
	}
	if m.format == v1 {
		return append(text, b...)
	}
	return append(b, text...)
}

// firstSignature is where the first signature of a transaction begins, -1 if it has none.
func firstSignature(wire []byte) int {
	at := 1
	if len(wire) > 1 && wire[0] == 0x81 {
		at = len(wire) - 64*int(wire[1])
	}
	if at < 0 || at+64 > len(wire) {
		return -1
	}
	return at
}
