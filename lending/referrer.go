package lending

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Referrer says what a referrer has earned.
type Referrer struct {
	Owner          string          `json:"referrer" wire:"said"`
	ReferralCode   string          `json:"referralCode"`
	TotalReferred  walletfi.Amount `json:"totalReferred" wire:"present"`
	TotalEarnings  walletfi.Amount `json:"totalEarnings" wire:"present"`
	ReferralCount  int             `json:"referralCount" wire:"said,min=0"`
	PendingRewards walletfi.Amount `json:"pendingRewards" wire:"present"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// InitializeReferrerRequest is the request of
// [Client.BuildInitializeReferrer].
type InitializeReferrerRequest struct {
	Owner        string `json:"referrer"`              // the wallet; required
	ReferralCode string `json:"referralCode,omitzero"` // if empty, the service chooses
}

// ReferrerInitialization is the answer of [Client.BuildInitializeReferrer]. Its
// shape is undocumented: the fields have the names that the other builders use,
// and Raw has the whole answer.
type ReferrerInitialization struct {
	Transaction          walletfi.Base64Transaction `json:"transaction"` // empty if the answer has none
	LastValidBlockHeight *uint64                    `json:"lastValidBlockHeight" wire:"strict,decides,optional,min=1"`
	Blockhash            string                     `json:"blockhash" wire:"strict"`
	Raw                  walletfi.Document          `json:"-"`

	intent walletfi.Intent
}

// decode reads the members that are known by name, of an object that says something.
func (r *ReferrerInitialization) decode(b []byte, waive func(wire.Breach) bool) error {
	said, err := wire.Members(b)
	if err == nil && !wire.SaySomething(said) {
		return &wire.FieldError{Path: "transaction", Problem: "must be there, or what else there is to know"}
	}
	if err = cmp.Or(err, wire.DecodeFields(b, r, waive)); err != nil {
		return err
	}
	r.Raw = wire.Keep(b)
	return nil
}

// Unsigned returns the transaction and the intent of its request. It returns
// false if the answer has no transaction.
func (r *ReferrerInitialization) Unsigned() (walletfi.Unsigned, bool) {
	if r.Transaction == "" {
		return walletfi.Unsigned{}, false
	}
	u := walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{r.Transaction}, Intent: r.intent, Blockhash: r.Blockhash,
	}
	if r.LastValidBlockHeight != nil {
		u.LastValidBlockHeight = *r.LastValidBlockHeight
	}
	return u, true
}

// BuildInitializeReferrer builds the transaction that sets a wallet up as a
// referrer.
//
// POST /v1/referrer/initialize. It moves nothing: safe to retry.
func (c *Client) BuildInitializeReferrer(
	ctx context.Context, req InitializeReferrerRequest, opts ...walletfi.CallOption,
) (*ReferrerInitialization, error) {
	built, err := transport.Do(ctx, c.made().t, transport.Call{
		Op: "BuildInitializeReferrer", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Open(transport.NoShape).ByDecoder(),
		Echo:   transport.Echo(func(r *ReferrerInitialization) error { return req.mismatch(r.Raw) }),
		Path:   transport.Path("/v1/referrer/initialize"),
		Body:   req, Invalid: check.Required("referrer", req.Owner),
	}, opts, func(r *ReferrerInitialization, raw, _ walletfi.Document) { r.Raw = raw })
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

func (r InitializeReferrerRequest) intent() walletfi.Intent {
	return walletfi.Intent{Service: "lending", Owner: r.Owner, Asked: asking.Of(r)}
}

// mismatch holds an answer against the request, under the names that it has.
func (r InitializeReferrerRequest) mismatch(answer walletfi.Document) error {
	return echo.Walk(answer, func(path, said string) error {
		switch {
		case strings.HasSuffix(path, "referralcode"):
			return echo.Name(path, r.ReferralCode, said)
		case path == "referrer", path == "referrer.address", path == "data.referrer":
			return echo.Text(path, r.Owner, said)
		}
		return nil
	})
}

// ReferrerClaimRequest is the request of [Client.BuildReferrerClaim].
type ReferrerClaimRequest struct {
	Owner string `json:"referrer"` // the referrer's wallet, which signs; required

	// MinReceive is the least that the claim should pay out. It is not sent. It becomes the
	// intent's Receive, because the service does not name the mint of its ClaimAmount; a
	// ClaimAmount that is less is walletfi.ErrMismatch. An amount of 0 expects nothing.
	MinReceive walletfi.Asset `json:"-" asked:"-"`
}

func (r ReferrerClaimRequest) problem() error {
	return check.All(
		check.Required("referrer", r.Owner),
		check.That(r.MinReceive.Amount == 0 || r.MinReceive.Mint != "", "minReceive", "must name its mint"),
	)
}

func (r ReferrerClaimRequest) mismatch(claim *ReferrerClaim) error {
	least := r.MinReceive.Amount
	return echo.That(claim.ClaimAmount >= least, "claimAmount", "at least "+least.String(), claim.ClaimAmount)
}

func (r ReferrerClaimRequest) intent() walletfi.Intent {
	i := walletfi.Intent{Service: "lending", Owner: r.Owner, Asked: asking.Of(r)}
	if r.MinReceive.Amount > 0 {
		i.Receive = []walletfi.Asset{r.MinReceive}
	}
	return i
}

// ReferrerClaim is an unsigned claim of referral rewards.
type ReferrerClaim struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	ClaimAmount walletfi.Amount            `json:"claimAmount" wire:"present"` // of a mint that the service does not name

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// Unsigned returns the transaction and the intent of its request. The service
// states neither a blockhash nor a last block height.
func (t *ReferrerClaim) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{t.Transaction}, Intent: t.intent}
}

// BuildReferrerClaim builds the unsigned transaction that pays out a
// referrer's pending rewards.
//
// POST /v1/referrer/claim. It moves nothing: safe to retry.
func (c *Client) BuildReferrerClaim(
	ctx context.Context, req ReferrerClaimRequest, opts ...walletfi.CallOption,
) (*ReferrerClaim, error) {
	built, err := transport.Do[ReferrerClaim](ctx, c.made().t, transport.Call{
		Op: "BuildReferrerClaim", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Says("transaction"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/v1/referrer/claim"),
		Body:   req, Invalid: req.problem(),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

// GetReferrer returns a referrer's code, counts and earnings.
//
// GET /v1/referrer/{referrerAddress}.
func (c *Client) GetReferrer(ctx context.Context, referrer string, opts ...walletfi.CallOption) (*Referrer, error) {
	return transport.Do[Referrer](ctx, c.made().t, transport.Call{
		Op: "GetReferrer", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("referrer", "totalEarnings:number"),
		Echo:   transport.Echo(func(r *Referrer) error { return echo.Text("referrer", referrer, r.Owner) }),
		Path:   transport.Path("/v1/referrer/{referrerAddress}", referrer),
	}, opts)
}
