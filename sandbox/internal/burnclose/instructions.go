package burnclose

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

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
