package transport

import (
	"bytes"
	"io"
	"slices"

	"github.com/walletfi/walletfi-go/internal/peer"
)

// A body is read into one buffer that doubles up to smallBody, and from there on
// into pieces, so that one past the cap never lies in memory more than once. Once
// so much came, the service's word for the length is good for a buffer of up to
// believed bytes.
const (
	smallBody = 64 << 10
	pieceMost = 1 << 20
	believed  = 2 << 20
)

// readWithin reads a body of at most most bytes. expected is the service's word
// for its length, a hint for a small body. Of a body that is too large it
// returns the part that an error shows.
func readWithin(r io.Reader, most, expected int64) ([]byte, error) {
	body := make([]byte, 0, max(bytes.MinRead, min(expected+bytes.MinRead, smallBody)))
	var pieces [][]byte
	size := int64(0)
	for {
		n, err := r.Read(body[len(body):cap(body)])
		body, size = body[:len(body)+n], size+int64(n)
		switch {
		case size > most:
			first := append(pieces, body)[0]
			return bytes.Clone(first[:min(len(first), peer.MaxExcerpt)]), errTooLarge
		case err != nil:
			if err == io.EOF {
				err = nil
			}
			if pieces != nil {
				body = slices.Concat(append(pieces, body)...)
			}
			return body, err
		case len(body) < cap(body):
		case pieces == nil && size < smallBody:
			body = slices.Grow(body, len(body))
		case pieces == nil && size < expected && expected <= min(most, believed):
			body = slices.Grow(body, int(expected-size)+bytes.MinRead)
		default:
			pieces = append(pieces, body)
			body = make([]byte, 0, min(size/4, pieceMost, most+1-size))
		}
	}
}
