package providerswap

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type bundleRequest struct {
	_      struct{} `rule:"signedTransaction is a transaction in base64"`
	Signed string   `query:"signedTransaction,required" open:"its signatures"`
}

// Problems checks what the fields do not. A plus that was not escaped is a blank.
func (in bundleRequest) Problems(*kit.Call) []string { return build.Malformed("base64", in.Signed) }

// bundle sends a signed transaction, by GET. A transaction that would fail is
// not sent: a bundle lands completely or not at all, without a fee.
func (p *Service) bundle(c *kit.Call, in bundleRequest) any {
	raw, err := base64.StdEncoding.DecodeString(in.Signed)
	kit.BadIf(err != nil, "signedTransaction is not base64")
	simulation, err := p.Chain.Simulate(raw, true, false)
	kit.BadIf(errors.Is(err, ledger.ErrAlreadyProcessed), "%s", err)
	kit.BadIf(err != nil, "invalid transaction: %s", err)
	kit.BadIf(simulation.Err != nil, "bundle simulation failed: %s", simulation.Err)
	receipt, err := p.Submit(raw)
	kit.BadIf(err != nil, "bundle was dropped: %s", err)
	id, hash := fmt.Sprintf("%016x%016x", p.Random(), p.Random()), receipt.Signature.String()
	switch c.Shape(3) {
	case 0:
		return map[string]string{"bundleId": id, "signature": hash}
	case 1:
		return map[string]string{"bundle_id": id, "transactionHash": hash}
	}
	return map[string]any{"success": true, "data": map[string]string{"bundleId": id, "txHash": hash}}
}
