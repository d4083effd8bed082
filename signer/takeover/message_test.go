package takeover

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

type key = signing.PublicKey

// A call is an instruction, and a meta one of its accounts.
type call struct {
	program key
	metas   []meta
	data    []byte
}

type meta struct {
	key              key
	signer, writable bool
}

func signs(k key) meta  { return meta{k, true, true} }
func writes(k key) meta { return meta{k, false, true} }
func reads(k key) meta  { return meta{k, false, false} }

type format int

const (
	legacy format = iota
	v0
	v1
)

// named is an address, or a key's seed, that follows from a name.
func named(parts ...string) (k key) {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(p))))
		h.Write([]byte(p))
	}
	return key(h.Sum(nil))
}

// A draft is a transaction that nobody has signed.
type draft struct {
	payer     key
	calls     []call
	blockhash key
	format    format
	table     key   // v0: loads what the table has
	entries   []key // of the table
	fee       uint64
}

// order puts the accounts of a draft in the order of the format: writable signers, the payer
// first, read-only signers, writable and read-only accounts, then what the table loads.
func (d *draft) order() (static, written, read []meta) {
	all := []meta{signs(d.payer)}
	add := func(m meta) {
		i := slices.IndexFunc(all, func(o meta) bool { return o.key == m.key })
		if i < 0 {
			all = append(all, m)
			return
		}
		all[i].signer = all[i].signer || m.signer
		all[i].writable = all[i].writable || m.writable
	}
	for _, c := range d.calls {
		for _, m := range c.metas {
			add(m)
		}
	}
	for _, c := range d.calls {
		add(reads(c.program))
	}
	programs := map[key]bool{}
	for _, c := range d.calls {
		programs[c.program] = true
	}
	rank := func(m meta) (r int) {
		if !m.signer {
			r += 2
		}
		if !m.writable {
			r++
		}
		return r
	}
	slices.SortStableFunc(all, func(a, b meta) int { return rank(a) - rank(b) })
	for _, m := range all {
		switch {
		case d.format != v0 || m.signer || programs[m.key] || !slices.Contains(d.entries, m.key):
			static = append(static, m)
		case m.writable:
			written = append(written, m)
		default:
			read = append(read, m)
		}
	}
	return static, written, read
}

// encode makes the bytes, with room for the signatures.
func (d *draft) encode() []byte {
	static, written, read := d.order()
	index := map[key]byte{}
	for i, m := range slices.Concat(static, written, read) {
		index[m.key] = byte(i)
	}
	var required, readSigned, readOnly byte
	for _, m := range static {
		switch {
		case m.signer && !m.writable:
			required++
			readSigned++
		case m.signer:
			required++
		case !m.writable:
			readOnly++
		}
	}
	head := []byte{required, readSigned, readOnly}
	if d.format == v1 {
		return d.encodeV1(static, index, head)
	}
	var b []byte
	if d.format == v0 {
		b = append(b, 0x80)
	}
	b = append(b, head...)
	b = short(b, len(static))
	for _, m := range static {
		b = append(b, m.key[:]...)
	}
	b = append(b, d.blockhash[:]...)
	b = short(b, len(d.calls))
	for _, c := range d.calls {
		b = append(b, index[c.program])
		b = short(b, len(c.metas))
		for _, m := range c.metas {
			b = append(b, index[m.key])
		}
		b = short(b, len(c.data))
		b = append(b, c.data...)
	}
	if d.format == v0 {
		b = d.lookups(b, written, read)
	}
	raw := short(nil, int(required))
	raw = append(raw, make([]byte, 64*int(required))...)
	return append(raw, b...)
}

func (d *draft) lookups(b []byte, written, read []meta) []byte {
	if len(written)+len(read) == 0 {
		return append(b, 0)
	}
	b = append(b, 1)
	b = append(b, d.table[:]...)
	for _, some := range [][]meta{written, read} {
		b = short(b, len(some))
		for _, m := range some {
			b = append(b, byte(slices.Index(d.entries, m.key)))
		}
	}
	return b
}

func (d *draft) encodeV1(static []meta, index map[key]byte, head []byte) []byte {
	b := append([]byte{0x81}, head...)
	mask := uint32(0)
	if d.fee > 0 {
		mask = 3
	}
	b = binary.LittleEndian.AppendUint32(b, mask|4)
	b = append(b, d.blockhash[:]...)
	b = append(b, byte(len(d.calls)), byte(len(static)))
	for _, m := range static {
		b = append(b, m.key[:]...)
	}
	if d.fee > 0 {
		b = binary.LittleEndian.AppendUint64(b, d.fee)
	}
	b = binary.LittleEndian.AppendUint32(b, 200_000)
	for _, c := range d.calls {
		b = append(b, index[c.program], byte(len(c.metas)))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(c.data)))
	}
	for _, c := range d.calls {
		for _, m := range c.metas {
			b = append(b, index[m.key])
		}
		b = append(b, c.data...)
	}
	return append(b, make([]byte, 64*int(head[0]))...)
}

func short(b []byte, n int) []byte {
	for ; n > 0x7f; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

// A parsed transaction is as the chain reads it: with a parser of its own.
type parsed struct {
	raw        []byte
	message    []byte
	signatures []signing.Signature
	metas      []meta // those of the tables last
	calls      []call
	blockhash  key
	fee        uint64 // v1 states it
	version    format
	inner      []signing.InnerInstruction // what a run has called
}

var errMalformed = errors.New("malformed")

// A reader takes bytes off a text; what is missing is zero, and bad.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || len(r.b) < n {
		r.bad = true
		return make([]byte, max(n, 0))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() int { return int(r.take(1)[0]) }

func (r *reader) short() (n int) {
	for shift := 0; shift < 21; shift += 7 {
		b := r.byte()
		n |= (b & 0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.bad = true
	return 0
}

// parse reads a transaction; table resolves lookups.
func parse(raw []byte, table func(key) ([]key, bool)) (*parsed, error) {
	if len(raw) > 0 && raw[0] == 0x81 {
		return parseV1(raw)
	}
	r := &reader{b: raw}
	p := &parsed{raw: slices.Clone(raw)}
	count := r.short()
	for range min(count, 20) {
		p.signatures = append(p.signatures, signing.Signature(r.take(64)))
	}
	p.message = r.b
	if len(r.b) > 0 && r.b[0] == 0x80 {
		p.version = v0
		r.byte()
	}
	head := r.take(3)
	n := r.short()
	for i := range min(n, 64) {
		p.metas = append(p.metas, static(head, i, n, key(r.take(32))))
	}
	p.blockhash = key(r.take(32))
	var indexes [][]byte
	calls := min(r.short(), 64)
	for range calls {
		program := r.byte()
		accounts := r.take(r.short())
		data := r.take(r.short())
		p.calls = append(p.calls, call{data: data})
		indexes = append(indexes, append([]byte{byte(program)}, accounts...))
	}
	if p.version == v0 && !p.load(r, table) {
		return nil, errMalformed
	}
	if r.bad || len(r.b) > 0 || int(head[0]) != count || len(raw) > 1232 || !p.resolve(indexes) {
		return nil, errMalformed
	}
	return p, nil
}

func static(head []byte, i, n int, k key) meta {
	signed := i < int(head[0])
	if signed {
		return meta{k, true, i < int(head[0])-int(head[1])}
	}
	return meta{k, false, i < n-int(head[2])}
}

// load appends what the tables hold: all that is writable, then the rest.
func (p *parsed) load(r *reader, table func(key) ([]key, bool)) bool {
	var read []meta
	tables := min(r.short(), 4)
	for range tables {
		entries, ok := table(key(r.take(32)))
		for _, writable := range []bool{true, false} {
			for _, i := range r.take(r.short()) {
				if !ok || int(i) >= len(entries) {
					return false
				}
				m := meta{entries[i], false, writable}
				if writable {
					p.metas = append(p.metas, m)
				} else {
					read = append(read, m)
				}
			}
		}
	}
	p.metas = append(p.metas, read...)
	return true
}

func (p *parsed) resolve(indexes [][]byte) bool {
	for i, accounts := range indexes {
		for j, a := range accounts {
			if int(a) >= len(p.metas) {
				return false
			}
			if j == 0 {
				p.calls[i].program = p.metas[a].key
			} else {
				p.calls[i].metas = append(p.calls[i].metas, p.metas[a])
			}
		}
	}
	return len(p.metas) > 0 && p.metas[0].signer && p.metas[0].writable
}

func parseV1(raw []byte) (*parsed, error) {
	r := &reader{b: raw[1:]}
	p := &parsed{raw: slices.Clone(raw), version: v1}
	head := r.take(3)
	mask := binary.LittleEndian.Uint32(r.take(4))
	p.blockhash = key(r.take(32))
	calls, n := min(r.byte(), 64), min(r.byte(), 64)
	for i := range n {
		p.metas = append(p.metas, static(head, i, n, key(r.take(32))))
	}
	if mask&3 == 3 {
		p.fee = binary.LittleEndian.Uint64(r.take(8))
	}
	for bit := uint32(4); bit <= 16; bit <<= 1 {
		if mask&bit != 0 {
			r.take(4)
		}
	}
	heads := make([][]byte, calls)
	for i := range heads {
		heads[i] = r.take(4)
	}
	var indexes [][]byte
	for _, h := range heads {
		accounts := r.take(int(h[1]))
		p.calls = append(p.calls, call{data: r.take(int(binary.LittleEndian.Uint16(h[2:])))})
		indexes = append(indexes, append([]byte{h[0]}, accounts...))
	}
	count := int(head[0])
	if r.bad || len(r.b) != 64*count || mask > 31 || mask&3 == 1 || mask&3 == 2 || !p.resolve(indexes) {
		return nil, errMalformed
	}
	p.message = raw[:len(raw)-64*count]
	for range count {
		p.signatures = append(p.signatures, signing.Signature(r.take(64)))
	}
	return p, nil
}

// slot is where the signature of a key goes in a transaction's bytes, -1 if it does not sign.
func slot(raw []byte, k key) int {
	p, err := parse(raw, func(key) ([]key, bool) { return make([]key, 256), true })
	if err != nil {
		return -1
	}
	i := slices.IndexFunc(p.metas, func(m meta) bool { return m.signer && m.key == k })
	if i < 0 {
		return -1
	}
	if p.version == v1 {
		return len(p.message) + 64*i
	}
	return len(raw) - len(p.message) - 64*(len(p.signatures)-i)
}

// encoded is the text of bytes.
func encoded(raw []byte) walletfi.EncodedTransaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw))
}
