package burnclose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// terms has what all ten routes share.
type terms struct {
	_                 struct{} `rule:"partnerFeeAccount and partnerFeeBps go together"`
	_                 struct{} `rule:"referralCode excludes the partner fee"`
	User              string   `body:"userPublicKey,required" form:"key"`
	FeePayer          *string  `body:"feePayer" form:"key"`
	Legacy            bool     `body:"asLegacyTransaction"`
	PriorityFee       uint64   `body:"priorityFeeMicroLamports"`
	PartnerFeeAccount *string  `body:"partnerFeeAccount" form:"key"`
	PartnerFeeBps     *int     `body:"partnerFeeBps" min:"0" max:"9800"`
	ReferralCode      *string  `body:"referralCode" pattern:"^[a-z0-9]{2,20}$"`
}

type closeRequest struct {
	terms
	Asset string `body:"assetId,required" form:"key"`
}

type burnRequest struct {
	terms
	Asset     string  `body:"assetId,required" form:"key"`
	Amount    *amount `body:"burnAmount"`
	AutoClose *bool   `body:"autoCloseTokenAccounts"` // true if it is not sent
}

type batchRequest struct {
	terms
	Offset int  `body:"offset" min:"0"`
	Limit  *int `body:"limit" min:"0"` // nil means no end
}

// amount is a positive integer, as a number or as a string.
type amount uint64

// UnmarshalJSON reads a positive integer in either form.
func (a *amount) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if bytes.HasPrefix(raw, []byte(`"`)) {
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 || !kit.IsInteger(text) {
		return fmt.Errorf("%q is not a positive integer", text)
	}
	*a = amount(n)
	return nil
}

// options are the terms, read.
type options struct {
	user, payer solana.PublicKey
	legacy      bool
	unitPrice   uint64
	partner     solana.PublicKey // zero means none
	partnerBps  uint64
	referral    string // empty means none
}

func (in terms) Problems(*kit.Call) (problems []string) {
	if (in.PartnerFeeAccount == nil) != (in.PartnerFeeBps == nil) {
		problems = append(problems, "partnerFeeAccount and partnerFeeBps go together")
	}
	if in.ReferralCode != nil && (in.PartnerFeeAccount != nil || in.PartnerFeeBps != nil) {
		problems = append(problems, "referralCode excludes the partner fee")
	}
	return problems
}

// options reads what the fields have checked.
func (in terms) options(c *kit.Call) options {
	o := options{legacy: in.Legacy, unitPrice: in.PriorityFee, referral: kit.Or(in.ReferralCode, "")}
	o.user = c.Key(in.User, "userPublicKey")
	o.payer = c.Key(kit.Or(in.FeePayer, in.User), "feePayer")
	if in.PartnerFeeAccount != nil {
		o.partner, o.partnerBps = c.Key(*in.PartnerFeeAccount, "partnerFeeAccount"), uint64(*in.PartnerFeeBps)
	}
	return o
}
