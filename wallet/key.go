package wallet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
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

// states reports an intent that says what it asks for.
func states(i walletfi.Intent) bool { return len(i.Asked) > 0 }

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

// intentID is the same for two intents that ask for the same.
func intentID(i walletfi.Intent) string {
	asked := maps.Collect(maps.All(i.Asked))                     // none and empty are the same
	text, _ := json.Marshal([]any{asked, outline(i, states(i))}) // plain data: it cannot fail
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// otherThan says in what two intents ask for something else: its name, and what each says
// of it. The name is empty if both can be builds of one payment. If one of them does not
// state what it asks for, such as an entry of an earlier version, what the guard is told
// is compared, as far as both have it.
func otherThan(was, now walletfi.Intent) (name, before, after string) {
	both := states(was) && states(now)
	if both {
		name, before, after = differing(was.Asked, now.Asked)
	}
	if name == "" {
		name, before, after = differing(outline(was, both), outline(now, both))
	}
	return name, before, after
}

// differing names the first thing in which two differ, owner, service and request before
// all else. What one of them does not say of the loose ones is no contradiction: if
// something leaves, its mint is compared.
func differing(was, now map[string]string) (name, before, after string) {
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
	for _, a := range sum(assets) {
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

// ErrKeyReused means that a key was given for something else than the payment that the
// journal has it for. The error names what differs, what it was and what is asked for now,
// and answers to walletfi.ErrNotSent and walletfi.ErrInvalidRequest too: of this call
// nothing was signed. Wallet.Outcome says what became of the key's own payment.
var ErrKeyReused = errors.New("the key names another payment")

// reused is the error of a call that asks for another payment under e's key, nil if
// nothing is named.
func (e Entry) reused(name, before, after string) error {
	if name == "" {
		return nil
	}
	const nothing = "nothing"
	return fmt.Errorf("%w: %w", ErrKeyReused, &walletfi.ValidationError{Field: "key", Problem: fmt.Sprintf(
		"%q is in use for %s %s, not %s", e.callersKey(), name, cmp.Or(before, nothing), cmp.Or(after, nothing),
	)})
}

// sameCaller refuses a key that the journal has for another payment.
func (e Entry) sameCaller(fresh Entry) error {
	if e.Schema > Schema {
		return fmt.Errorf("%w: key %q has schema %d, this one knows %d", ErrNewerJournal, e.Key, e.Schema, Schema)
	}
	return e.reused(otherThan(e.Asked, fresh.Asked))
}

// enter begins an Execute. What runs for another payment under the key is left alone.
func (w *Wallet) enter(ctx context.Context, fresh Entry) (free func(), err error) {
	if w.works(fresh.Key) {
		if err := w.inUse(ctx, fresh, nil); err != nil {
			return nil, err
		}
	}
	free, err = w.begin(ctx, fresh.Key)
	if errors.Is(err, walletfi.ErrOutcomeUnknown) {
		err = w.inUse(ctx, fresh, err)
	}
	return free, err
}

// inUse is the error of a call whose key another works on: running, unless that is known
// to be for another payment.
func (w *Wallet) inUse(ctx context.Context, fresh Entry, running error) error {
	was, err := w.journal.Load(ctx, fresh.Key)
	if err != nil || was.Version == 0 {
		return running
	}
	if err := was.sameCaller(fresh); err != nil {
		return notSent(err)
	}
	return running
}
