package smartaccount

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// DirectDebit is a merchant's permission to take money from an account.
type DirectDebit struct {
	ID           string `json:"id" wire:"strict,said,identity"`
	Merchant     string `json:"merchant" wire:"strict,said,key,opaque"` // address
	MerchantName string `json:"merchantName"`
	// Mint, MaxAmount, Frequency and ExpiresAt are not in the answer to a
	// creation.
	Mint      string           `json:"mint" wire:"once,optional,key,opaque"`
	MaxAmount *walletfi.Amount `json:"maxAmount" wire:"decides,optional"` // smallest units
	Frequency Frequency        `json:"frequency" wire:"decides,optional"`
	ExpiresAt *walletfi.Time   `json:"expiresAt" wire:"decides,optional"` // null, and nil, if it never does
	Status    Status           `json:"status" wire:"strict,said"`
	CreatedAt walletfi.Time    `json:"createdAt" wire:"free"`
	// LastDebit and NextDebit are in a list only: zero if there was no debit, nil if
	// there will be none.
	LastDebit walletfi.Time  `json:"lastDebit" wire:"free"`
	NextDebit *walletfi.Time `json:"nextDebit" wire:"decides,optional"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() { wire.Reader(readListed) }

// readListed reads a direct debit of a list, which has more members than one that was created. One
// that is no longer active need not say when it would be next.
func readListed(s *wire.Scanner, d *DirectDebit) error {
	expiry, next := s.Has("expiresAt"), s.Has("nextDebit")
	if err := wire.Fields(s, d); err != nil {
		return err
	}
	for member, said := range map[string]bool{
		"mint": d.Mint != "", "maxAmount": d.MaxAmount != nil, "frequency": d.Frequency != "",
		"expiresAt": expiry || d.ExpiresAt != nil, "nextDebit": next || !d.Status.isActive() || d.NextDebit != nil,
	} {
		if !said {
			wire.Lacks[DirectDebit](s, member)
		}
	}
	if d.NextDebit != nil && d.NextDebit.Before(d.LastDebit.Time) {
		wire.Breaks[DirectDebit](s, "nextDebit", wire.OutOfRange)
	}
	return nil
}

// CreateDirectDebitRequest describes a new direct debit.
type CreateDirectDebitRequest struct {
	Merchant     string          `json:"merchant"` // address; required
	MerchantName string          `json:"merchantName,omitzero"`
	Mint         string          `json:"mint"`               // token that is taken; required
	MaxAmount    walletfi.Amount `json:"maxAmount,string"`   // smallest units, more than 0
	Frequency    Frequency       `json:"frequency"`          // required
	ExpiresAt    time.Time       `json:"expiresAt,omitzero"` // sent in UTC, to the millisecond; zero sends none
}

// CreateDirectDebit lets a merchant take up to req.MaxAmount of req.Mint as
// often as req.Frequency says. After an unknown outcome, call
// [Client.FindDirectDebits].
//
// POST /accounts/{accountId}/direct-debits. It is not repeated once it was
// sent.
func (c *Client) CreateDirectDebit(
	ctx context.Context, accountID string, req CreateDirectDebitRequest, opts ...walletfi.CallOption,
) (*DirectDebit, error) {
	return create[DirectDebit](ctx, c, transport.Call{
		Op: "CreateDirectDebit", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("id:id"),
		Path:   transport.Path("/accounts/{accountId}/direct-debits", accountID),
		Body:   req.body(), Invalid: req.problem(), Class: ClassWrite,
	}, opts, active, req.lasts)
}

func (r CreateDirectDebitRequest) body() CreateDirectDebitRequest {
	r.ExpiresAt = wireTime(r.ExpiresAt)
	return r
}

// lasts reports a debit that never expires although it was to.
func (r CreateDirectDebitRequest) lasts(body []byte, _ DirectDebit) error {
	var said struct {
		ExpiresAt json.RawMessage `json:"expiresAt"` // nil if it is left out
	}
	_ = json.Unmarshal(body, &said)
	return echo.That(r.ExpiresAt.IsZero() || string(said.ExpiresAt) != "null", "expiresAt", r.ExpiresAt, "null")
}

func (r CreateDirectDebitRequest) problem() error {
	return check.All(
		check.Required("merchant", r.Merchant),
		check.Required("mint", r.Mint),
		check.Positive("maxAmount", r.MaxAmount),
		check.Required("frequency", r.Frequency),
		writable("expiresAt", r.ExpiresAt),
	)
}

// DirectDebitPage is an account's direct debits.
type DirectDebitPage struct {
	Items []DirectDebit `json:"directDebits" wire:"records"`
	Total int           `json:"total" wire:"said,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListDirectDebits returns an account's direct debits. The service documents no
// paging: a Total above the number of debits means that it left some out.
//
// GET /accounts/{accountId}/direct-debits.
func (c *Client) ListDirectDebits(
	ctx context.Context, accountID string, opts ...walletfi.CallOption,
) (*DirectDebitPage, error) {
	return transport.Do[DirectDebitPage](ctx, c.made().t, listDirectDebits(accountID), opts)
}

func listDirectDebits(accountID string) transport.Call {
	return transport.Call{
		Op: "ListDirectDebits", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("directDebits"),
		Path:   transport.Path("/accounts/{accountId}/direct-debits", accountID), Class: ClassRead,
	}
}

// FindDirectDebitsRequest says of which direct debits.
type FindDirectDebitsRequest struct {
	Merchant string // base58
	Mint     string // base58
}

// FindDirectDebits returns the direct debits of a merchant in a mint, in any
// state, for a [Client.CreateDirectDebit] whose outcome is unknown. For the
// meaning of an empty result and of [walletfi.ErrOutcomeUnknown] see
// [Client.FindAccounts].
//
// It calls [Client.ListDirectDebits].
func (c *Client) FindDirectDebits(
	ctx context.Context, accountID string, req FindDirectDebitsRequest, opts ...walletfi.CallOption,
) ([]DirectDebit, error) {
	list, err := transport.Do[DirectDebitPage](ctx, c.made().t, telling(listDirectDebits(accountID)), opts)
	if err := lossOf(err); err != nil {
		return nil, err
	}
	return matching(list.Items, list.Total, func(d DirectDebit) []string {
		return []string{d.Merchant, d.Mint}
	}, req.Merchant, req.Mint)
}

// CancelDirectDebit ends a direct debit.
//
// DELETE /accounts/{accountId}/direct-debits/{directDebitId}.
func (c *Client) CancelDirectDebit(
	ctx context.Context, accountID, directDebitID string, opts ...walletfi.CallOption,
) error {
	return c.set(ctx, transport.Call{
		Op: "CancelDirectDebit", Effect: transport.Set, Method: http.MethodDelete,
		Answer: transport.Says("success:bool"),
		Path:   transport.Path("/accounts/{accountId}/direct-debits/{directDebitId}", accountID, directDebitID),
	}, opts)
}
