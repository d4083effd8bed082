package amm

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// AutoFee is what the service recommends to pay for priority.
type AutoFee struct {
	Default FeeLevels         `json:"default"`
	Raw     walletfi.Document `json:"-"` // the answer's data as it came
}

// UnmarshalJSON keeps the fees as they came in Raw.
func (f *AutoFee) UnmarshalJSON(b []byte) error {
	type fields AutoFee
	return transport.Keep(b, (*fields)(f), &f.Raw)
}

// FeeLevels are prices in microlamports a compute unit, of the type that
// SwapRequest.ComputeUnitPriceMicroLamports takes: new(fee.Default.High).
type FeeLevels struct {
	VeryHigh uint64 `json:"vh"`
	High     uint64 `json:"h"`
	Medium   uint64 `json:"m"`
}

// GetAutoFee returns the priority fees that the service recommends now.
//
// GET /main/auto-fee.
func (c *Client) GetAutoFee(ctx context.Context, opts ...walletfi.CallOption) (*AutoFee, error) {
	return transport.Do[AutoFee](ctx, c.data, transport.Call{
		Op: "GetAutoFee", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/main/auto-fee"),
	}, opts)
}
