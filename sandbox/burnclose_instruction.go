package sandbox

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/mr-tron/base58"
)

// The token programs' instructions that are used here, by their tags.
const (
	burnCloseTagClose       = 9
	burnCloseTagBurnChecked = 15
)

// burnCloseTagHarvest is Token-2022's, of its transfer-fee extension.
var burnCloseTagHarvest = []byte{26, 4}

// instructions are what the job does, without the compute budget. A referral
// is left on the ledger as a memo.
func (j burnCloseJob) instructions() (all []solana.Instruction) {
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

func (x burnCloseAccount) burnInstruction(owner solana.PublicKey, amount uint64) solana.Instruction {
	data := append(binary.LittleEndian.AppendUint64([]byte{burnCloseTagBurnChecked}, amount), x.decimals)
	return solana.NewInstruction(x.program, solana.AccountMetaSlice{
		solana.Meta(x.address).WRITE(), solana.Meta(x.mint).WRITE(), solana.Meta(owner).SIGNER(),
	}, data)
}

// closeInstruction pays the deposit to the owner, who pays for everything else
// too unless there is a sponsor.
func (x burnCloseAccount) closeInstruction(owner solana.PublicKey) solana.Instruction {
	return solana.NewInstruction(x.program, solana.AccountMetaSlice{
		solana.Meta(x.address).WRITE(), solana.Meta(owner).WRITE(), solana.Meta(owner).SIGNER(),
	}, []byte{burnCloseTagClose})
}

// harvestInstruction moves withheld transfer fees to the mint; an account that
// holds any cannot be closed.
func (x burnCloseAccount) harvestInstruction() solana.Instruction {
	return solana.NewInstruction(x.program, solana.AccountMetaSlice{
		solana.Meta(x.mint).WRITE(), solana.Meta(x.address).WRITE(),
	}, burnCloseTagHarvest)
}

// serialized writes instructions in one of two ways, since none is shown: as
// objects, or each as base58 of its bytes (program, accounts with their flags,
// data, counts as four bytes).
func burnCloseSerialized(all []solana.Instruction, shape int) ([]any, error) {
	out := make([]any, 0, len(all))
	for _, in := range all {
		data, err := in.Data()
		if err != nil {
			return nil, err
		}
		if shape == 0 {
			out = append(out, burnCloseObject(in, data))
		} else {
			out = append(out, burnCloseBytes(in, data))
		}
	}
	return out, nil
}

func burnCloseObject(in solana.Instruction, data []byte) any {
	accounts := []any{}
	for _, a := range in.Accounts() {
		accounts = append(accounts, map[string]any{"pubkey": a.PublicKey, "isSigner": a.IsSigner, "isWritable": a.IsWritable})
	}
	return map[string]any{"programId": in.ProgramID(), "accounts": accounts, "data": base64.StdEncoding.EncodeToString(data)}
}

func burnCloseBytes(in solana.Instruction, data []byte) string {
	program := in.ProgramID()
	raw := binary.LittleEndian.AppendUint32(program[:], uint32(len(in.Accounts())))
	for _, a := range in.Accounts() {
		raw = append(append(raw, a.PublicKey[:]...), burnCloseFlag(a.IsSigner), burnCloseFlag(a.IsWritable))
	}
	raw = append(binary.LittleEndian.AppendUint32(raw, uint32(len(data))), data...)
	return base58.Encode(raw)
}

func burnCloseFlag(set bool) byte {
	if set {
		return 1
	}
	return 0
}
