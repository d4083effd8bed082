package signing

import "encoding/binary"

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
