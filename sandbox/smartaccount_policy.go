package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
)

// smartAccountPolicy is a rule for an account's transactions. Only those of
// type spending_limit have documented params: the others refuse when a test
// says so.
type smartAccountPolicy struct {
	id      string
	kind    string
	name    string
	params  map[string]json.RawMessage
	limit   smartAccountSpendingLimit // of a spending_limit
	created time.Time
	deleted bool
	refuses bool
}

type smartAccountSpendingLimit struct {
	Mint   string             `json:"mint"`
	Amount smartAccountAmount `json:"amount"`
	Period string             `json:"period"`
}

// smartAccountPeriods are the windows of a spending limit. They slide.
var smartAccountPeriods = map[string]time.Duration{
	"hourly": time.Hour, "daily": 24 * time.Hour, "weekly": 7 * 24 * time.Hour, "monthly": 30 * 24 * time.Hour,
}

type smartAccountPolicyRequest struct {
	Account string          `path:"accountId"`
	Type    string          `body:"type,required" oneof:"spending_limit allowlist blocklist time_window approval_required"`
	Name    string          `body:"name,required"`
	Params  json.RawMessage `body:"params,required"`
}

type smartAccountPolicyAnswer struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

func (b *smartAccount) createPolicy(c *call, in smartAccountPolicyRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	p := &smartAccountPolicy{id: b.id("pol"), kind: in.Type, name: in.Name, params: map[string]json.RawMessage{}, created: b.now()}
	if err := p.merge(in.Params); err != nil {
		return nil, err
	}
	w.policies = append(w.policies, p)
	return map[string]any{
		"id": p.id, "type": p.kind, "name": p.name, "params": p.params, "status": "active",
		"createdAt": smartAccountStamp(p.created),
	}, nil
}

// merge sets the params that are given and leaves the others. It changes
// nothing where the whole would not be good.
func (p *smartAccountPolicy) merge(params json.RawMessage) error {
	names, values, err := members(params)
	if err != nil {
		return refuse(http.StatusBadRequest, "", "params is not an object")
	}
	merged := map[string]json.RawMessage{}
	for name, value := range p.params {
		merged[name] = value
	}
	for i, name := range names {
		merged[name] = values[i]
	}
	if p.kind == "spending_limit" {
		limit, err := smartAccountReadLimit(merged)
		if err != nil {
			f := refuse(http.StatusBadRequest, "", "params of a spending_limit: %v", err).(*failure)
			f.Details = map[string]string{"field": "params"}
			return f
		}
		p.limit = limit
	}
	p.params = merged
	return nil
}

func smartAccountReadLimit(params map[string]json.RawMessage) (limit smartAccountSpendingLimit, err error) {
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
	if smartAccountPeriods[limit.Period] == 0 {
		return limit, fmt.Errorf("period %q is not known", limit.Period)
	}
	return limit, nil
}

func (b *smartAccount) listPolicies(c *call, in smartAccountRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	policies := []smartAccountPolicyAnswer{}
	for _, p := range w.policies {
		status := "active"
		if p.deleted {
			status = "deleted"
		}
		policies = append(policies, smartAccountPolicyAnswer{p.id, p.kind, p.name, status})
	}
	return map[string]any{"policies": policies, "total": len(policies)}, nil
}

func (w *smartAccountWallet) policy(id string) (*smartAccountPolicy, error) {
	for _, p := range w.policies {
		if p.id == id && !p.deleted {
			return p, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "", "there is no policy %s", id)
}

type smartAccountPolicyUpdate struct {
	Account string          `path:"accountId"`
	Policy  string          `path:"policyId"`
	Params  json.RawMessage `body:"params,required"`
}

func (b *smartAccount) updatePolicy(c *call, in smartAccountPolicyUpdate) (map[string]any, error) {
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

type smartAccountPolicyDelete struct {
	Account string `path:"accountId"`
	Policy  string `path:"policyId"`
}

// deletePolicy leaves the policy in the list as deleted or takes it out, in
// turn, as revokeSession does.
func (b *smartAccount) deletePolicy(c *call, in smartAccountPolicyDelete) (map[string]any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	p, err := w.policy(in.Policy)
	if err != nil {
		return nil, err
	}
	p.deleted = true
	if c.shape(2) == 1 {
		w.policies = slices.DeleteFunc(w.policies, func(x *smartAccountPolicy) bool { return x == p })
	}
	return map[string]any{}, nil
}

// checkPolicies refuses what a policy of the account forbids.
func (w *smartAccountWallet) checkPolicies(out smartAccountOutflow, now time.Time) error {
	for _, p := range w.policies {
		if !p.deleted && (p.refuses || p.exceeded(w, out, now)) {
			f := refuse(http.StatusBadRequest, smartAccountPolicyViolation, "the transaction violates the policy %q", p.name).(*failure)
			f.Details = map[string]string{"policyId": p.id, "type": p.kind}
			return f
		}
	}
	return nil
}

func (p *smartAccountPolicy) exceeded(w *smartAccountWallet, out smartAccountOutflow, now time.Time) bool {
	if p.kind != "spending_limit" || out.amounts[p.limit.Mint] == 0 {
		return false
	}
	spent := smartAccountSum(w.spent, p.limit.Mint, now.Add(-smartAccountPeriods[p.limit.Period]))
	return smartAccountAdd(spent, out.amounts[p.limit.Mint]) > uint64(p.limit.Amount)
}

// SmartAccountPolicyRefuses makes a policy of the smart account service,
// whatever its type and params, refuse every transaction of its account, or
// stop doing so.
func (s *Sandbox) SmartAccountPolicyRefuses(policyID string, refuses bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.smartAccount.wallets {
		if p, err := w.policy(policyID); err == nil {
			p.refuses = refuses
			return nil
		}
	}
	return fmt.Errorf("sandbox: there is no policy %q", policyID)
}
