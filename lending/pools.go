package lending

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Pool holds the deposits of a mint.
type Pool struct {
	Mint              string           `json:"mint" wire:"strict,said,key,opaque,identity"`
	Symbol            string           `json:"symbol"`
	Decimals          int              `json:"decimals" wire:"said,min=0,max=77"`
	ProtectedAPY      walletfi.Decimal `json:"protectedApy" wire:"said,min=-100"` // percent
	BoostedAPY        walletfi.Decimal `json:"boostedApy" wire:"said,min=-100"`   // percent
	CustomAPY         walletfi.Decimal `json:"customApy" wire:"said,min=-100"`    // percent, of regular deposits
	TotalDeposited    walletfi.Amount  `json:"totalDeposited" wire:"present"`
	ProtectedDeposits walletfi.Amount  `json:"protectedDeposits" wire:"present"`
	BoostedDeposits   walletfi.Amount  `json:"boostedDeposits" wire:"present"`
	AvailableCapacity walletfi.Amount  `json:"availableCapacity" wire:"present"` // that can still be deposited
	CoverageRatio     walletfi.Decimal `json:"coverageRatio" wire:"said,min=0"`  // fraction; above 1 if more than covered
	Protocols         []PoolProtocol   `json:"protocols" wire:"records"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// PoolProtocol is the part of a pool that a lending protocol holds.
type PoolProtocol struct {
	Name       string           `json:"name" wire:"identity"`
	APY        walletfi.Decimal `json:"apy" wire:"said,min=-100"`                       // percent
	Allocation walletfi.Decimal `json:"allocation" wire:"decides,optional,min=0,max=1"` // fraction of the pool

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// PoolPage has all pools.
type PoolPage struct {
	Items []Pool `json:"pools" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListPools returns all pools.
//
// GET /v1/pools.
func (c *Client) ListPools(ctx context.Context, opts ...walletfi.CallOption) (*PoolPage, error) {
	return transport.Do[PoolPage](ctx, c.made().t, transport.Call{
		Op: "ListPools", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("pools"),
		Path:   transport.Path("/v1/pools"),
	}, opts)
}

// Period is the length of statistics and rates, back from now.
type Period string

// The periods. [Client.GetPoolStats] does not take Period1h.
const (
	Period1h  Period = "1h"
	Period24h Period = "24h"
	Period7d  Period = "7d"
	Period30d Period = "30d"
)

// PoolStatsRequest is the request of [Client.GetPoolStats]. All fields are
// optional.
type PoolStatsRequest struct {
	Mint   string `url:"mint,omitempty"`   // of the pool
	Period Period `url:"period,omitempty"` // Period24h, Period7d or Period30d
}

// GetPoolStats returns daily filled capacity, coverage ratios and the shares of
// the protocols. The shape of the answer is undocumented.
//
// GET /v1/pools/stats.
func (c *Client) GetPoolStats(
	ctx context.Context, req PoolStatsRequest, opts ...walletfi.CallOption,
) (walletfi.Document, error) {
	return transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "GetPoolStats", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Open(transport.NoShape),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/v1/pools/stats"), Query: req,
		Invalid: check.OptionalOneOf("period", req.Period, Period24h, Period7d, Period30d),
	}, opts)
}

// mismatch holds statistics against the request, under the names that it has.
func (r PoolStatsRequest) mismatch(stats *walletfi.Document) error {
	return echo.Named(*stats, map[string]func(path, said string) error{
		"mint": echo.To(echo.Mint, r.Mint),
		"period": func(path, said string) error {
			return echo.Word(path, r.Period, Period(said), Period1h, Period24h, Period7d, Period30d)
		},
	})
}
