package burnclose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type burnRequest struct {
	User              string  `body:"userPublicKey,required"`
	Asset             string  `body:"assetId,required"`
	FeePayer          *string `body:"feePayer"`
	Legacy            bool    `body:"asLegacyTransaction"`
	PriorityFee       uint64  `body:"priorityFeeMicroLamports"`
	PartnerFeeAccount *string `body:"partnerFeeAccount"`
	PartnerFeeBps     *int    `body:"partnerFeeBps" min:"0" max:"9800"`
	ReferralCode      *string `body:"referralCode"`
	Amount            *amount `body:"burnAmount"`
	AutoClose         *bool   `body:"autoCloseTokenAccounts"` // true if it is not sent
}

type closeRequest struct {
	User              string  `body:"userPublicKey,required"`
	Asset             string  `body:"assetId,required"`
	FeePayer          *string `body:"feePayer"`
	Legacy            bool    `body:"asLegacyTransaction"`
	PriorityFee       uint64  `body:"priorityFeeMicroLamports"`
	PartnerFeeAccount *string `body:"partnerFeeAccount"`
	PartnerFeeBps     *int    `body:"partnerFeeBps" min:"0" max:"9800"`
	ReferralCode      *string `body:"referralCode"`
}

type batchRequest struct {
	User              string  `body:"userPublicKey,required"`
	FeePayer          *string `body:"feePayer"`
	Legacy            bool    `body:"asLegacyTransaction"`
	PriorityFee       uint64  `body:"priorityFeeMicroLamports"`
	Offset            int     `body:"offset" min:"0"`
	Limit             *int    `body:"limit" min:"0"` // nil means no end
	PartnerFeeAccount *string `body:"partnerFeeAccount"`
	PartnerFeeBps     *int    `body:"partnerFeeBps" min:"0" max:"9800"`
	ReferralCode      *string `body:"referralCode"`
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
	if err != nil || n == 0 {
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

var referral = regexp.MustCompile(`^[a-z0-9]{2,20}$`)

func (in burnRequest) options(c *kit.Call) (options, error) {
	return closeRequest{
		in.User, in.Asset, in.FeePayer, in.Legacy, in.PriorityFee, in.PartnerFeeAccount, in.PartnerFeeBps, in.ReferralCode,
	}.options(c)
}

func (in batchRequest) options(c *kit.Call) (options, error) {
	return closeRequest{
		in.User, "", in.FeePayer, in.Legacy, in.PriorityFee, in.PartnerFeeAccount, in.PartnerFeeBps, in.ReferralCode,
	}.options(c)
}

// options checks what tags cannot say. A correct client checks it before it
// sends, so that all but bad addresses are violations.
func (in closeRequest) options(c *kit.Call) (o options, err error) {
	problem := ""
	switch {
	case (in.PartnerFeeAccount == nil) != (in.PartnerFeeBps == nil):
		problem = "partnerFeeAccount and partnerFeeBps go together"
	case in.ReferralCode != nil && in.PartnerFeeAccount != nil:
		problem = "referralCode and the partner fee exclude each other"
	case in.ReferralCode != nil && !referral.MatchString(*in.ReferralCode):
		problem = "referralCode is not 2 to 20 lowercase letters and digits"
	}
	if problem != "" {
		c.Violate(problem)
		return o, bad("%s", problem)
	}
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
