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
	sponsors     []PublicKey
	tip          uint64
	networkFee   uint64
	rent         uint64

	blockhash PublicKey // zero where unknown
	lastValid uint64
	height    uint64
	nonce     *Nonce
}

// maxPerIntent bounds the entries of an intent's lists, and with them the work
// that a check can cost.
const maxPerIntent = 256

func (g *Guard) wanted(i walletfi.Intent, c Circumstances) (*wanted, error) {
	r := keyReader{}
	w := &wanted{
		owner:        r.key("Intent.Owner", i.Owner),
		service:      i.Service,
		spend:        r.limits("Intent.Spend", i.Spend),
		fee:          r.limits("Intent.ServiceFee", i.ServiceFee),
		burn:         r.limits("Intent.Burn", i.Burn),
		receive:      r.limits("Intent.Receive", i.Receive),
		burnAll:      r.keys("Intent.BurnAll", i.BurnAll, nil),
		destinations: r.keys("Intent.Destinations", i.Destinations, nil),
		coSigners:    r.keys("Intent.CoSigners", i.CoSigners, g.policy.CoSigners),
		delegates:    r.keys("Intent.Delegates", i.Delegates, g.policy.Delegates),
		sponsors:     g.policy.Sponsors,
		tip:          uint64(i.TipLamports),
		networkFee:   cmp.Or(uint64(g.policy.MaxNetworkFeeLamports), DefaultMaxNetworkFeeLamports),
		rent:         cmp.Or(uint64(g.policy.MaxRentLamports), DefaultMaxRentLamports),
		lastValid:    c.LastValidBlockHeight, height: c.BlockHeight, nonce: c.Nonce,
	}
	if i.Sponsor != "" {
		w.sponsors = append(slices.Clip(w.sponsors), r.key("Intent.Sponsor", i.Sponsor))
	}
	if c.Blockhash != "" {
		w.blockhash = r.key("Blockhash", c.Blockhash)
	}
	if i.MaxNetworkFeeLamports != nil {
		w.networkFee = uint64(*i.MaxNetworkFeeLamports)
	}
	if i.MaxRentLamports != nil {
		w.rent = uint64(*i.MaxRentLamports)
	}
	if r.err == nil && w.owner.IsZero() {
		r.err = &walletfi.ValidationError{Field: "Intent.Owner", Problem: "is the zero key"}
	}
	return w, r.err
}

// keyReader decodes keys and keeps the first error, with the field's name.
type keyReader struct{ err error }

func (r *keyReader) key(field, text string) PublicKey {
	k, ok := decodeKey(text)
	if !ok && r.err == nil {
		r.err = &walletfi.ValidationError{Field: field, Problem: "is not the base58 of 32 bytes"}
	}
	return k
}

// keys decodes texts behind those of more.
func (r *keyReader) keys(field string, texts []string, more []PublicKey) []PublicKey {
	if len(texts) == 0 {
		return more
	}
	r.bound(field, len(texts))
	all := make([]PublicKey, 0, len(texts)+len(more))
	for _, text := range texts {
		all = append(all, r.key(field, text))
	}
	return append(all, more...)
}

// limits adds up the entries of one mint; SOL and its wrapped forms are one.
func (r *keyReader) limits(field string, assets []walletfi.Asset) []limit {
	if len(assets) == 0 {
		return nil
	}
	r.bound(field, len(assets))
	all := make([]limit, 0, len(assets))
	for _, asset := range assets {
		mint := assetOf(r.key(field, asset.Mint))
		if i := slices.IndexFunc(all, func(l limit) bool { return l.mint == mint }); i >= 0 {
			all[i].most = addSaturated(all[i].most, uint64(asset.Amount))
			continue
		}
		all = append(all, limit{mint, uint64(asset.Amount)})
	}
	return all
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
