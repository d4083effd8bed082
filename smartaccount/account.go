package smartaccount

import (
	"context"
	"maps"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// AccountType is the kind of user of an account.
type AccountType string

// The account types.
const (
	AccountPersonal AccountType = "personal"
	AccountBusiness AccountType = "business"
)

func init() { wire.Words(AccountPersonal, AccountBusiness) }

// Account is a smart account.
type Account struct {
	ID      string      `json:"id" wire:"strict,said,identity"`
	Address string      `json:"address" wire:"strict,said,key,opaque"` // on the ledger
	Name    string      `json:"name" wire:"once"`
	Type    AccountType `json:"type" wire:"decides,optional"`
	Status  Status      `json:"status" wire:"strict,said"`
	// Balance is the account's balance, by asset symbol. Only GetAccount returns
	// it. An asset that the service answers null for is absent.
	Balance   map[string]walletfi.Decimal `json:"balance" wire:"decides,optional,min=0"`
	CreatedAt walletfi.Time               `json:"createdAt" wire:"free"` // zero in a list

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() { wire.Reader(readAccount) }

func readAccount(s *wire.Scanner, a *Account) error {
	err := wire.Fields(s, a)
	maps.DeleteFunc(a.Balance, func(_ string, d walletfi.Decimal) bool { return d.IsZero() })
	return err
}

// CreateAccountRequest describes a new account.
type CreateAccountRequest struct {
	Name string      `json:"name"` // required; with a unique name FindAccounts can find the account after a lost answer
	Type AccountType `json:"type"` // required
}

// CreateAccount creates a smart account. After an unknown outcome, call
// [Client.FindAccounts].
//
// POST /accounts. It is not repeated once it was sent.
func (c *Client) CreateAccount(
	ctx context.Context, req CreateAccountRequest, opts ...walletfi.CallOption,
) (*Account, error) {
	return create[Account](ctx, c, transport.Call{
		Op: "CreateAccount", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("id:id"),
		Path:   transport.Path("/accounts"), Body: req, Class: ClassWrite,
		Invalid: check.All(
			check.Required("name", req.Name),
			check.OneOf("type", req.Type, AccountPersonal, AccountBusiness),
		),
	}, opts, active)
}

// GetAccount returns an account with its balance.
//
// GET /accounts/{accountId}.
func (c *Client) GetAccount(ctx context.Context, accountID string, opts ...walletfi.CallOption) (*Account, error) {
	return transport.Do[Account](ctx, c.made().t, transport.Call{
		Op: "GetAccount", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("id:id", "balance:object"),
		Echo:   transport.Echo(func(a *Account) error { return echo.Text("id", accountID, a.ID) }),
		Path:   transport.Path("/accounts/{accountId}", accountID), Class: ClassRead,
	}, opts)
}

// AccountPage is the user's accounts.
type AccountPage struct {
	Items []Account `json:"accounts" wire:"records"` // without Balance and CreatedAt
	Total int       `json:"total" wire:"said,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListAccounts returns the user's accounts. The service documents no paging:
// a Total above the number of accounts means that it left some out.
//
// GET /accounts.
func (c *Client) ListAccounts(ctx context.Context, opts ...walletfi.CallOption) (*AccountPage, error) {
	return transport.Do[AccountPage](ctx, c.made().t, listAccounts(), opts)
}

func listAccounts() transport.Call {
	return transport.Call{
		Op: "ListAccounts", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("accounts"),
		Path:   transport.Path("/accounts"), Class: ClassRead,
	}
}

// FindAccounts returns the accounts with the given name, for a
// [Client.CreateAccount] whose outcome is unknown. An empty result means that
// the account has not been created yet: a request that is still under way can
// arrive later. If no account matches and the service left accounts out of its
// list, the error is [walletfi.ErrOutcomeUnknown].
//
// It calls [Client.ListAccounts].
func (c *Client) FindAccounts(ctx context.Context, name string, opts ...walletfi.CallOption) ([]Account, error) {
	list, err := transport.Do[AccountPage](ctx, c.made().t, telling(listAccounts()), opts)
	if err := lossOf(err); err != nil {
		return nil, err
	}
	return matching(list.Items, list.Total, func(a Account) []string { return []string{a.Name} }, name)
}

// UpdateAccountRequest changes an account.
type UpdateAccountRequest struct {
	Name string `json:"name"` // required
}

// UpdateAccount renames an account.
//
// PATCH /accounts/{accountId}.
func (c *Client) UpdateAccount(
	ctx context.Context, accountID string, req UpdateAccountRequest, opts ...walletfi.CallOption,
) error {
	return c.set(ctx, transport.Call{
		Op: "UpdateAccount", Effect: transport.Set, Method: http.MethodPatch,
		Answer: transport.Says("success:bool"),
		Path:   transport.Path("/accounts/{accountId}", accountID),
		Body:   req, Invalid: check.Required("name", req.Name),
	}, opts)
}

// set makes a change or a deletion and discards the answer. An answer that is
// not JSON did not come from the service, so it is an error.
func (c *Client) set(ctx context.Context, call transport.Call, opts []walletfi.CallOption) error {
	call.Class = ClassWrite
	_, err := transport.DoDocument(ctx, c.made().t, call, opts)
	return err
}
