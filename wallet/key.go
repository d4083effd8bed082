package wallet

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// Prefixes keep the caller's keys and derived ones apart.
const (
	callerKey  = "key:"
	derivedKey = "intent:"
)

// maxKey is how long a caller's key may be, in bytes. With its prefix it fits a
// column of 255.
const maxKey = 250

// checkKey refuses what some journal would not give back as it was: JSON turns
// all invalid UTF-8 into the same character, so that a key is not found again, or
// two are one.
func checkKey(key string) error {
	return check.All(
		check.That(utf8.ValidString(key), "key", "is not valid UTF-8: write bytes as text"),
		check.That(!strings.ContainsRune(key, 0), "key", "holds a zero byte"),
		check.That(len(key) <= maxKey, "key", fmt.Sprintf("is %d bytes, at most %d are allowed", len(key), maxKey)),
	)
}

// asked is what an intent says of the caller's wish. The amounts that a service
// quotes are not in it: a swap that is quoted again is the same wish. Nor are
// the caps on fees, rent and tips, nor the sponsor and the co-signers.
type asked struct {
	Service, Owner  string
	Spend, Burn     []walletfi.Asset
	BurnAll         []string
	Receive         []string // mints
	PayTo, OutputTo []string
	Delegates       []string
	CloseAccounts   []string
}

// intentID is the same for two intents that ask for the same.
func intentID(i walletfi.Intent) string {
	a := asked{
		Service: i.Service, Owner: i.Owner, Spend: sum(i.Spend), Burn: sum(i.Burn),
		BurnAll: set(i.BurnAll), Receive: mints(i.Receive),
		PayTo: set(i.PayTo), OutputTo: set(i.OutputTo), Delegates: set(i.Delegates), CloseAccounts: set(i.CloseAccounts),
	}
	text, _ := json.Marshal(a) // plain data: it cannot fail
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// sameKind reports whether two intents can be two builds of one payment. Amounts
// do not count, as a service may have derived them. What only one of the two
// states is no contradiction, unless it is what the owner gives away.
func sameKind(a, b walletfi.Intent) bool {
	gives := func(i walletfi.Intent) []string { return mints(slices.Concat(i.Spend, i.Burn)) }
	return slices.Equal(gives(a), gives(b)) &&
		agree(mints(a.Receive), mints(b.Receive)) && agree(set(a.PayTo), set(b.PayTo)) && agree(set(a.OutputTo), set(b.OutputTo))
}

// agree reports whether two sets are equal or one of them is not stated.
func agree(a, b []string) bool { return len(a) == 0 || len(b) == 0 || slices.Equal(a, b) }

// sum adds up what is listed of one mint, sorted.
func sum(assets []walletfi.Asset) []walletfi.Asset {
	byMint := map[string]walletfi.Amount{}
	for _, a := range assets {
		byMint[a.Mint] += a.Amount
	}
	all := []walletfi.Asset{}
	for mint, amount := range byMint {
		all = append(all, walletfi.Asset{Mint: mint, Amount: amount})
	}
	slices.SortFunc(all, func(a, b walletfi.Asset) int { return cmp.Compare(a.Mint, b.Mint) })
	return all
}

func mints(assets []walletfi.Asset) []string {
	all := []string{}
	for _, a := range assets {
		all = append(all, a.Mint)
	}
	return set(all)
}

// set returns the values sorted, each once; never nil, so that nil and empty
// are the same.
func set(values []string) []string {
	all := append([]string{}, values...)
	slices.Sort(all)
	return slices.Compact(all)
}
