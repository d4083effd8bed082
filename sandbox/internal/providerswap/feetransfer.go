package providerswap

import (
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type feeRequest struct {
	Payer    string `query:"payer,required" form:"key"`
	Receiver string `query:"receiver,required" form:"key"`
	Lamports uint64 `query:"lamports,required"`
}

// customFee builds a transfer of lamports.
func (p *Service) customFee(c *kit.Call, in feeRequest) any {
	payer := c.Key(in.Payer, "payer")
	receiver := c.Key(in.Receiver, "receiver")
	kit.BadIf(in.Lamports == 0, "lamports must be positive")
	tx := p.Build(play.ProviderSwap, build.Unsigned{
		Owner: payer, Instructions: []solana.Instruction{system.NewTransferInstruction(in.Lamports, payer, receiver).Build()},
	})
	return c.Either(
		map[string]string{"transaction": tx.Base64()},
		map[string]any{"success": true, "data": map[string]string{"serializedTransaction": tx.Base64()}},
	)
}
