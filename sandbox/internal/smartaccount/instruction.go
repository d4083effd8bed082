package smartaccount

import (
	"encoding/base64"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type instruction struct {
	ProgramID string `body:"programId,required" form:"key" json:"programId"`
	Accounts  []meta `body:"accounts,required" empty:"ok" json:"accounts"`
	Data      string `body:"data,required" form:"base64" empty:"ok" json:"data"` // base64
}

type meta struct {
	Pubkey     string `body:"pubkey,required" form:"key" json:"pubkey"`
	IsSigner   bool   `body:"isSigner,required" json:"isSigner"`
	IsWritable bool   `body:"isWritable,required" json:"isWritable"`
}

// instructions reads what the request asks for. Only the account can sign.
func (b *Service) instructions(c *kit.Call, w *wallet, wanted []instruction) []solana.Instruction {
	var read []solana.Instruction
	for _, x := range wanted {
		program := c.Key(x.ProgramID, "programId")
		data, err := base64.StdEncoding.DecodeString(x.Data)
		kit.BadIf(err != nil, "data is not base64")
		var accounts solana.AccountMetaSlice
		for _, m := range x.Accounts {
			key := c.Key(m.Pubkey, "pubkey")
			kit.BadIf(m.IsSigner && key != w.key || key == build.PublicKey(b.Sponsor), "%s cannot sign for the account", key)
			accounts = append(accounts, solana.NewAccountMeta(key, m.IsWritable, m.IsSigner))
		}
		read = append(read, solana.NewInstruction(program, accounts, data))
	}
	return read
}

// Listed writes instructions as the service does.
func Listed(instructions []solana.Instruction) ([]instruction, error) {
	listed := []instruction{}
	for _, in := range instructions {
		data, err := in.Data()
		if err != nil {
			return nil, err
		}
		x := instruction{
			ProgramID: in.ProgramID().String(),
			Accounts:  []meta{},
			Data:      base64.StdEncoding.EncodeToString(data),
		}
		for _, m := range in.Accounts() {
			x.Accounts = append(x.Accounts, meta{m.PublicKey.String(), m.IsSigner, m.IsWritable})
		}
		listed = append(listed, x)
	}
	return listed, nil
}
