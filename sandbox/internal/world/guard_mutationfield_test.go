package world_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// byteField is one byte of a transaction that says who gets what from whom.
type byteField struct {
	at    int
	what  string
	count int // of the accounts, where the byte is an index
}

// exhaustive tries every value of every byte in every format, which takes
// minutes: go test -run TestGuardMutations ./sandbox/internal/world -args -exhaustive
var exhaustive = flag.Bool("exhaustive", false, "try every value of every byte")

var mutationStep = flag.Int("mutations.step", 9, "one of so many shapes is changed thoroughly, and so many of the further formats; CI: 3")

// values are what the byte is changed to: every other index, and one past the end; of data
// each bit turned, in a thorough one every other value; of a key, whose values are as good as
// one another, each bit turned in a thorough one and one value in the others.
func (f byteField) values(now byte, thorough bool) (all []byte) {
	switch {
	case *exhaustive, thorough && f.what != "key":
	case f.what == "key" && !thorough:
		return []byte{now + 1}
	case f.what != "index":
		for bit := range 8 {
			all = append(all, now^1<<bit)
		}
		return all
	}
	most := 256
	if f.what == "index" {
		most = min(f.count+1, 256)
	}
	for v := range most {
		if byte(v) != now {
			all = append(all, byte(v))
		}
	}
	return all
}

// mutable finds the bytes to change, and counts those that are exempt.
func mutable(tx *signing.Transaction) (fields []byteField, exempt map[string]int) {
	raw, keys := tx.Bytes(), tx.AccountKeys()
	exempt = map[string]int{"signature slots": 64 * len(tx.Signers()), "header, counts and lengths": 0, "blockhash (rule G5 where the service names one)": 32}
	loaded := 0
	for _, l := range tx.Lookups() {
		loaded += len(l.Writable) + len(l.Readonly)
	}
	at := bytes.Index(raw, flat(keys))
	add := func(from, n int, what string) {
		for i := range n {
			fields = append(fields, byteField{from + i, what, len(keys) + loaded})
		}
	}
	add(at, 32*len(keys), "key")
	pos := at + 32*len(keys)
	reader := instructionReader(tx, raw, pos)
	for _, ins := range tx.Instructions() {
		p := reader(ins)
		add(p.program, 1, "index")
		add(p.accounts, len(ins.Accounts), "index")
		switch name := signing.ProgramName(ins.Program); {
		case name == ins.Program.String():
			exempt["the data of pinned programs"] += len(ins.Data)
		case len(name) >= 4 && name[:4] == "Memo":
			exempt["the text of memos"] += len(ins.Data)
		default:
			add(p.data, len(ins.Data), "data")
		}
	}
	for _, l := range tx.Lookups() {
		table := bytes.LastIndex(raw, l.Table[:])
		add(table, 32, "key")
		exempt["indexes into lookup tables, which nobody resolved"] += len(l.Writable) + len(l.Readonly)
	}
	exempt["header, counts and lengths"] = len(raw) - len(fields) - sumOf(exempt)
	return fields, exempt
}

func sumOf(counts map[string]int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

func flat(keys []signing.PublicKey) (b []byte) {
	for _, k := range keys {
		b = append(b, k[:]...)
	}
	return b
}

// place is where the parts of an instruction lie.
type place struct{ program, accounts, data int }

// instructionReader returns where one instruction after another lies; pos is
// where the keys end.
func instructionReader(tx *signing.Transaction, raw []byte, pos int) func(signing.Instruction) place {
	if tx.Version() != signing.V1 {
		pos += 32 + 1 // the blockhash and a count
		return func(ins signing.Instruction) (p place) {
			p.program = pos
			p.accounts = pos + 1 + compactLen(len(ins.Accounts))
			p.data = p.accounts + len(ins.Accounts) + compactLen(len(ins.Data))
			pos = p.data + len(ins.Data)
			return p
		}
	}
	config := 0
	for mask := binary.LittleEndian.Uint32(raw[4:]); mask > 0; mask &= mask - 1 {
		config += 4
	}
	header := pos + config
	payload := header + 4*int(raw[40])
	return func(ins signing.Instruction) place {
		p := place{header, payload, payload + len(ins.Accounts)}
		header, payload = header+4, p.data+len(ins.Data)
		return p
	}
}

func compactLen(n int) int {
	if n < 0x80 {
		return 1
	}
	return 2
}

// changedText writes a transaction in base64 with one byte changed, without
// encoding the rest again.
type changedText struct {
	raw  []byte
	text []byte
}

func newChangedText(raw []byte) *changedText {
	return &changedText{raw, base64.StdEncoding.AppendEncode(nil, raw)}
}

func (c *changedText) with(at int, value byte) walletfi.Base64Transaction {
	from := at / 3 * 3
	group := c.raw[from:min(from+3, len(c.raw))]
	place := c.text[from/3*4 : from/3*4+4]
	was := group[at-from]
	group[at-from] = value
	base64.StdEncoding.Encode(place, group)
	changed := walletfi.Base64Transaction(c.text)
	group[at-from] = was
	base64.StdEncoding.Encode(place, group)
	return changed
}

func TestChangedText(t *testing.T) {
	raw := []byte("0123456789")
	text := newChangedText(bytes.Clone(raw))
	for at := range raw {
		want := bytes.Clone(raw)
		want[at] = 'x'
		require.Equal(t, base64.StdEncoding.EncodeToString(want), string(text.with(at, 'x')))
	}
	require.Equal(t, base64.StdEncoding.EncodeToString(raw), string(text.text))
}
