package burnclose

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
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

// The token programs' instructions that are used here, by their tags.
const (
	tagClose       = 9
	tagBurnChecked = 15
)

// tagHarvest is Token-2022's, of its transfer-fee extension.
var tagHarvest = []byte{26, 4}

// instructions are what the job does, without the compute budget. A referral
// is left on the ledger as a memo.
func (j job) instructions() (all []solana.Instruction) {
	for _, x := range j.accounts {
		if j.burn > 0 {
			all = append(all, x.burnInstruction(j.user, j.burn))
		}
		if j.closes && x.withheld {
			all = append(all, x.harvestInstruction())
		}
		if j.closes {
			all = append(all, x.closeInstruction(j.user))
		}
	}
	if fee := j.partnerFee(); fee > 0 {
		all = append(all, system.NewTransferInstruction(fee, j.user, j.partner).Build())
	}
	if j.referral != "" {
		all = append(all, solana.NewInstruction(solana.MemoProgramID, nil, []byte("referral:"+j.referral)))
	}
	return all
}

func (x account) burnInstruction(owner solana.PublicKey, amount uint64) solana.Instruction {
	data := append(binary.LittleEndian.AppendUint64([]byte{tagBurnChecked}, amount), x.decimals)
	return solana.NewInstruction(x.program, solana.AccountMetaSlice{
		solana.Meta(x.address).WRITE(), solana.Meta(x.mint).WRITE(), solana.Meta(owner).SIGNER(),
	}, data)
}

// closeInstruction pays the deposit to the owner, who pays for everything else
// too unless there is a sponsor.
func (x account) closeInstruction(owner solana.PublicKey) solana.Instruction {
	return solana.NewInstruction(x.program, solana.AccountMetaSlice{
		solana.Meta(x.address).WRITE(), solana.Meta(owner).WRITE(), solana.Meta(owner).SIGNER(),
	}, []byte{tagClose})
}

// harvestInstruction moves withheld transfer fees to the mint; an account that
// holds any cannot be closed.
func (x account) harvestInstruction() solana.Instruction {
	return solana.NewInstruction(x.program, solana.AccountMetaSlice{
		solana.Meta(x.mint).WRITE(), solana.Meta(x.address).WRITE(),
	}, tagHarvest)
}

// serialized writes instructions in one of two ways, since none is shown: as
// objects, or each as base58 of its bytes (program, accounts with their flags,
// data, counts as four bytes).
func serialized(all []solana.Instruction, shape int) []any {
	if shape == 0 {
		return build.ListInstructions(all)
	}
	return kit.List(all, byteList)
}

func byteList(in solana.Instruction) any {
	program, data := in.ProgramID(), kit.Must(in.Data())
	raw := binary.LittleEndian.AppendUint32(program[:], uint32(len(in.Accounts())))
	for _, a := range in.Accounts() {
		raw = append(append(raw, a.PublicKey[:]...), flag(a.IsSigner), flag(a.IsWritable))
	}
	raw = append(binary.LittleEndian.AppendUint32(raw, uint32(len(data))), data...)
	return base58.Encode(raw)
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}
