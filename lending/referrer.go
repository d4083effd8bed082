package lending

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Referrer is what a referrer has earned.
type Referrer struct {
	Address        string          `json:"referrer"`
	ReferralCode   string          `json:"referralCode"`
	TotalReferred  walletfi.Amount `json:"totalReferred"`
	TotalEarnings  walletfi.Amount `json:"totalEarnings"`
	ReferralCount  int             `json:"referralCount"`
	PendingRewards walletfi.Amount `json:"pendingRewards"`
}

// InitializeReferrerRequest asks for a wallet to be set up as a referrer.
type InitializeReferrerRequest struct {
	Referrer     string `json:"referrer"`              // wallet; required
	ReferralCode string `json:"referralCode,omitzero"` // empty lets the service choose
}

// ReferrerInitialization is the answer to setting up a referrer. Its shape is
// not documented: a transaction is looked for where the other builders have
// it, and the whole answer is in Raw.
type ReferrerInitialization struct {
	Transaction          walletfi.Base64Transaction `json:"transaction"` // empty where the answer has none
	LastValidBlockHeight uint64                     `json:"lastValidBlockHeight"`
	Blockhash            string                     `json:"blockhash"`
	Raw                  walletfi.Document          `json:"-"`

	intent walletfi.Intent
}

// Unsigned returns the transaction with what the request asked for, and false
// where the answer held none.
func (r *ReferrerInitialization) Unsigned() (walletfi.Unsigned, bool) {
	if r.Transaction == "" {
		return walletfi.Unsigned{}, false
	}
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{r.Transaction},
		Intent:               r.intent,
		LastValidBlockHeight: r.LastValidBlockHeight,
		Blockhash:            r.Blockhash,
	}, true
}

// BuildInitializeReferrer builds what sets a wallet up as a referrer.
//
// POST /v1/referrer/initialize. It moves nothing: safe to retry.
func (c *Client) BuildInitializeReferrer(ctx context.Context, req InitializeReferrerRequest, opts ...walletfi.CallOption) (*ReferrerInitialization, error) {
	built, err := transport.DoRaw(ctx, c.t, transport.Call{
		Op: "BuildInitializeReferrer", Effect: transport.Build, Method: http.MethodPost,
		Path: transport.Path("/v1/referrer/initialize"),
		Body: req, Invalid: check.Required("referrer", req.Referrer),
	}, opts, func(r *ReferrerInitialization, raw walletfi.Document) { r.Raw = raw })
	if err != nil {
		return nil, err
	}
	built.intent = walletfi.Intent{Service: "lending", Owner: req.Referrer}
	return built, nil
}

// ReferrerClaim is a claim of referral rewards ready to be checked and signed.
type ReferrerClaim struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	ClaimAmount walletfi.Amount            `json:"claimAmount"` // of a mint that the answer does not name

	intent walletfi.Intent
}

// Unsigned returns the transaction with what the request asked for. The
// service names neither a blockhash nor a last block height for it.
func (t *ReferrerClaim) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{t.Transaction}, Intent: t.intent}
}

// BuildReferrerClaim builds the unsigned transaction that pays out a
// referrer's pending rewards.
//
// POST /v1/referrer/claim. It moves nothing: safe to retry.
func (c *Client) BuildReferrerClaim(ctx context.Context, referrer string, opts ...walletfi.CallOption) (*ReferrerClaim, error) {
	built, err := transport.Do[ReferrerClaim](ctx, c.t, transport.Call{
		Op: "BuildReferrerClaim", Effect: transport.Build, Method: http.MethodPost,
		Path: transport.Path("/v1/referrer/claim"),
		Body: struct {
			Referrer string `json:"referrer"`
		}{referrer},
		Invalid: check.Required("referrer", referrer),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = walletfi.Intent{Service: "lending", Owner: referrer}
	return built, nil
}

// GetReferrer returns a referrer's code, counts and earnings.
//
// GET /v1/referrer/{referrerAddress}.
func (c *Client) GetReferrer(ctx context.Context, referrer string, opts ...walletfi.CallOption) (*Referrer, error) {
	return transport.Do[Referrer](ctx, c.t, transport.Call{
		Op: "GetReferrer", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/v1/referrer/{referrerAddress}", referrer),
	}, opts)
}
