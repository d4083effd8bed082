package corpus

import (
	"bytes"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// Offsets of the parts of a written transaction. The corpus writes few
// signatures and keys, so that the counts before them take a byte each.

// required is how many signatures a transaction asks for.
func required(f txbuild.Format, raw []byte) int {
	if f == txbuild.V1 {
		return int(raw[1])
	}
	return int(raw[0])
}

// headerAt is the offset of the three bytes of the header.
func headerAt(f txbuild.Format, raw []byte) int {
	switch f {
	case txbuild.V1:
		return 1
	case txbuild.V0:
		return 2 + 64*required(f, raw)
	}
	return 1 + 64*required(f, raw)
}

// slotAt is the offset of a signer's signature slot.
func slotAt(f txbuild.Format, raw []byte, signer int) int {
	if f == txbuild.V1 {
		return len(raw) - 64*(required(f, raw)-signer)
	}
	return 1 + 64*signer
}

// keyCountAt is the offset of the count of the keys.
func keyCountAt(f txbuild.Format, raw []byte) int {
	if f == txbuild.V1 {
		return 41
	}
	return headerAt(f, raw) + 3
}

// end is the offset after the last instruction's data.
func end(f txbuild.Format, raw []byte) int {
	switch f {
	case txbuild.V1:
		return len(raw) - 64*required(f, raw)
	case txbuild.V0:
		return len(raw) - 1 // no lookups
	}
	return len(raw)
}

// lastAccount points the only account of a last instruction without data at
// another index.
func lastAccount(index uint8) func(txbuild.Format, []byte) []byte {
	return func(f txbuild.Format, raw []byte) []byte {
		at := end(f, raw) - 1
		if f != txbuild.V1 {
			at-- // the length of the data follows
		}
		raw[at] = index
		return raw
	}
}

// lastProgram points the program of a last instruction, of one account and no
// data, at another index. In v1 the payload before it has size bytes.
func lastProgram(index uint8, size int) func(txbuild.Format, []byte) []byte {
	return func(f txbuild.Format, raw []byte) []byte {
		at := end(f, raw) - 4
		if f == txbuild.V1 {
			at = end(f, raw) - size - 1 - 4
		}
		raw[at] = index
		return raw
	}
}

// replaced puts one key in the place of another.
func replaced(old, by Key) func(txbuild.Format, []byte) []byte {
	return func(_ txbuild.Format, raw []byte) []byte { return bytes.Replace(raw, old[:], by[:], 1) }
}

// header changes the header's bytes.
func header(change func(h []byte)) func(txbuild.Format, []byte) []byte {
	return func(f txbuild.Format, raw []byte) []byte {
		change(raw[headerAt(f, raw) : headerAt(f, raw)+3])
		return raw
	}
}

// configured sets bits of a v1 transaction's mask that it does not have, and
// inserts what they ask for.
func configured(bits uint8, values int) func(txbuild.Format, []byte) []byte {
	return func(_ txbuild.Format, raw []byte) []byte {
		raw[4] |= bits
		return slices.Insert(raw, 42+32*int(raw[41]), make([]byte, values)...)
	}
}

// tables adds lookups to a v0 transaction without any.
func tables(lookups ...byte) func(txbuild.Format, []byte) []byte {
	return func(_ txbuild.Format, raw []byte) []byte { return append(raw[:len(raw)-1], lookups...) }
}
