package sandbox

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type providerSwapBundleRequest struct {
	Signed string `query:"signedTransaction,required"`
}

// bundle sends a signed transaction, by a GET. What would fail is not sent: a
// bundle lands whole or leaves no trace, not even its fee.
func (p *providerSwap) bundle(c *call, in providerSwapBundleRequest) (any, error) {
	raw, err := base64.StdEncoding.DecodeString(in.Signed)
	if err != nil {
		c.violate("signedTransaction is not base64: was it escaped?")
		return nil, refuse(http.StatusBadRequest, "", "signedTransaction is not base64")
	}
	simulation, err := p.chain.Simulate(raw, true, false)
	switch {
	case errors.Is(err, ledger.ErrAlreadyProcessed):
		return nil, refuse(http.StatusBadRequest, "", "%s", err)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "", "invalid transaction: %s", err)
	case simulation.Err != nil:
		return nil, refuse(http.StatusBadRequest, "", "bundle simulation failed: %s", simulation.Err)
	}
	receipt, err := p.submit(raw)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "", "bundle was dropped: %s", err)
	}
	id, hash := fmt.Sprintf("%016x%016x", p.random(), p.random()), receipt.Signature.String()
	switch c.shape(3) {
	case 0:
		return map[string]string{"bundleId": id, "signature": hash}, nil
	case 1:
		return map[string]string{"bundle_id": id, "transactionHash": hash}, nil
	}
	return map[string]any{"success": true, "data": map[string]string{"bundleId": id, "txHash": hash}}, nil
}
