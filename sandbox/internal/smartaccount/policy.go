package smartaccount

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// policy is a rule for an account's transactions. Only spending_limit has
// documented params; the other types refuse if a test says so.
type policy struct {
	id      string
	kind    string
	name    string
	params  map[string]json.RawMessage
	limit   spendingLimit // of a spending_limit
	created time.Time
	deleted bool
	refuses bool
}

type spendingLimit struct {
	Mint   string `json:"mint"`
	Amount amount `json:"amount"`
	Period string `json:"period"`
}

// periods are the windows of a spending limit. They slide.
var periods = map[string]time.Duration{
	"hourly": time.Hour, "daily": 24 * time.Hour, "weekly": 7 * 24 * time.Hour, "monthly": 30 * 24 * time.Hour,
}

type policyRequest struct {
	Account string          `path:"accountId"`
	Type    string          `body:"type,required" oneof:"spending_limit allowlist blocklist time_window approval_required"`
	Name    string          `body:"name,required"`
	Params  json.RawMessage `body:"params,required"`
}

type policyAnswer struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

func (b *Service) createPolicy(c *kit.Call, in policyRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	p := &policy{id: b.id("pol"), kind: in.Type, name: in.Name, params: map[string]json.RawMessage{}, created: b.Now()}
	if err := p.merge(in.Params); err != nil {
		return nil, err
	}
	w.policies = append(w.policies, p)
	return map[string]any{
		"id": p.id, "type": p.kind, "name": p.name, "params": p.params, "status": "active",
		"createdAt": stamp(p.created),
	}, nil
}

// merge sets the given params and keeps the others. If the result is invalid,
// it changes nothing.
func (p *policy) merge(params json.RawMessage) error {
	names, values, err := kit.Members(params)
	if err != nil {
		return kit.Refuse(http.StatusBadRequest, "", "params is not an object")
	}
	merged := map[string]json.RawMessage{}
	for name, value := range p.params {
		merged[name] = value
	}
	for i, name := range names {
		merged[name] = values[i]
	}
	if p.kind == "spending_limit" {
		limit, err := readLimit(merged)
		if err != nil {
			f := kit.Refuse(http.StatusBadRequest, "", "params of a spending_limit: %v", err).(*kit.Failure)
			f.Details = map[string]string{"field": "params"}
			return f
		}
		p.limit = limit
	}
	p.params = merged
	return nil
}

func readLimit(params map[string]json.RawMessage) (limit spendingLimit, err error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return limit, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&limit); err != nil {
		return limit, err
	}
	if params["amount"] == nil {
		return limit, fmt.Errorf("amount is missing")
	}
	if _, err := solana.PublicKeyFromBase58(limit.Mint); err != nil {
		return limit, fmt.Errorf("mint is no address")
	}
	if periods[limit.Period] == 0 {
		return limit, fmt.Errorf("period %q is not known", limit.Period)
	}
	return limit, nil
}

func (b *Service) listPolicies(c *kit.Call, in request) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	policies := []policyAnswer{}
	for _, p := range w.policies {
		status := "active"
		if p.deleted {
			status = "deleted"
		}
		policies = append(policies, policyAnswer{p.id, p.kind, p.name, status})
	}
	return map[string]any{"policies": policies, "total": len(policies)}, nil
}

func (w *wallet) policy(id string) (*policy, error) {
	for _, p := range w.policies {
		if p.id == id && !p.deleted {
			return p, nil
		}
	}
	return nil, kit.Refuse(http.StatusNotFound, "", "there is no policy %s", id)
}

type policyUpdate struct {
	Account string          `path:"accountId"`
	Policy  string          `path:"policyId"`
	Params  json.RawMessage `body:"params,required"`
}

func (b *Service) updatePolicy(c *kit.Call, in policyUpdate) (map[string]any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	p, err := w.policy(in.Policy)
	if err != nil {
		return nil, err
	}
	return map[string]any{}, p.merge(in.Params)
}

type policyDelete struct {
	Account string `path:"accountId"`
	Policy  string `path:"policyId"`
}

// deletePolicy leaves the policy in the list as deleted or takes it out, in
// turn, as revokeSession does.
func (b *Service) deletePolicy(c *kit.Call, in policyDelete) (map[string]any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	p, err := w.policy(in.Policy)
	if err != nil {
		return nil, err
	}
	p.deleted = true
	if c.Shape(2) == 1 {
		w.policies = slices.DeleteFunc(w.policies, func(x *policy) bool { return x == p })
	}
	return map[string]any{}, nil
}

// checkPolicies refuses what a policy of the account forbids.
func (w *wallet) checkPolicies(out outflow, now time.Time) error {
	for _, p := range w.policies {
		if !p.deleted && (p.refuses || p.exceeded(w, out, now)) {
			f := kit.Refuse(http.StatusBadRequest, policyViolation, "the transaction violates the policy %q", p.name).(*kit.Failure)
			f.Details = map[string]string{"policyId": p.id, "type": p.kind}
			return f
		}
	}
	return nil
}

func (p *policy) exceeded(w *wallet, out outflow, now time.Time) bool {
	if p.kind != "spending_limit" || out.amounts[p.limit.Mint] == 0 {
		return false
	}
	spent := sum(w.spent, p.limit.Mint, now.Add(-periods[p.limit.Period]))
	return add(spent, out.amounts[p.limit.Mint]) > uint64(p.limit.Amount)
}

// SetPolicyRefuses makes a policy of the smart account service,
// whatever its type and params, refuse every transaction of its account, or
// stop doing so.
func (b *Service) SetPolicyRefuses(policyID string, refuses bool) error {
	b.Lock()
	defer b.Unlock()
	for _, w := range b.wallets {
		if p, err := w.policy(policyID); err == nil {
			p.refuses = refuses
			return nil
		}
	}
	return fmt.Errorf("sandbox: there is no policy %q", policyID)
}
