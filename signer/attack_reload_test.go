package signer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// goesOn has the rig's signer go on with another policy, and other keys.
func (r *rig) goesOn(text string, keys ...signing.Signer) {
	next, err := signer.ParsePolicy([]byte(text))
	require.NoError(r.t, err)
	r.cfg.Policy, r.cfg.Accept, r.cfg.Keys = next, next.Fingerprint(), keys
	r.reopen()
}

// TestOpenDebitsOutliveThePolicy: what is signed and held counts under each policy that comes after, with
// smaller ceilings, longer windows, other names, and after the owner was not in it for a while.
func TestOpenDebitsOutliveThePolicy(t *testing.T) {
	changed := func(pairs ...string) string {
		text := strings.NewReplacer(pairs...).Replace(policyText())
		require.NotEqual(t, policyText(), text)
		return text
	}
	other := signingtest.Key("other owner")
	for what, policies := range map[string][]string{
		"smaller ceilings": {changed("most = 5_000_000_000", "most = 2_000_000_000")},
		"longer windows":   {changed(`length = "1h", most = 5_000_000_000`, `length = "24h", most = 2_000_000_000`)},
		"other names":      {changed(`"bot"`, `"robot"`, `"trader"`, `"dealer"`, "5_000_000_000", "2_000_000_000")},
		"without the owner": {
			changed(owner.String(), other.PublicKey().String()), changed("most = 5_000_000_000", "most = 2_000_000_000"),
		},
	} {
		t.Run(what, func(t *testing.T) {
			r := newRig(t, 2)
			held := r.signed(r.pay(payee, sol-baseFee))
			landed := r.signed(r.pay(payee, sol-baseFee))
			require.True(t, r.land(landed, ""))
			for i, text := range policies {
				keys := []signing.Signer{ownerKey}
				if i < len(policies)-1 {
					keys[0] = other
				}
				r.goesOn(text, keys...)
				r.settle()
			}
			client := r.cfg.Policy.Clients[0].Name
			require.Zero(t, r.left())
			r.refused(client, r.pay(payee, 1), signer.CodeWindow)
			require.True(t, r.land(held, ""), "which it still can")
			r.settle()
			r.refused(client, r.pay(payee, 1), signer.CodeWindow)
		})
	}
}
