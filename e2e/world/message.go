package world

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"slices"
)

// maxTransaction is the size of a packet, which holds a transaction.
const maxTransaction = 1232

var (
	errShort    = errors.New("transaction is truncated")
	errShape    = errors.New("transaction is malformed")
	errTooLarge = errors.New("transaction is too large")
)

// message is a parsed transaction.
type message struct {
	raw        []byte
	signed     []byte // what the signatures cover
	signatures []Signature
	version    int // -1 for legacy
	signers    int // how many of the keys must sign
	readSigned int // the last of them are read-only
	readOther  int // as are the last of the others
	keys       []Key
	blockhash  Hash
	steps      []instruction
	lookups    int // address table lookups
}

type instruction struct {
	program  int
	accounts []byte
	data     []byte
}

// reader takes a transaction apart.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n int) []byte {
	if r.err != nil || n > len(r.b) {
		r.err = errShort
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) byte() int {
	if b := r.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

// length reads a compact-u16 in its shortest form.
func (r *reader) length() int {
	v := 0
	for i := range 3 {
		b := r.byte()
		if i > 0 && b == 0 || i == 2 && b > 3 {
			r.err = errShape
			return 0
		}
		v |= b & 0x7f << (7 * i)
		if b < 0x80 {
			return v
		}
	}
	return v
}

// parseTransaction reads a legacy or version 0 transaction. The message keeps
// raw.
func parseTransaction(raw []byte) (*message, error) {
	if len(raw) > maxTransaction {
		return nil, errTooLarge
	}
	r := &reader{b: raw}
	m := &message{raw: raw}
	count := r.length()
	for range count {
		b := r.take(64)
		if b == nil {
			return nil, errShort
		}
		m.signatures = append(m.signatures, Signature(b))
	}
	m.signed = r.b
	m.readMessage(r)
	if r.err != nil {
		return nil, r.err
	}
	if len(r.b) > 0 || count == 0 || count != m.signers || !m.sane() {
		return nil, errShape
	}
	return m, nil
}

// parseMessage reads a message without signatures.
func parseMessage(raw []byte) (*message, error) {
	r := &reader{b: raw}
	m := &message{raw: raw, signed: raw}
	m.readMessage(r)
	if r.err != nil {
		return nil, r.err
	}
	if len(r.b) > 0 || !m.sane() {
		return nil, errShape
	}
	return m, nil
}

func (m *message) readMessage(r *reader) {
	m.version = -1
	m.signers = r.byte()
	if m.signers >= 0x80 {
		m.version = m.signers & 0x7f
		m.signers = r.byte()
	}
	m.readSigned = r.byte()
	m.readOther = r.byte()
	keys := r.take(32 * r.length())
	for ; len(keys) > 0; keys = keys[32:] {
		m.keys = append(m.keys, Key(keys))
	}
	copy(m.blockhash[:], r.take(32))
	for range r.length() {
		step := instruction{program: r.byte()}
		step.accounts = r.take(r.length())
		step.data = r.take(r.length())
		if r.err != nil {
			return
		}
		m.steps = append(m.steps, step)
	}
	if m.version < 0 {
		return
	}
	m.lookups = r.length()
	for range m.lookups {
		r.take(32)
		r.take(r.length())
		r.take(r.length())
		if r.err != nil {
			return
		}
	}
}

// sane checks what a validator checks before all else.
func (m *message) sane() bool {
	if m.version > 0 || m.signers == 0 || m.signers > len(m.keys) || m.readSigned >= m.signers {
		return false
	}
	if m.readOther > len(m.keys)-m.signers {
		return false
	}
	for i, k := range m.keys {
		if slices.Contains(m.keys[:i], k) {
			return false
		}
	}
	for _, s := range m.steps {
		if s.program == 0 || s.program >= len(m.keys) {
			return false
		}
		for _, a := range s.accounts {
			if int(a) >= len(m.keys) && m.lookups == 0 {
				return false
			}
		}
	}
	return true
}

// verify checks all signatures.
func (m *message) verify() bool {
	for i, s := range m.signatures {
		if !ed25519.Verify(m.keys[i][:], m.signed, s[:]) {
			return false
		}
	}
	return true
}

// writable reports whether the message locks the account for writing.
func (m *message) writable(i int) bool {
	if i < m.signers {
		return i < m.signers-m.readSigned
	}
	return i < len(m.keys)-m.readOther
}

// account returns the index of an instruction's account, or -1.
func (m *message) account(s *instruction, i int) int {
	if i >= len(s.accounts) || int(s.accounts[i]) >= len(m.keys) {
		return -1
	}
	return int(s.accounts[i])
}

// nonce returns the nonce account of a transaction that begins with
// AdvanceNonceAccount, and its authority's index.
func (m *message) nonce() (account Key, authority int, ok bool) {
	if len(m.steps) == 0 {
		return Key{}, 0, false
	}
	s := &m.steps[0]
	if m.keys[s.program] != systemProgram || tag(s.data) != systemAdvance {
		return Key{}, 0, false
	}
	i, authority := m.account(s, 0), m.account(s, 2)
	if i < 0 || authority < 0 || !m.writable(i) {
		return Key{}, 0, false
	}
	return m.keys[i], authority, true
}

// tag returns the number that names a System instruction, or -1.
func tag(data []byte) int64 {
	if len(data) < 4 {
		return -1
	}
	return int64(binary.LittleEndian.Uint32(data))
}
