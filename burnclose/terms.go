package burnclose

import (
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
)

// MaxPartnerFeeBps is the highest partner fee, in basis points.
const MaxPartnerFeeBps = 9800

// Terms are the options of every burn and close: the transaction's format, the
// fee payer and the fees.
type Terms struct {
	// FeePayer is the sponsor that pays the network fee instead of the owner,
	// base58. Empty means the owner.
	FeePayer string `json:"feePayer,omitzero" asked:"-"`
	// AsLegacyTransaction asks for the legacy format. Nil lets the service decide.
	AsLegacyTransaction *bool `json:"asLegacyTransaction,omitempty" asked:"-"`
	// ComputeUnitPriceMicroLamports is the price per compute unit. Nil lets the service
	// decide; 0 means no fee.
	ComputeUnitPriceMicroLamports *uint64 `json:"priorityFeeMicroLamports,omitempty" asked:"-"`

	// PartnerFeeAccount is the address that receives PartnerFeeBps of what is
	// reclaimed, base58. Set both or neither.
	PartnerFeeAccount string `json:"partnerFeeAccount,omitzero"`
	// PartnerFeeBps is 0 to MaxPartnerFeeBps. Nil means no partner; 0 is sent.
	PartnerFeeBps *int `json:"partnerFeeBps,omitempty"`
	// ReferralCode is 2 to 20 lowercase letters and digits. It excludes a partner
	// fee.
	ReferralCode string `json:"referralCode,omitzero"`
}

func (t Terms) problem() error {
	partner := t.PartnerFeeAccount != "" || t.PartnerFeeBps != nil
	return check.All(
		check.OptionalAddress("feePayer", t.FeePayer),
		check.OptionalAddress("partnerFeeAccount", t.PartnerFeeAccount),
		check.RangeOf("partnerFeeBps", t.PartnerFeeBps, 0, MaxPartnerFeeBps),
		check.That(t.PartnerFeeAccount != "" || t.PartnerFeeBps == nil, "partnerFeeAccount",
			"is required with partnerFeeBps"),
		check.That(t.PartnerFeeBps != nil || t.PartnerFeeAccount == "", "partnerFeeBps",
			"is required with partnerFeeAccount"),
		check.That(t.ReferralCode == "" || isReferralCode(t.ReferralCode), "referralCode",
			"must be 2 to 20 lowercase letters and digits"),
		check.That(t.ReferralCode == "" || !partner, "referralCode", "excludes a partner fee"),
	)
}

func isReferralCode(code string) bool {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	return len(code) >= 2 && len(code) <= 20 && strings.Trim(code, alphabet) == ""
}

const (
	accountRentLamports = 2_248_080  // the most that a token account without further extensions holds
	defaultRentLamports = 30_000_000 // what package signing allows without more
)

// intent returns the part of the intent that follows from the terms. accounts
// is the most that the request closes; r holds what the answer says about them.
func (t Terms) intent(owner string, accounts uint64, r Reclaimed) walletfi.Intent {
	i := walletfi.Intent{Service: service, Owner: owner}
	if t.FeePayer != owner {
		i.Sponsor = t.FeePayer
		if rent := walletfi.Amount(accounts * accountRentLamports); rent > defaultRentLamports {
			i.MaxRentLamports = &rent // which may go to the sponsor
		}
	}
	if t.ComputeUnitPriceMicroLamports != nil {
		i.MaxNetworkFeeLamports = new(networkfee.Cap(*t.ComputeUnitPriceMicroLamports))
	}
	if fee := t.partnerFeeCap(accounts, r); fee > 0 {
		i.ServiceFee = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: fee}}
		i.FeeTo = []string{t.PartnerFeeAccount}
	}
	return i
}
