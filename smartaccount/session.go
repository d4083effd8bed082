package smartaccount

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Permission is an action that a session key may perform. Undocumented values
// exist.
type Permission string

// The documented permissions.
const (
	PermissionTransfer Permission = "transfer"
	PermissionSwap     Permission = "swap"
)

func init() { wire.Words(PermissionTransfer, PermissionSwap) }

// Session is a key to which the account has delegated permissions.
type Session struct {
	ID          string        `json:"id" wire:"strict,said,identity"`
	PublicKey   string        `json:"publicKey" wire:"strict,said,key,opaque"` // base58
	Name        string        `json:"name"`
	ExpiresAt   walletfi.Time `json:"expiresAt" wire:"said"`
	Permissions []Permission  `json:"permissions" wire:"said"`
	Status      Status        `json:"status" wire:"strict,said"`
	CreatedAt   walletfi.Time `json:"createdAt" wire:"free"` // zero in a list

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// SessionLimits limit a session key. The service does not return them.
type SessionLimits struct {
	// PerTransaction and Daily are the largest amounts that may leave in a
	// transaction and in a day, smallest units. Nil sends no limit; 0 is a limit.
	PerTransaction *walletfi.Amount `json:"perTransaction,string,omitempty"`
	Daily          *walletfi.Amount `json:"daily,string,omitempty"`
	// AllowedMints and AllowedDestinations restrict what may leave and to where. A
	// nil list is not sent; an empty list that is not nil is sent as [].
	AllowedMints        []string `json:"allowedMints,omitzero"`
	AllowedDestinations []string `json:"allowedDestinations,omitzero"`
}

// CreateSessionRequest describes a new session key. Expiry and permissions are
// required, so that no key gets permissions by default.
type CreateSessionRequest struct {
	PublicKey   string         `json:"publicKey"` // of the key, base58; required
	Name        string         `json:"name,omitzero"`
	ExpiresAt   time.Time      `json:"expiresAt"`   // required; sent in UTC, to the millisecond
	Permissions []Permission   `json:"permissions"` // one or more
	Limits      *SessionLimits `json:"limits,omitempty"`
}

// CreateSession delegates permissions to a session key. It can authorise
// transactions until it expires or is revoked. After an unknown outcome, call
// [Client.FindSessions].
//
// POST /accounts/{accountId}/sessions. It is not repeated once it was sent.
func (c *Client) CreateSession(
	ctx context.Context, accountID string, req CreateSessionRequest, opts ...walletfi.CallOption,
) (*Session, error) {
	return create[Session](ctx, c, transport.Call{
		Op: "CreateSession", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("id:id"),
		Path:   transport.Path("/accounts/{accountId}/sessions", accountID),
		Body:   req.body(), Invalid: req.problem(), Class: ClassWrite,
	}, opts, active)
}

func (r CreateSessionRequest) body() CreateSessionRequest {
	r.ExpiresAt = wireTime(r.ExpiresAt)
	return r
}

func (r CreateSessionRequest) problem() error {
	rules := []error{
		check.Required("publicKey", r.PublicKey),
		check.That(!r.ExpiresAt.IsZero(), "expiresAt", "is required"),
		writable("expiresAt", r.ExpiresAt),
		check.That(len(r.Permissions) > 0, "permissions", "must not be empty"),
		check.Each("permissions", r.Permissions, check.Required[Permission]),
	}
	if l := r.Limits; l != nil {
		rules = append(rules,
			check.Each("limits.allowedMints", l.AllowedMints, check.Required[string]),
			check.Each("limits.allowedDestinations", l.AllowedDestinations, check.Required[string]),
		)
	}
	return check.All(rules...)
}

// SessionPage is an account's session keys.
type SessionPage struct {
	Items []Session `json:"sessions" wire:"records"` // without CreatedAt
	Total int       `json:"total" wire:"said,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListSessions returns an account's session keys. The service documents no
// paging: a Total above the number of keys means that it left some out.
//
// GET /accounts/{accountId}/sessions.
func (c *Client) ListSessions(
	ctx context.Context, accountID string, opts ...walletfi.CallOption,
) (*SessionPage, error) {
	return transport.Do[SessionPage](ctx, c.made().t, listSessions(accountID), opts)
}

func listSessions(accountID string) transport.Call {
	return transport.Call{
		Op: "ListSessions", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("sessions"),
		Path:   transport.Path("/accounts/{accountId}/sessions", accountID), Class: ClassRead,
	}
}

// FindSessions returns the sessions of a public key, in any state, for a
// [Client.CreateSession] whose outcome is unknown. For the meaning of an empty
// result and of [walletfi.ErrOutcomeUnknown] see [Client.FindAccounts].
//
// It calls [Client.ListSessions].
func (c *Client) FindSessions(
	ctx context.Context, accountID, publicKey string, opts ...walletfi.CallOption,
) ([]Session, error) {
	list, err := transport.Do[SessionPage](ctx, c.made().t, telling(listSessions(accountID)), opts)
	if err := lossOf(err); err != nil {
		return nil, err
	}
	return matching(list.Items, list.Total, func(s Session) []string { return []string{s.PublicKey} }, publicKey)
}

// RevokeSession revokes a session key.
//
// DELETE /accounts/{accountId}/sessions/{sessionId}.
func (c *Client) RevokeSession(ctx context.Context, accountID, sessionID string, opts ...walletfi.CallOption) error {
	return c.set(ctx, transport.Call{
		Op: "RevokeSession", Effect: transport.Set, Method: http.MethodDelete,
		Answer: transport.Says("success:bool"),
		Path:   transport.Path("/accounts/{accountId}/sessions/{sessionId}", accountID, sessionID),
	}, opts)
}
