package signing

import (
	"encoding/base64"
	"encoding/binary"
	"unsafe"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
)

// Base64 returns the transaction, signed or not.
func (t *Transaction) Base64() walletfi.Base64Transaction {
	text := make([]byte, base64.StdEncoding.EncodedLen(len(t.wire.Raw)))
	if t.text == "" {
		encodeBase64(text, t.wire.Raw)
	} else {
		// Only the signatures are rewritten, in whole groups of three bytes.
		copy(text, t.text)
		from, to := t.wire.Slots()
		from, to = from/3, (to+2)/3
		encodeBase64(text[4*from:4*to], t.wire.Raw[3*from:min(3*to, len(t.wire.Raw))])
	}
	// Nothing else holds text, so the string may share its bytes.
	return walletfi.Base64Transaction(unsafe.String(unsafe.SliceData(text), len(text)))
}

// Base58 returns the transaction, signed or not.
func (t *Transaction) Base58() walletfi.Base58Transaction {
	return walletfi.Base58Transaction(base58.Encode(t.wire.Raw))
}

// Signed returns what a Submitter sends. Its signature is empty if the fee
// payer, a sponsor, has yet to sign.
func (t *Transaction) Signed() walletfi.Signed {
	s := walletfi.Signed{Transaction: t.Base64()}
	if first := t.Signature(); !first.IsZero() {
		s.Signature = first.String()
	}
	return s
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// base64Pairs holds the two characters of every twelve bits: with it the text
// of a signed transaction takes half the time that encoding/base64 needs.
var base64Pairs = func() (pairs [4096]uint16) {
	for i := range pairs {
		pairs[i] = uint16(base64Alphabet[i>>6])<<8 | uint16(base64Alphabet[i&63])
	}
	return pairs
}()

// encodeBase64 writes the standard base64 of src, padded. dst has exactly the
// length of the text.
func encodeBase64(dst, src []byte) {
	// Six bytes a turn, read as eight: the two beyond them are shifted out.
	for len(src) >= 8 {
		v := binary.BigEndian.Uint64(src)
		text := uint64(base64Pairs[v>>52])<<48 | uint64(base64Pairs[v>>40&0xfff])<<32 |
			uint64(base64Pairs[v>>28&0xfff])<<16 | uint64(base64Pairs[v>>16&0xfff])
		binary.BigEndian.PutUint64(dst, text)
		src, dst = src[6:], dst[8:]
	}
	for ; len(src) >= 3; src, dst = src[3:], dst[4:] {
		v := uint32(src[0])<<16 | uint32(src[1])<<8 | uint32(src[2])
		binary.BigEndian.PutUint32(dst, uint32(base64Pairs[v>>12])<<16|uint32(base64Pairs[v&0xfff]))
	}
	switch len(src) {
	case 1:
		binary.BigEndian.PutUint16(dst, base64Pairs[uint32(src[0])<<4])
		dst[2], dst[3] = '=', '='
	case 2:
		v := uint32(src[0])<<16 | uint32(src[1])<<8
		binary.BigEndian.PutUint16(dst, base64Pairs[v>>12])
		dst[2], dst[3] = base64Alphabet[v>>6&63], '='
	}
}
