package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// title is how every snapshot begins.
const title = "walletfi sandbox snapshot\n"

// Seal makes one snapshot of its two parts, with the form of both.
func Seal(form [sha256.Size]byte, head, body []byte) []byte {
	raw := append([]byte(title), form[:]...)
	raw = binary.AppendUvarint(raw, uint64(len(head)))
	raw = append(append(raw, head...), body...)
	sum := sha256.Sum256(raw)
	return append(raw, sum[:]...)
}

// Unseal returns the parts of what Seal made. It refuses what is damaged or of another form.
func Unseal(form [sha256.Size]byte, raw []byte) (head, body []byte, err error) {
	rest, ok := bytes.CutPrefix(raw, []byte(title))
	if !ok {
		return nil, nil, errors.New("these bytes are no snapshot of a sandbox")
	}
	at := len(raw) - sha256.Size
	if len(rest) < 2*sha256.Size || sha256.Sum256(raw[:at]) != [sha256.Size]byte(raw[at:]) {
		return nil, nil, errors.New("the snapshot is cut or damaged")
	}
	if !bytes.HasPrefix(rest, form[:]) {
		return nil, nil, errors.New("the snapshot was taken by another version of the sandbox")
	}
	rest = rest[sha256.Size : len(rest)-sha256.Size]
	n, size := binary.Uvarint(rest)
	if size <= 0 || n > uint64(len(rest)-size) {
		return nil, nil, errors.New("the snapshot is cut or damaged")
	}
	rest = rest[size:]
	return rest[:n], rest[n:], nil
}
