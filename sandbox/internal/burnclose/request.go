package burnclose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type burnRequest struct {
	_                 struct{} `rule:"partnerFeeAccount and partnerFeeBps go together"`
	_                 struct{} `rule:"referralCode excludes the partner fee"`
	User              string   `body:"userPublicKey,required" form:"key"`
	Asset             string   `body:"assetId,required" form:"key"`
	FeePayer          *string  `body:"feePayer" form:"key"`
	Legacy            bool     `body:"asLegacyTransaction"`
	PriorityFee       uint64   `body:"priorityFeeMicroLamports"`
	PartnerFeeAccount *string  `body:"partnerFeeAccount" form:"key"`
	PartnerFeeBps     *int     `body:"partnerFeeBps" min:"0" max:"9800"`
	ReferralCode      *string  `body:"referralCode" pattern:"^[a-z0-9]{2,20}$"`
	Amount            *amount  `body:"burnAmount"`
	AutoClose         *bool    `body:"autoCloseTokenAccounts"` // true if it is not sent
}

type closeRequest struct {
	_                 struct{} `rule:"partnerFeeAccount and partnerFeeBps go together"`
	_                 struct{} `rule:"referralCode excludes the partner fee"`
	User              string   `body:"userPublicKey,required" form:"key"`
	Asset             string   `body:"assetId,required" form:"key"`
	FeePayer          *string  `body:"feePayer" form:"key"`
	Legacy            bool     `body:"asLegacyTransaction"`
	PriorityFee       uint64   `body:"priorityFeeMicroLamports"`
	PartnerFeeAccount *string  `body:"partnerFeeAccount" form:"key"`
	PartnerFeeBps     *int     `body:"partnerFeeBps" min:"0" max:"9800"`
	ReferralCode      *string  `body:"referralCode" pattern:"^[a-z0-9]{2,20}$"`
}

type batchRequest struct {
	_                 struct{} `rule:"partnerFeeAccount and partnerFeeBps go together"`
	_                 struct{} `rule:"referralCode excludes the partner fee"`
	User              string   `body:"userPublicKey,required" form:"key"`
	FeePayer          *string  `body:"feePayer" form:"key"`
	Legacy            bool     `body:"asLegacyTransaction"`
	PriorityFee       uint64   `body:"priorityFeeMicroLamports"`
	Offset            int      `body:"offset" min:"0"`
	Limit             *int     `body:"limit" min:"0"` // nil means no end
	PartnerFeeAccount *string  `body:"partnerFeeAccount" form:"key"`
	PartnerFeeBps     *int     `body:"partnerFeeBps" min:"0" max:"9800"`
	ReferralCode      *string  `body:"referralCode" pattern:"^[a-z0-9]{2,20}$"`
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

// options is what all ten routes share, read and checked.
type options struct {
	user, payer solana.PublicKey
	legacy      bool
	unitPrice   uint64
	partner     solana.PublicKey // zero means none
	partnerBps  uint64
	referral    string // empty means none
}

func (in burnRequest) options(c *kit.Call) (options, error) {
	return closeRequest{
		User: in.User, FeePayer: in.FeePayer, Legacy: in.Legacy, PriorityFee: in.PriorityFee,
		PartnerFeeAccount: in.PartnerFeeAccount, PartnerFeeBps: in.PartnerFeeBps, ReferralCode: in.ReferralCode,
	}.options(c)
}

func (in batchRequest) options(c *kit.Call) (options, error) {
	return closeRequest{
		User: in.User, FeePayer: in.FeePayer, Legacy: in.Legacy, PriorityFee: in.PriorityFee,
		PartnerFeeAccount: in.PartnerFeeAccount, PartnerFeeBps: in.PartnerFeeBps, ReferralCode: in.ReferralCode,
	}.options(c)
}

// Problems checks what the fields do not.
func (in burnRequest) Problems(*kit.Call) []string {
	return fees(in.PartnerFeeAccount, in.PartnerFeeBps, in.ReferralCode)
}

// Problems checks what the fields do not.
func (in closeRequest) Problems(*kit.Call) []string {
	return fees(in.PartnerFeeAccount, in.PartnerFeeBps, in.ReferralCode)
}

// Problems checks what the fields do not.
func (in batchRequest) Problems(*kit.Call) []string {
	return fees(in.PartnerFeeAccount, in.PartnerFeeBps, in.ReferralCode)
}

// fees checks the fields that are paid for a referral.
func fees(account *string, bps *int, code *string) (problems []string) {
	if (account == nil) != (bps == nil) {
		problems = append(problems, "partnerFeeAccount and partnerFeeBps go together")
	}
	if code != nil && (account != nil || bps != nil) {
		problems = append(problems, "referralCode excludes the partner fee")
	}
	return problems
}

// options reads what the fields have checked.
func (in closeRequest) options(c *kit.Call) (o options, err error) {
	o = options{legacy: in.Legacy, unitPrice: in.PriorityFee}
	if o.user, err = c.Key(in.User, "userPublicKey"); err != nil {
		return o, err
	}
	o.payer = o.user
	if in.FeePayer != nil {
		if o.payer, err = c.Key(*in.FeePayer, "feePayer"); err != nil {
			return o, err
		}
	}
	if in.PartnerFeeAccount != nil {
		if o.partner, err = c.Key(*in.PartnerFeeAccount, "partnerFeeAccount"); err != nil {
			return o, err
		}
		o.partnerBps = uint64(*in.PartnerFeeBps)
	}
	if in.ReferralCode != nil {
		o.referral = *in.ReferralCode
	}
	return o, nil
}
