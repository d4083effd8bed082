package amm

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// AutoFee holds the priority fees that the service recommends.
type AutoFee struct {
	Default FeeLevels         `json:"default"`
	Raw     walletfi.Document `json:"-"` // the data of the answer as it arrived
}

// MarshalJSON writes the answer as it came, and one that did not come from the service by
// its fields.
func (f AutoFee) MarshalJSON() ([]byte, error) {
	if !f.Raw.IsZero() {
		return f.Raw, nil
	}
	type fields AutoFee
	return json.Marshal(fields(f))
}

// UnmarshalJSON keeps the fees as they arrived in Raw.
func (f *AutoFee) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, f)
}

func init() {
	wire.Reader(func(s *wire.Scanner, f *AutoFee) error { return wire.KeptFields(s, f, &f.Raw) })
}

// FeeLevels are prices in microlamports per compute unit, for
// BuildRequest.ComputeUnitPriceMicroLamports: new(fee.Default.High).
type FeeLevels struct {
	VeryHigh uint64 `json:"vh" wire:"strict,decides"`
	High     uint64 `json:"h" wire:"strict,decides"`
	Medium   uint64 `json:"m" wire:"strict,decides"`
}

// GetAutoFee returns the priority fees that the service recommends now.
//
// GET /main/auto-fee.
func (c *Client) GetAutoFee(ctx context.Context, opts ...walletfi.CallOption) (*AutoFee, error) {
	return transport.Do[AutoFee](ctx, c.made().data, transport.Call{
		Op: "GetAutoFee", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("default.vh:number", "default.h:number", "default.m:number"),
		Path:   transport.Path("/main/auto-fee"),
	}, opts)
}
