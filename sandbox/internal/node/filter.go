package node

import (
	"bytes"
	"encoding/base64"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// filter is one of those that an account must pass: one of its members is set.
type filter struct {
	Size    *uint64 `json:"dataSize,omitempty"`
	Compare *struct {
		Offset   uint64 `json:"offset"`
		Bytes    string `json:"bytes"`
		Encoding string `json:"encoding"`
	} `json:"memcmp,omitempty"`
}

// matches reports whether an account passes all filters.
func matches(a *ledger.Account, filters []filter) bool {
	for _, f := range filters {
		if f.Size != nil && *f.Size != uint64(len(a.Data)) {
			return false
		}
		if f.Compare == nil {
			continue
		}
		want, err := base58.Decode(f.Compare.Bytes)
		if f.Compare.Encoding == "base64" {
			want, err = base64.StdEncoding.DecodeString(f.Compare.Bytes)
		}
		if err != nil || f.Compare.Offset > uint64(len(a.Data)) || !bytes.HasPrefix(a.Data[f.Compare.Offset:], want) {
			return false
		}
	}
	return true
}
