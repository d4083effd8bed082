package webhooks

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// repeats reports whether a transaction comes twice. Who adds the payments of a delivery up
// would count it twice.
func repeats[T any](transactions []T, id func(*T) string) bool {
	if len(transactions) < 2 {
		return false
	}
	seen := make(map[string]bool, len(transactions))
	for i := range transactions {
		is := id(&transactions[i])
		if is != "" && seen[is] {
			return true
		}
		seen[is] = true
	}
	return false
}

// hasTwice reports whether a key is in a list twice.
func hasTwice(keys []string) bool {
	var marks [16]uint64 // a bit for some letters of a key, which few lists have twice
	for _, key := range keys {
		if len(key) < 6 {
			return repeats(keys, func(key *string) string { return *key })
		}
		mark := (uint(key[3])*59 ^ uint(key[4])*7 + uint(key[5])) % 1024
		if marks[mark/64]>>(mark%64)&1 != 0 {
			return repeats(keys, func(key *string) string { return *key })
		}
		marks[mark/64] |= 1 << (mark % 64)
	}
	return false
}

// sayRepeats notes in DecodeErr the transactions of the body whose id, the breach's member,
// one before them has, unless the breach is let through. They are kept.
func (d *Delivery) sayRepeats(body []byte, b wire.Breach) {
	b.What = wire.Repeated
	var came struct {
		Transactions []walletfi.Document `json:"transactions"`
	}
	_ = wire.Unmarshal(body, &came) // which was read before
	seen, problem := map[string]bool{}, fmt.Errorf("field %s: %s decides, and is %s", b.Member, b.Name(), b.What)
	for i, raw := range came.Transactions {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(raw, &members)
		id := string(members[b.Member])
		if id != "" && seen[id] && !d.waive(b) {
			d.addUnread(&walletfi.RecordError{List: "transactions", Index: i, Raw: raw, Err: problem, Kept: true})
		}
		seen[id] = true
	}
}

// addUnread adds what is wrong with a record to DecodeErr.
func (d *Delivery) addUnread(r *walletfi.RecordError) {
	var records []*walletfi.RecordError
	if unread, ok := errors.AsType[*walletfi.UnreadError](d.DecodeErr); ok {
		records = unread.Records
	}
	d.DecodeErr = &walletfi.UnreadError{Records: append(records, r)}
}
