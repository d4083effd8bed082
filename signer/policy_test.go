package signer_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
)

func TestPolicyIsStrict(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"a misspelt member":        {"share = 100", "shares = 100", "client.shares is no member"},
		"an unknown table":         {"[fees]", "[charges]", "charges is no member"},
		"a version":                {"version = 1", "version = 2", "version is 2, this signer reads 1"},
		"a ledger":                 {`genesis = "`, `genesis = "x`, "is not the hash of a block"},
		"a mint":                   {`mint = "SOL"`, `mint = "USDC"`, "is not the base58 of 32 bytes"},
		"a negative ceiling":       {"transaction = 2_000_000_000", "transaction = -1", "is negative"},
		"a fraction":               {"transaction = 2_000_000_000", "transaction = 2.5", "incompatible types"},
		"no window":                {`window = [{length = "1h", most = 5_000_000_000}]`, "", "has no window"},
		"a short window":           {`length = "1h"`, `length = "1s"`, "1s long, of 1m to 8784h"},
		"a length in numbers":      {`length = "1h"`, `length = "60"`, "missing unit"},
		"a share of nothing":       {"share = 100", "share = 0", "1 to 100 percent, not 0"},
		"a share of more":          {"share = 100", "share = 101", "1 to 100 percent, not 101"},
		"a rate":                   {"rate = 100000", "rate = 0", "requests a second, not 0"},
		"an owner":                 {`owners = ["bot"]`, `owners = ["bots"]`, `there is no owner "bots"`},
		"a service":                {`services = [""]`, `services = ["swap"]`, `there is no service "swap"`},
		"two of a user":            {"uid = 1001", "uid = 1000", `uid or certificate of client "uid 1000" comes twice`},
		"a user and a certificate": {"uid = 1001", `uid = 1001` + "\n" + `certificate = "x"`, "has a uid and a certificate"},
		"a client that thaws":      {"admins = [0]", "admins = [1000]", "is an admin too"},
		"a role":                   {`may_write = ["owner"]`, `may_write = ["all"]`, "is no role of an account"},
		"an instruction":           {`instructions = ["01"]`, `instructions = ["1"]`, "is not hexadecimal"},
		"an empty one":             {`instructions = ["01"]`, `instructions = [""]`, "is not hexadecimal"},
		"no must_be_ours":          {"must_be_ours = [1]", "", "does not say must_be_ours, and the service is not blind"},
		"a position":               {"must_be_ours = [1]", "must_be_ours = [-1]", "-1 is no position"},
		"a fee":                    {"tip = 1_000_000", "tip = -1", "fees.tip is negative"},
		"an exposure":              {"most = 10_000_000_000", "most = -1", "exposure of SOL is negative"},
		"a payee":                  {`name = "exchange"` + "\n" + `address = "` + payee.String() + `"`, `name = "exchange"`, "has no address"},
		"no TOML":                  {"version = 1", "version", "expected '.' or '='"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(policyText(), c.old, c.new, 1)
			require.NotEqual(t, policyText(), text)
			_, err := signer.ParsePolicy([]byte(text))
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := signer.ParsePolicy([]byte("version = 1"))
	require.ErrorContains(t, err, "it has no owner")
	_, err = signer.LoadPolicy(t.TempDir() + "/none")
	require.Error(t, err)
}

func TestPolicyTellsAllProblemsAtOnce(t *testing.T) {
	text := strings.NewReplacer("share = 100", "share = 0", "tip = 1_000_000", "tip = -1").Replace(policyText())
	_, err := signer.ParsePolicy([]byte(text))
	require.ErrorContains(t, err, "1 to 100 percent")
	require.ErrorContains(t, err, "fees.tip is negative")
}

func TestPolicyWords(t *testing.T) {
	p, err := signer.ParsePolicy([]byte(policyText()))
	require.NoError(t, err)
	words := p.Words()
	for _, want := range []string{
		`From owner "bot" leaves at most 2000000000 of SOL in one transaction.`,
		`From owner "bot" leaves at most 5000000000 of SOL within any 1h.`,
		`Programs may write at most 10000000000 of SOL of owner "bot" that only a simulation has judged.`,
		`Who has uid 1001 is client "other": 100000 requests a second, 40 % of each window of "bot", for services "".`,
		`Service "lending" may call instructions 01 of ` + program.String() + `, which may write "owner"; accounts [1] of it must be ours.`,
		`Transactions may pay "exchange" at ` + payee.String() + `.`,
		`In mode exit, ` + rescue.String() + ` may still be paid.`,
	} {
		assert.Contains(t, words, want)
	}
	wider := strings.Replace(policyText(), "most = 5_000_000_000", "most = 6_000_000_000", 1)
	next, err := signer.ParsePolicy([]byte(wider))
	require.NoError(t, err)
	assert.Equal(t, []string{
		`- From owner "bot" leaves at most 5000000000 of SOL within any 1h.`,
		`+ From owner "bot" leaves at most 6000000000 of SOL within any 1h.`,
	}, p.Diff(next))
	assert.Empty(t, p.Diff(p))
	assert.NotEqual(t, p.Fingerprint(), next.Fingerprint())
	assert.Len(t, p.Fingerprint(), 64)
}

// TestTheGuidesPolicy: the policy of docs/signer.md is one, once its addresses are filled in.
func TestTheGuidesPolicy(t *testing.T) {
	text, err := os.ReadFile("../docs/signer.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```toml\n")
	require.True(t, found)
	policy, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	p, err := signer.ParsePolicy([]byte(strings.ReplaceAll(policy, `"..."`, `"`+payee.String()+`"`)))
	require.NoError(t, err)
	assert.Contains(t, p.Words(), `From owner "bot" leaves at most 20000000000 of SOL within any 24h.`)
	_, rest, found = strings.Cut(string(text), "```toml\n[prices]")
	require.True(t, found)
	more, _, _ := strings.Cut(rest, "```")
	p, err = signer.ParsePolicy([]byte(strings.ReplaceAll(policy+"[prices]"+more, `"..."`, `"`+payee.String()+`"`)))
	require.NoError(t, err)
	assert.Contains(t, p.Words(), `Owner "bot" may trade up to 5000 USD within any 24h.`)
}
