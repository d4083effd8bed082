package providerswap

import (
	"net/http"

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
func (p *Service) customFee(c *kit.Call, in feeRequest) (any, error) {
	payer, err := c.Key(in.Payer, "payer")
	if err != nil {
		return nil, err
	}
	receiver, err := c.Key(in.Receiver, "receiver")
	if err != nil {
		return nil, err
	}
	if in.Lamports == 0 {
		return nil, kit.Refuse(http.StatusBadRequest, "", "lamports must be positive")
	}
	tx, err := p.Build(play.ProviderSwap, build.Unsigned{
		Owner: payer, Instructions: []solana.Instruction{system.NewTransferInstruction(in.Lamports, payer, receiver).Build()},
	})
	if err != nil {
		return nil, err
	}
	if c.Shape(2) == 0 {
		return map[string]string{"transaction": tx.Base64()}, nil
	}
	return map[string]any{"success": true, "data": map[string]string{"serializedTransaction": tx.Base64()}}, nil
}
