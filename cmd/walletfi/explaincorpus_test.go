package main

import (
	"encoding/hex"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// given returns the flags that tell the binary what a case tells the guard.
func given(t *testing.T, c corpus.Case) []string {
	t.Helper()
	pins := map[string][]signing.PublicKey{}
	for service, programs := range c.Policy.Pins {
		pins[service] = keys(programs)
	}
	typed := map[string][]map[string]any{}
	for service, all := range c.Policy.TypedPins {
		for _, p := range all {
			pin := map[string]any{"program": signing.PublicKey(p.Program), "mayWrite": p.MayWrite}
			begins := []string{}
			for _, d := range p.Instructions {
				begins = append(begins, hex.EncodeToString(d))
			}
			pin["instructions"] = begins
			typed[service] = append(typed[service], pin)
		}
	}
	accounts := []map[string]signing.PublicKey{}
	for _, a := range c.Policy.Accounts {
		accounts = append(accounts, map[string]signing.PublicKey{"address": a.Address, "mint": a.Mint})
	}
	policy := marshal(t, map[string]any{
		"pins": pins, "typedPins": typed, "accounts": accounts, "keys": keys(c.Policy.Keys), "protected": keys(c.Policy.Protected),
		"sponsors": keys(c.Policy.Sponsors), "coSigners": keys(c.Policy.CoSigners), "lateCoSigners": c.Policy.LateCoSigners,
		"delegates": keys(c.Policy.Delegates), "mints": keys(c.Policy.Mints), "allowBlind": c.Policy.AllowBlind,
	})
	args := []string{"explain", "--policy", file(t, policy), "--block-height", strconv.FormatUint(c.BlockHeight, 10)}
	if c.Nonce != nil {
		args = append(args, "--nonce", signing.PublicKey(c.Nonce.Account).String()+":"+signing.PublicKey(c.Nonce.Value).String())
	}
	return args
}

func keys(raw []corpus.Key) []signing.PublicKey {
	all := []signing.PublicKey{}
	for _, k := range raw {
		all = append(all, k)
	}
	return all
}

// offline reports whether a case needs nothing that only a node could tell.
func offline(c corpus.Case) bool {
	return len(c.Unsigned.Transactions) > 0 && c.Policy.Tables == nil && c.Policy.Fees == nil && c.Policy.Simulations == nil
}

// TestExplainCorpus: what the corpus attacks with never passes, and what is honest
// does, with the policy in a file.
func TestExplainCorpus(t *testing.T) {
	config := corpus.Config{Owner: owner(t), Seed: 1}
	statuses := map[int]int{}
	for i, attack := range corpus.Attacks(config) {
		if i%40 != 0 || !offline(attack.Case) {
			continue
		}
		got := call{in: marshal(t, attack.Unsigned)}.run(t, given(t, attack.Case)...)
		require.Contains(t, []int{statusRefused, statusMalformed}, got.status, "%s: %s%s", attack.Name, got.out, got.err)
		statuses[got.status]++
	}
	require.Greater(t, statuses[statusRefused], 10)
	passed := 0
	for i, benign := range corpus.Benigns(config) {
		if i%20 != 0 || !offline(benign.Case) {
			continue
		}
		got := call{in: marshal(t, benign.Unsigned)}.run(t, given(t, benign.Case)...)
		require.Zero(t, got.status, "%s: %s%s", benign.Name, got.out, got.err)
		passed++
	}
	require.Greater(t, passed, 5)
}
