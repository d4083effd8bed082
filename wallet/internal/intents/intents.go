// Package intents says whether two intents ask for the same payment, and in what they differ if
// they do not. The wallet holds what it is called with against what its journal has for the key.
package intents

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
)

// Stated reports an intent that says what it asks for.
func Stated(i walletfi.Intent) bool { return len(i.Asked) > 0 }

// outline is the part of an intent that the guard is told: owner, service and where
// things go, and unless that is stated, what leaves and what arrives. The caps on fees,
// rent and tips, the sponsor and the co-signers are not in it.
func outline(i walletfi.Intent, stated bool) map[string]string {
	all := map[string]string{
		"owner": i.Owner, "service": i.Service, "payTo": list(i.PayTo), "outputTo": list(i.OutputTo),
		"burnAll": list(i.BurnAll), "delegates": list(i.Delegates), "closeAccounts": list(i.CloseAccounts),
	}
	if !stated {
		all["spend.mint"], all["spend.amount"] = amounts(i.Spend, i.Asked)
		all["burn.mint"], all["burn.amount"] = amounts(i.Burn, i.Asked)
		all["receive.mint"], _ = amounts(i.Receive, i.Asked)
	}
	return all
}

// ID is the same for two intents that ask for the same.
func ID(i walletfi.Intent) string {
	asked := maps.Collect(maps.All(i.Asked))                     // none and empty are the same
	text, _ := json.Marshal([]any{asked, outline(i, Stated(i))}) // plain data: it cannot fail
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// OtherThan says in what two intents ask for something else: its name, and what each says
// of it. The name is empty if both can be builds of one payment. If one of them does not
// state what it asks for, such as an entry of an earlier version, what the guard is told
// is compared, as far as both have it.
func OtherThan(was, now walletfi.Intent) (name, before, after string) {
	both := Stated(was) && Stated(now)
	if both {
		name, before, after = Differing(was.Asked, now.Asked)
	}
	if name == "" {
		name, before, after = Differing(outline(was, both), outline(now, both))
	}
	return name, before, after
}

// Differing names the first thing in which two differ, owner, service and request before
// all else. What one of them does not say of the loose ones is no contradiction: if
// something leaves, its mint is compared.
func Differing(was, now map[string]string) (name, before, after string) {
	all := maps.Clone(was)
	maps.Copy(all, now)
	loose := []string{"spend.amount", "burn.amount", "receive.mint"}
	for _, name := range append([]string{"owner", "service", asking.Request}, slices.Sorted(maps.Keys(all))...) {
		unsaid := was[name] == "" || now[name] == ""
		if was[name] != now[name] && !(unsaid && slices.Contains(loose, name)) {
			return name, was[name], now[name]
		}
	}
	return "", "", ""
}

// amounts are the mints of a list, and how much of each. Of amounts that are not in what
// was asked for, if that is stated, nothing is said: the service quoted them.
func amounts(assets []walletfi.Asset, asked map[string]string) (mints, each string) {
	stated, quoted := slices.Collect(maps.Values(asked)), false
	var m, n []string
	for _, a := range Sum(assets) {
		m, n = append(m, a.Mint), append(n, a.Amount.String())
		quoted = quoted || len(asked) > 0 && !slices.Contains(stated, a.Amount.String())
	}
	if quoted {
		n = nil
	}
	return strings.Join(m, " "), strings.Join(n, " ")
}

// list is the values sorted, each once.
func list(values []string) string {
	all := slices.Clone(values)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// Sum adds up what is listed of one mint, sorted.
func Sum(assets []walletfi.Asset) []walletfi.Asset {
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
