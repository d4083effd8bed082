package smartaccount

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// PolicyType says what a policy restricts.
type PolicyType string

// The policy types.
const (
	PolicySpendingLimit    PolicyType = "spending_limit"    // a maximum of a mint in a period
	PolicyAllowlist        PolicyType = "allowlist"         // only to the listed destinations
	PolicyBlocklist        PolicyType = "blocklist"         // not to the listed destinations
	PolicyTimeWindow       PolicyType = "time_window"       // only at certain hours
	PolicyApprovalRequired PolicyType = "approval_required" // only with another approval
)

func init() {
	wire.Words(PolicySpendingLimit, PolicyAllowlist, PolicyBlocklist, PolicyTimeWindow, PolicyApprovalRequired)
}

// Policy is a rule that an account's transactions must follow.
type Policy struct {
	ID   string     `json:"id" wire:"strict,said,identity"`
	Type PolicyType `json:"type" wire:"once,decides,optional"`
	Name string     `json:"name" wire:"once"`
	// Params are documented only for PolicySpendingLimit: see SpendingLimit. They
	// are not in a list.
	Params    walletfi.Document `json:"params" wire:"once"`
	Status    Status            `json:"status" wire:"strict,said"`
	CreatedAt walletfi.Time     `json:"createdAt" wire:"free"` // zero in a list

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// CreatePolicyRequest describes a new policy.
type CreatePolicyRequest struct {
	Type   PolicyType   `json:"type"`   // required
	Name   string       `json:"name"`   // required
	Params PolicyParams `json:"params"` // required: a SpendingLimit, or RawParams
}

// CreatePolicy adds a policy to an account. A transaction that violates it
// fails with CodePolicyViolation. After an unknown outcome, call
// [Client.FindPolicies].
//
// POST /accounts/{accountId}/policies. It is not repeated once it was sent.
func (c *Client) CreatePolicy(
	ctx context.Context, accountID string, req CreatePolicyRequest, opts ...walletfi.CallOption,
) (*Policy, error) {
	return create[Policy](ctx, c, transport.Call{
		Op: "CreatePolicy", Effect: transport.Create, Method: http.MethodPost,
		Answer: transport.Says("id:id"),
		Path:   transport.Path("/accounts/{accountId}/policies", accountID),
		Body:   req, Invalid: req.problem(), Class: ClassWrite,
	}, opts, active, req.restricts)
}

// restricts reports params that lack a documented member of the request, or all members, or
// are no spending limit where one was asked for, and an answer that has no params.
func (r CreatePolicyRequest) restricts(_ []byte, made Policy) error {
	said, _ := wire.Members(made.Params)
	sent, _ := json.Marshal(r.Params) // as it was sent
	asked, _ := wire.Members(sent)
	if said == nil {
		return echo.That(len(asked) == 0, "params", string(sent), "nothing")
	}
	_, isRaw := r.Params.(RawParams)
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if is := string(said[name]); len(said) == 0 || !isRaw && (is == "" || is == "null" || is == `""`) {
			return echo.That(false, "params."+name, asked[name], "nothing")
		}
	}
	if !isRaw && wire.Unmarshal(made.Params, new(SpendingLimit)) != nil {
		return echo.That(false, "params", string(sent), string(made.Params))
	}
	return nil
}

func (r CreatePolicyRequest) problem() error {
	return check.All(
		check.OneOf("type", r.Type, PolicySpendingLimit, PolicyAllowlist, PolicyBlocklist,
			PolicyTimeWindow, PolicyApprovalRequired),
		check.Required("name", r.Name),
		paramsProblem(r.Params, r.Type),
	)
}

// PolicyPage is an account's policies.
type PolicyPage struct {
	Items []Policy `json:"policies" wire:"records"` // without Params and CreatedAt
	Total int      `json:"total" wire:"said,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListPolicies returns an account's policies. The service documents no paging:
// a Total above the number of policies means that it left some out.
//
// GET /accounts/{accountId}/policies.
func (c *Client) ListPolicies(ctx context.Context, accountID string, opts ...walletfi.CallOption) (*PolicyPage, error) {
	return transport.Do[PolicyPage](ctx, c.made().t, listPolicies(accountID), opts)
}

func listPolicies(accountID string) transport.Call {
	return transport.Call{
		Op: "ListPolicies", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("policies"),
		Path:   transport.Path("/accounts/{accountId}/policies", accountID), Class: ClassRead,
	}
}

// FindPolicies returns the policies with the given type and name, for a
// [Client.CreatePolicy] whose outcome is unknown. For the meaning of an empty
// result and of [walletfi.ErrOutcomeUnknown] see [Client.FindAccounts].
//
// It calls [Client.ListPolicies].
func (c *Client) FindPolicies(
	ctx context.Context, accountID string, kind PolicyType, name string, opts ...walletfi.CallOption,
) ([]Policy, error) {
	list, err := transport.Do[PolicyPage](ctx, c.made().t, telling(listPolicies(accountID)), opts)
	if err := lossOf(err); err != nil {
		return nil, err
	}
	return matching(list.Items, list.Total, func(p Policy) []string {
		return []string{string(p.Type), p.Name}
	}, string(kind), name)
}

// UpdatePolicyRequest describes a change of a policy's params.
type UpdatePolicyRequest struct {
	// Params are the params to change: a SpendingLimitChange, a whole
	// SpendingLimit, or RawParams. Required.
	Params PolicyParams `json:"params"`
}

// UpdatePolicy changes the params in req and keeps the others.
//
// PATCH /accounts/{accountId}/policies/{policyId}.
func (c *Client) UpdatePolicy(
	ctx context.Context, accountID, policyID string, req UpdatePolicyRequest, opts ...walletfi.CallOption,
) error {
	return c.set(ctx, transport.Call{
		Op: "UpdatePolicy", Effect: transport.Set, Method: http.MethodPatch,
		Answer: transport.Says("success:bool"),
		Path:   transport.Path("/accounts/{accountId}/policies/{policyId}", accountID, policyID),
		Body:   req, Invalid: paramsProblem(req.Params, ""),
	}, opts)
}

// DeletePolicy removes a policy from an account.
//
// DELETE /accounts/{accountId}/policies/{policyId}.
func (c *Client) DeletePolicy(ctx context.Context, accountID, policyID string, opts ...walletfi.CallOption) error {
	return c.set(ctx, transport.Call{
		Op: "DeletePolicy", Effect: transport.Set, Method: http.MethodDelete,
		Answer: transport.Says("success:bool"),
		Path:   transport.Path("/accounts/{accountId}/policies/{policyId}", accountID, policyID),
	}, opts)
}
