package burnclose

import (
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
)

// MaxPartnerFeeBps is the highest partner fee, in basis points.
const MaxPartnerFeeBps = 9800

// Terms are what every burn and close can say about its transaction's format
// and about who pays and earns what.
type Terms struct {
	// FeePayer is the sponsor that pays the network fee in place of the owner,
	// base58. Empty means that the owner does.
	FeePayer string `json:"feePayer,omitzero"`
	// AsLegacyTransaction asks for the legacy format. Nil leaves the format to
	// the service.
	AsLegacyTransaction *bool `json:"asLegacyTransaction,omitempty"`
	// PriorityFeeMicroLamports is a compute unit's price. Nil leaves it to the
	// service; 0 means none.
	PriorityFeeMicroLamports *uint64 `json:"priorityFeeMicroLamports,omitempty"`

	// PartnerFeeAccount earns PartnerFeeBps of what is reclaimed: an address,
	// base58. Both are set, or neither.
	PartnerFeeAccount string `json:"partnerFeeAccount,omitzero"`
	// PartnerFeeBps is 0 to MaxPartnerFeeBps. Nil means no partner; 0 is a fee
	// like any other.
	PartnerFeeBps *int `json:"partnerFeeBps,omitempty"`
	// ReferralCode is 2 to 20 lowercase letters and digits. It cannot stand
	// beside a partner fee.
	ReferralCode string `json:"referralCode,omitzero"`
}

func (t Terms) problem() error {
	partner := t.PartnerFeeAccount != "" || t.PartnerFeeBps != nil
	return check.All(
		check.OptionalAddress("feePayer", t.FeePayer),
		check.OptionalAddress("partnerFeeAccount", t.PartnerFeeAccount),
		check.RangeOf("partnerFeeBps", t.PartnerFeeBps, 0, MaxPartnerFeeBps),
		check.That(t.PartnerFeeAccount != "" || t.PartnerFeeBps == nil, "partnerFeeAccount", "is required beside partnerFeeBps"),
		check.That(t.PartnerFeeBps != nil || t.PartnerFeeAccount == "", "partnerFeeBps", "is required beside partnerFeeAccount"),
		check.That(t.ReferralCode == "" || isReferralCode(t.ReferralCode), "referralCode", "must be 2 to 20 lowercase letters and digits"),
		check.That(t.ReferralCode == "" || !partner, "referralCode", "cannot stand beside a partner fee"),
	)
}

func isReferralCode(code string) bool {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	return len(code) >= 2 && len(code) <= 20 && strings.Trim(code, alphabet) == ""
}

// intent is what owner's request on these terms allows whatever it burns or
// closes; accounts is how many it closes at most, r what the answer says of
// them.
func (t Terms) intent(owner string, accounts uint64, r Reclaimed) walletfi.Intent {
	i := walletfi.Intent{Service: service, Owner: owner}
	if t.FeePayer != owner {
		i.Sponsor = t.FeePayer
	}
	if t.PriorityFeeMicroLamports != nil {
		i.MaxNetworkFeeLamports = new(networkfee.Cap(*t.PriorityFeeMicroLamports))
	}
	if fee := t.partnerFeeCap(accounts, r); fee > 0 {
		i.ServiceFee = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: fee}}
	}
	return i
}
