package judge

import (
	"cmp"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// wanted is an intent and its circumstances with the keys decoded.
type wanted struct {
	owner        Key
	service      string
	caps         caps.Caps
	receive      []caps.Limit
	promised     []caps.Limit // receive, and what arrives later
	burnAll      []Key
	payTo        []Key
	outputTo     []Key
	feeTo        []Key
	coSigners    []Key
	delegates    []Key
	closes       []Key
	sponsors     []Key
	sponsored    bool // the intent names one
	networkFee   uint64
	transactions int // most of a set

	blockhash Key // zero if unknown
	lastValid uint64
	height    uint64
	nonce     *Nonce
	executed  int // transactions of the set

	recent recentKeys
}

// maxTransactions is the most transactions of a set if the intent does not say.
const maxTransactions = 16

// maxPerIntent bounds the entries of an intent's lists, and with them the work
// that a check can cost.
const maxPerIntent = 256

func (w *wanted) fill(p *Policy, i *walletfi.Intent, about *Circumstances) error {
	r := keyReader{recent: &w.recent}
	w.owner, w.service = r.key("Intent.Owner", i.Owner), i.Service
	w.caps.Spend = r.limits(w.caps.Spend, "Intent.Spend", i.Spend)
	w.caps.Fee = r.limits(w.caps.Fee, "Intent.ServiceFee", i.ServiceFee)
	w.caps.Burn = r.limits(w.caps.Burn, "Intent.Burn", i.Burn)
	w.receive = r.limits(w.receive, "Intent.Receive", i.Receive)
	w.promised = append(w.promised, w.receive...)
	if i.ReceiveAfter != nil { // other transactions deliver it
		w.receive = w.receive[:0]
	}
	w.burnAll = r.keys(w.burnAll, "Intent.BurnAll", i.BurnAll)
	w.payTo = r.keys(w.payTo, "Intent.PayTo", i.PayTo)
	w.outputTo = r.keys(w.outputTo, "Intent.OutputTo", i.OutputTo)
	w.feeTo = r.keys(w.feeTo, "Intent.FeeTo", i.FeeTo)
	w.coSigners = append(r.keys(w.coSigners, "Intent.CoSigners", i.CoSigners), p.CoSigners...)
	w.delegates = append(r.keys(w.delegates, "Intent.Delegates", i.Delegates), p.Delegates...)
	w.closes = r.keys(w.closes, "Intent.CloseAccounts", i.CloseAccounts)
	w.sponsors = append(w.sponsors, p.Sponsors...)
	if w.sponsored = i.Sponsor != ""; w.sponsored {
		w.sponsors = append(w.sponsors, r.key("Intent.Sponsor", i.Sponsor))
	}
	w.caps.Tip = uint64(i.TipLamports)
	w.networkFee, w.caps.Rent = about.NetworkFee, about.Rent
	if i.MaxNetworkFeeLamports != nil {
		w.networkFee = uint64(*i.MaxNetworkFeeLamports)
	}
	if i.MaxRentLamports != nil {
		w.caps.Rent = uint64(*i.MaxRentLamports)
	}
	w.transactions = cmp.Or(i.MaxTransactions, maxTransactions)
	if r.err == nil && (i.MaxTransactions < 0 || i.MaxTransactions > maxPerIntent) {
		r.err = &walletfi.ValidationError{Field: "Intent.MaxTransactions", Problem: "is not from 0 to 256"}
	}
	w.caps.ForeignRent = max(about.ForeignRent, uint64(i.MaxForeignRentLamports))
	w.lastValid, w.height, w.nonce = about.LastValidBlockHeight, about.BlockHeight, about.Nonce
	w.executed = about.Executed
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
	key  Key
}

func (r *keyReader) key(field, text string) Key {
	if len(text) < 32 {
		r.unreadable(field)
		return Key{}
	}
	recent := &r.recent[text[31]%uint8(len(r.recent))]
	if recent.text == text {
		return recent.key
	}
	k, ok := txwire.DecodeKey(text)
	if !ok {
		r.unreadable(field)
		return Key{}
	}
	recent.text, recent.key = text, k
	return k
}

func (r *keyReader) unreadable(field string) {
	if r.err == nil {
		r.err = &walletfi.ValidationError{Field: field, Problem: "is not the base58 of 32 bytes"}
	}
}

// keys appends what texts decode to.
func (r *keyReader) keys(to []Key, field string, texts []string) []Key {
	r.bound(field, len(texts))
	for _, text := range texts {
		to = append(to, r.key(field, text))
	}
	return to
}

// limits adds up the entries of one mint; SOL and its wrapped forms are one.
func (r *keyReader) limits(to []caps.Limit, field string, assets []walletfi.Asset) []caps.Limit {
	r.bound(field, len(assets))
	for _, asset := range assets {
		mint := program.Asset(r.key(field, asset.Mint))
		if i := slices.IndexFunc(to, func(l caps.Limit) bool { return l.Mint == mint }); i >= 0 {
			to[i].Most = caps.Add(to[i].Most, uint64(asset.Amount))
			continue
		}
		to = append(to, caps.Limit{Mint: mint, Most: uint64(asset.Amount)})
	}
	return to
}

func (r *keyReader) bound(field string, n int) {
	if n > maxPerIntent && r.err == nil {
		r.err = &walletfi.ValidationError{Field: field, Problem: "has more than 256 entries"}
	}
}
