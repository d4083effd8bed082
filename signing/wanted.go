package signing

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/walletfi/walletfi-go"
)

// limit is the most of one mint.
type limit struct {
	mint PublicKey
	most uint64
}

// wanted is an intent and its circumstances with the keys decoded.
type wanted struct {
	owner        PublicKey
	service      string
	spend        []limit
	fee          []limit
	burn         []limit
	receive      []limit
	burnAll      []PublicKey
	destinations []PublicKey
	coSigners    []PublicKey
	delegates    []PublicKey
	closes       []PublicKey
	sponsors     []PublicKey
	tip          uint64
	networkFee   uint64
	rent         uint64

	blockhash PublicKey // zero where unknown
	lastValid uint64
	height    uint64
	nonce     *Nonce

	recent recentKeys
}

// maxPerIntent bounds the entries of an intent's lists, and with them the work
// that a check can cost.
const maxPerIntent = 256

func (w *wanted) fill(g *Guard, i *walletfi.Intent, about *circumstances) error {
	r, p := keyReader{recent: &w.recent}, &g.policy
	w.owner, w.service = r.key("Intent.Owner", i.Owner), i.Service
	w.spend = r.limits(w.spend, "Intent.Spend", i.Spend)
	w.fee = r.limits(w.fee, "Intent.ServiceFee", i.ServiceFee)
	w.burn = r.limits(w.burn, "Intent.Burn", i.Burn)
	w.receive = r.limits(w.receive, "Intent.Receive", i.Receive)
	w.burnAll = r.keys(w.burnAll, "Intent.BurnAll", i.BurnAll)
	w.destinations = r.keys(w.destinations, "Intent.Destinations", i.Destinations)
	w.coSigners = append(r.keys(w.coSigners, "Intent.CoSigners", i.CoSigners), p.CoSigners...)
	w.delegates = append(r.keys(w.delegates, "Intent.Delegates", i.Delegates), p.Delegates...)
	w.closes = r.keys(w.closes, "Intent.CloseAccounts", i.CloseAccounts)
	w.sponsors = append(w.sponsors, p.Sponsors...)
	if i.Sponsor != "" {
		w.sponsors = append(w.sponsors, r.key("Intent.Sponsor", i.Sponsor))
	}
	w.tip = uint64(i.TipLamports)
	w.networkFee = uint64(cmp.Or(p.MaxNetworkFeeLamports, DefaultMaxNetworkFeeLamports))
	w.rent = uint64(cmp.Or(p.MaxRentLamports, DefaultMaxRentLamports))
	if i.MaxNetworkFeeLamports != nil {
		w.networkFee = uint64(*i.MaxNetworkFeeLamports)
	}
	if i.MaxRentLamports != nil {
		w.rent = uint64(*i.MaxRentLamports)
	}
	w.lastValid, w.height, w.nonce = about.LastValidBlockHeight, about.BlockHeight, about.Nonce
	if about.Blockhash != "" {
		w.blockhash = r.key("Blockhash", about.Blockhash)
	}
	if r.err == nil && w.owner.IsZero() {
		r.err = &walletfi.ValidationError{Field: "Intent.Owner", Problem: "is the zero key"}
	}
	return r.err
}

// keyReader decodes keys and keeps the first error, with the field's name.
type keyReader struct {
	err    error
	recent *recentKeys
}

// recentKeys remembers what the last texts decode to: a wallet's owner and
// mints are much the same from check to check.
type recentKeys [16]struct {
	text string
	key  PublicKey
}

func (r *keyReader) key(field, text string) PublicKey {
	if len(text) < 32 {
		return r.unreadable(field)
	}
	recent := &r.recent[text[31]%uint8(len(r.recent))]
	if recent.text == text {
		return recent.key
	}
	k, ok := decodeKey(text)
	if !ok {
		return r.unreadable(field)
	}
	recent.text, recent.key = text, k
	return k
}

func (r *keyReader) unreadable(field string) (k PublicKey) {
	if r.err == nil {
		r.err = &walletfi.ValidationError{Field: field, Problem: "is not the base58 of 32 bytes"}
	}
	return k
}

// keys appends what texts decode to.
func (r *keyReader) keys(to []PublicKey, field string, texts []string) []PublicKey {
	r.bound(field, len(texts))
	for _, text := range texts {
		to = append(to, r.key(field, text))
	}
	return to
}

// limits adds up the entries of one mint; SOL and its wrapped forms are one.
func (r *keyReader) limits(to []limit, field string, assets []walletfi.Asset) []limit {
	r.bound(field, len(assets))
	for _, asset := range assets {
		mint := assetOf(r.key(field, asset.Mint))
		if i := slices.IndexFunc(to, func(l limit) bool { return l.mint == mint }); i >= 0 {
			to[i].most = addSaturated(to[i].most, uint64(asset.Amount))
			continue
		}
		to = append(to, limit{mint, uint64(asset.Amount)})
	}
	return to
}

func (r *keyReader) bound(field string, n int) {
	if n > maxPerIntent && r.err == nil {
		r.err = &walletfi.ValidationError{Field: field, Problem: "has more than 256 entries"}
	}
}

// assetOf makes one asset of SOL, wrapped SOL and Token-2022's native mint.
func assetOf(mint PublicKey) PublicKey {
	if mint == NativeMintToken2022 {
		return NativeMint
	}
	return mint
}

func most(limits []limit, mint PublicKey) uint64 {
	for _, l := range limits {
		if l.mint == mint {
			return l.most
		}
	}
	return 0
}

func addSaturated(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return ^uint64(0)
	}
	return sum
}
