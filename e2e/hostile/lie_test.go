package hostile

import (
	"math/big"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/e2e/calls"
)

// lie is a spoiled answer.
type lie struct {
	class string
	said  string // the value that was put there, as JSON; empty if none was
	body  string
}

// lies are the answers that each spoil one member of a body.
func lies(x calls.Exchange, body string, m member, r *rule) []lie {
	var all []lie
	add := func(class, said, body string) { all = append(all, lie{class, said, body}) }
	if m.key >= 0 {
		add("missing", "", m.without(body))
	}
	if r.kind != "failure" && !r.null {
		add("null", "null", m.with(body, "null"))
	}
	for _, value := range others[r.kind] {
		add("kind", value, m.with(body, value))
	}
	for _, value := range kinds[r.kind] {
		if !r.holds(value) {
			add("range", value, m.with(body, value))
		}
	}
	other := r.other(m.text(body))
	if m.key >= 0 {
		add("twice", other, m.twice(body, other))
	}
	repeated := strings.Contains(x.Asked(), strings.Trim(m.text(body), `"`))
	switch {
	case r.outcome && other == `"failed"`:
		add("request", `"rejected"`, m.with(body, `"rejected"`))
		fallthrough
	case r.echo && repeated, r.outcome:
		add("request", other, m.with(body, other))
	case r.filter && repeated:
		add("filter", other, m.with(body, other))
	}
	return all
}

// opposites are words of the documentation for another state of affairs.
var opposites = map[string]string{
	"EXECUTED": "CLOSED", "CLOSED": "EXECUTED", "LONG": "SHORT", "SHORT": "LONG", "deposit": "withdraw", "buy": "sell",
	"sell": "buy", "active": "closed", "paused": "active", "confirmed": "failed", "closed": "open", "SPLIT": "MERGE",
	"market": "event", "1h": "1d", "business": "personal", "transfer": "swap", "monthly": "daily", "yes": "no", "no": "yes",
	"spending_limit": "allowlist", "daily": "monthly", "sync": "async", "submitted": "failed",
	"SOLANA_MAINNET": "SOLANA_DEVNET",
}

// other is another value than an honest one, that could be true as well.
func (r *rule) other(honest string) string {
	text := strings.Trim(honest, `"`)
	quote := strings.TrimSuffix(honest, text+`"`)
	if quote == honest {
		quote = ""
	}
	switch r.kind {
	case "int", "price", "time":
		n, ok := number(text)
		if !ok {
			return `7`
		}
		next := new(big.Rat).Add(n, big.NewRat(1, 1))
		if r.high != nil && next.Cmp(r.high) > 0 {
			next = new(big.Rat).Quo(n, big.NewRat(2, 1))
		}
		digits := next.FloatString(20)
		if strings.ContainsRune(digits, '.') {
			digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
		}
		return quote + digits + quote
	case "iso":
		return `"2026-03-04T05:06:07Z"`
	case "key":
		return `"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"`
	case "sig":
		return `"` + strings.Repeat("2", 63) + strings.Repeat("3", 24) + `"`
	case "list":
		return `[]`
	case "object":
		return `{}`
	case "failure":
		return `null`
	case "flag":
		return map[bool]string{true: "false", false: "true"}[honest == "true"]
	case "tx64", "b64":
		return `"AQID"`
	case "tx58":
		return `"Ldp"`
	}
	if word, ok := opposites[text]; ok {
		return `"` + word + `"`
	}
	if strings.HasPrefix(text, "https://") {
		return `"https://elsewhere.example/"`
	}
	return `"` + text + `x"`
}

// failures are what an answer can say at its top beside data, and whether it is a refusal.
var failures = []failure{
	{"error", `"it failed"`, true}, {"error", `{"code":"X","message":"it failed"}`, true}, {"success", `false`, true},
	{"errors", `[{"message":"it failed"}]`, true}, {"error", `null`, false}, {"error", `""`, false}, {"error", `[]`, false}, {"success", `true`, false},
}

type failure struct {
	member, value string
	refusal       bool
}

// partial are the errors that socialsearch has beside data, which stand for a part of it.
const partial = `[{"title":"Not Found Error","detail":"Could not find user.","resource_id":"7","resource_type":"user"}]`

// failuresOf are the failures that a service can have. The members of a webhook may be called
// as a failure is.
func failuresOf(op, body string) []failure {
	isHook := op == "webhooks.GetWebhook" || op == "webhooks.UpdateWebhook"
	hasID := slices.ContainsFunc(members(body), func(m member) bool { return m.at == "id" })
	switch {
	case strings.HasSuffix(op, "Delivery"), op == "lending.Notification":
		return nil // they answer nothing
	case op == "webhooks.CreateWebhook", isHook && !hasID: // the documentation does not say whose error it is
		return failures[2:4]
	case isHook:
		return []failure{{"error", `"it failed"`, false}, {"error", `{"code":"X"}`, false}, {"success", `false`, true}}
	case strings.HasPrefix(op, "socialsearch."):
		return slices.Concat([]failure{{"errors", partial, false}}, failures[:3], failures[4:])
	}
	return failures
}

// beside is a body with a member at its top.
func beside(body, name, value string) string {
	all := members(body)
	if all[0].kind != 'o' {
		return ""
	}
	for _, m := range all {
		if m.at == name {
			return m.with(body, value)
		}
	}
	rest := strings.TrimLeft(body[all[0].from+1:], " \t\r\n")
	if strings.HasPrefix(rest, "}") {
		return `{"` + name + `":` + value + rest
	}
	return `{"` + name + `":` + value + "," + rest
}

// added are members of a resource that its creation's answer need not have, with another
// value than was asked for. They hold whatever the documented answer repeats.
var added = map[string][]struct{ member, value string }{
	"smartaccount.CreateDirectDebit": {
		{"maxAmount", `"4321000"`}, {"mint", `"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"`}, {"frequency", `"daily"`},
		{"expiresAt", `"2036-03-04T05:06:07Z"`},
	},
	"smartaccount.CreateSubscription": {
		{"mint", `"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"`}, {"startDate", `"2036-03-04"`},
	},
	"smartaccount.CreateSession": {{"limits", `{"perTransaction":"1000000","daily":"5000000"}`}},
}
