package smartaccount

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"time"

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
	Mint   string `body:"mint,required" form:"key"`
	Amount amount `body:"amount,required"`
	Period string `body:"period,required" open:"further values not shown"`
}

// spendingLimitType is the policy whose params are documented.
const spendingLimitType = "spending_limit"

// periods are the windows of a spending limit, which slide. Only daily is
// documented: any other word means a day too.
var periods = map[string]time.Duration{
	"hourly": time.Hour, "daily": 24 * time.Hour, "weekly": 7 * 24 * time.Hour, "monthly": 30 * 24 * time.Hour,
}

type policyRequest struct {
	_       struct{}        `rule:"params of a spending_limit are mint, amount and period"`
	_       struct{}        `open:"params of the other types"`
	Account string          `path:"accountId" open:"an identifier"`
	Type    string          `body:"type,required" oneof:"spending_limit allowlist blocklist time_window approval_required"`
	Name    string          `body:"name,required" open:"any text"`
	Params  json.RawMessage `body:"params,required" form:"object"`
}

func (in policyRequest) Problems(*kit.Call) []string {
	if in.Type != spendingLimitType || in.Params == nil {
		return nil
	}
	_, problems := readLimit(in.Params)
	return problems
}

func (b *Service) createPolicy(c *kit.Call, in policyRequest) any {
	w := b.wallet(c, in.Account)
	p := &policy{id: b.id("pol"), kind: in.Type, name: in.Name, params: map[string]json.RawMessage{}, created: b.Now()}
	p.merge(in.Params)
	w.policies = append(w.policies, p)
	return map[string]any{
		"id": p.id, "type": p.kind, "name": p.name, "params": p.params, "status": "active",
		"createdAt": kit.Stamp(p.created),
	}
}

// merge sets the given params and keeps the others. If the result is invalid,
// it changes nothing.
func (p *policy) merge(params json.RawMessage) {
	names, values, err := kit.Members(params)
	kit.BadIf(err != nil, "params is not an object")
	merged := map[string]json.RawMessage{}
	maps.Copy(merged, p.params)
	for i, name := range names {
		merged[name] = values[i]
	}
	if p.kind == spendingLimitType {
		limit, problems := readLimit(kit.MustJSON(merged))
		if len(problems) > 0 {
			panic(kit.Bad("%s", problems[0]).With(map[string]string{"field": "params"}))
		}
		p.limit = limit
	}
	p.params = merged
}

// readLimit reads the params of a spending limit as strictly as a body.
func readLimit(params json.RawMessage) (limit spendingLimit, problems []string) {
	problems = kit.ReadJSON(params, reflect.ValueOf(&limit).Elem(), "params")
	return limit, problems
}

func (b *Service) listPolicies(c *kit.Call, in request) any {
	w := b.wallet(c, in.Account)
	policies := kit.List(w.policies, func(p *policy) any {
		status := "active"
		if p.deleted {
			status = "deleted"
		}
		return map[string]any{"id": p.id, "type": p.kind, "name": p.name, "status": status}
	})
	return map[string]any{"policies": policies, "total": len(policies)}
}

// policy is nil if there is no such policy, or no longer.
func (w *wallet) policy(id string) *policy {
	return kit.Find(w.policies, func(p *policy) bool { return p.id == id && !p.deleted })
}

// policyOf returns a policy that a request names, and its account.
func (b *Service) policyOf(c *kit.Call, account, id string) (*wallet, *policy) {
	w := b.wallet(c, account)
	return w, kit.Found(w.policy(id), "there is no policy %s", id)
}

type policyUpdate struct {
	Account string          `path:"accountId" open:"an identifier"`
	Policy  string          `path:"policyId" open:"an identifier"`
	Params  json.RawMessage `body:"params,required" form:"object"`
}

// partialLimit is a part of the params of a spending limit.
type partialLimit struct {
	Mint   *string `body:"mint" form:"key"`
	Amount *amount `body:"amount"`
	Period *string `body:"period" open:"further values not shown"`
}

func (b *Service) updatePolicy(c *kit.Call, in policyUpdate) map[string]any {
	_, p := b.policyOf(c, in.Account, in.Policy)
	if p.kind == spendingLimitType {
		var part partialLimit
		c.Malformed(kit.ReadJSON(in.Params, reflect.ValueOf(&part).Elem(), "params")...)
	}
	p.merge(in.Params)
	return map[string]any{}
}

type policyDelete struct {
	Account string `path:"accountId" open:"an identifier"`
	Policy  string `path:"policyId" open:"an identifier"`
}

func (b *Service) deletePolicy(c *kit.Call, in policyDelete) map[string]any {
	w, p := b.policyOf(c, in.Account, in.Policy)
	p.deleted = true
	w.policies = retire(c, w.policies, p)
	return map[string]any{}
}

// checkPolicies refuses what a policy of the account forbids.
func (w *wallet) checkPolicies(out outflow, now time.Time) {
	for _, p := range w.policies {
		if !p.deleted && (p.refuses || p.exceeded(w, out, now)) {
			panic(kit.Refuse(http.StatusBadRequest, policyViolation, "the transaction violates the policy %q", p.name).
				With(map[string]string{"policyId": p.id, "type": p.kind}))
		}
	}
}

func (p *policy) exceeded(w *wallet, out outflow, now time.Time) bool {
	if p.kind != "spending_limit" || out.amounts[p.limit.Mint] == 0 {
		return false
	}
	spent := sum(w.spent, p.limit.Mint, now.Add(-cmp.Or(periods[p.limit.Period], periods["daily"])))
	return add(spent, out.amounts[p.limit.Mint]) > uint64(p.limit.Amount)
}

// SetPolicyRefuses does what sandbox.SmartAccountHandle.SetPolicyRefuses says.
func (b *Service) SetPolicyRefuses(policyID string, refuses bool) error {
	b.Lock()
	defer b.Unlock()
	for _, w := range b.wallets {
		if p := w.policy(policyID); p != nil {
			p.refuses = refuses
			return nil
		}
	}
	return fmt.Errorf("sandbox: there is no policy %q", policyID)
}
