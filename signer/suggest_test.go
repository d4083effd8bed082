package signer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// entries are the log.
func (r *rig) entries() (all []signer.Entry) {
	require.NoError(r.t, r.Each(r.t.Context(), func(e signer.Entry) error {
		all = append(all, e)
		return nil
	}))
	return all
}

func reporting(cfg *signer.Config) {
	policy, err := signer.ParsePolicy([]byte("report_only = true\n" + policyText()))
	if err != nil {
		panic(err)
	}
	cfg.Policy = policy
}

// TestSuggest: what a signer in report-only mode has signed makes a policy that signs the same,
// and no more than the margin beyond it.
func TestSuggest(t *testing.T) {
	r := newRig(t, 2, reporting)
	assert.Contains(t, strings.Join(r.cfg.Policy.Words(), "\n"), "This signer only reports")
	r.takes(40*sol, sol/2)
	swap := func(data byte) signing.SetRequest {
		q := r.call(data, owner)
		q.Unsigned.Intent.Service = "swap"
		return q
	}
	for range 2 {
		r.land(r.signed(r.pay(thief, 3*sol)), "")
		r.settle()
		tx := r.signed(swap(7))
		r.effects[tx.Signature().String()] = &walletfi.Effects{Signature: tx.Signature().String()}
		r.land(tx, "")
		r.settle()
		r.pass(40 * time.Minute)
		require.NoError(t, r.Settle(t.Context()))
	}
	all := r.entries()
	log := ""
	for _, e := range all {
		log += string(e.Body) + "\n"
	}
	assert.Contains(t, log, `"would":"payee: `, "the log says what the policy would have refused")
	assert.Contains(t, log, `"would":"client: `)

	text, err := r.cfg.Policy.Suggest(all, 10)
	require.NoError(t, err)
	next, err := signer.ParsePolicy([]byte(text))
	require.NoError(t, err, text)
	words := strings.Join(next.Words(), "\n")
	for _, want := range []string{
		`From owner "bot" leaves at most 3300005500 of SOL in one transaction.`,
		`From owner "bot" leaves at most 7700022000 of SOL within any 24h.`,
		`Programs may write at most 44000000000 of SOL of owner "bot" that only a simulation has judged.`,
		`Service "swap" may call instructions 07 of ` + program.String() + `, which may write "owner"`,
		`Transactions may pay ` + `"` + thief.String()[:8] + `" at ` + thief.String() + `.`,
		`for services "", "lending", "swap".`,
		`A transaction costs at most 5500 lamports of network fees, 0 of tip`,
	} {
		assert.Contains(t, words, want)
	}
	assert.NotContains(t, words, "only reports")

	enforced := newRig(t, 2, func(cfg *signer.Config) { cfg.Policy = next })
	enforced.takes(40*sol, sol/2)
	enforced.land(enforced.signed(enforced.pay(thief, 3*sol)), "")
	enforced.settle()
	enforced.refused("trader", enforced.pay(thief, 4*sol), signer.CodeCeiling)
	enforced.refused("trader", enforced.pay(program, sol), signer.CodePayee)
}

// TestReportOnlyStillJudges: the guard, the freeze and the rate hold in report-only mode.
func TestReportOnlyStillJudges(t *testing.T) {
	r := newRig(t, 2, reporting)
	q := r.pay(thief, 3*sol)
	q.Unsigned.Intent.PayTo = []string{payee.String()}
	d, err := r.SignSet(t.Context(), "trader", q)
	require.ErrorIs(t, err, signing.ErrRefused, "it is not what the intent asks for")
	require.Nil(t, d)
	require.NoError(t, r.Freeze(t.Context(), "test", signer.ModeFrozen, ""))
	r.refused("trader", r.pay(thief, 1), signer.CodeFrozen)
}
