package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox"
)

// acme lends under words of its own, at an address that a test fills in.
const acme = `{
  "name": "acme",
  "services": {
    "lending": {
      "urls": {"baseURL": "%s"},
      "auth": [{"in": "query", "name": "key"}],
      "keys": {"mint": "token", "walletAddress": "holder"},
      "values": {"depositType": {"protected": "SAFE"}},
      "operations": {
        "GET /v1/pools": {"answer": [{"unwrap": "data"}]},
        "GET /v1/account/{walletAddress}": {"route": "GET /v1/account?of={walletAddress}"}
      }
    }
  }
}
`

func TestDeploymentCheck(t *testing.T) {
	good := file(t, fmt.Sprintf(acme, "https://acme.example"))
	r := command(t, "deployment", "check", good)
	require.Zero(t, r.status, r.err)
	require.Equal(t, good+": services 1, operations of their own 2, no mistake\n", r.out)

	text := strings.Replace(fmt.Sprintf(acme, "ftp://acme.example"), `"mint"`, `"mimt"`, 1)
	r = call{in: text}.run(t, "deployment", "check", "-")
	require.Equal(t, statusMalformed, r.status)
	require.Empty(t, r.out)
	require.Contains(t, r.err, "standard input:5: services.lending.urls.baseURL: must be an absolute address")
	require.Contains(t, r.err, "standard input:7: services.lending.keys.mimt: lending has no member of this name; do you mean mint?")
	require.Equal(t, 2, strings.Count(r.err, "walletfi: "), "a line each")

	command(t, "deployment", "check").fails(t, statusUsage, "a FILE is needed")
	command(t, "deployment", "check", filepath.Join(t.TempDir(), "not")).fails(t, statusMalformed, "no such file")
	command(t, "deployment", "nothing").fails(t, statusUsage, "nothing")
}

func TestDeploymentInit(t *testing.T) {
	r := command(t, "deployment", "init", "swap")
	require.Zero(t, r.status, r.err)
	require.Contains(t, r.out, `// "inAmount": "inAmount",`)
	checked := call{in: r.out}.run(t, "deployment", "check", "-")
	require.Zero(t, checked.status, checked.err)
	command(t, "deployment", "init", "swop").fails(t, statusUsage, "do you mean swap?")
}

// TestDeploymentTry: against a vendor that keeps to its file, and one that does not.
func TestDeploymentTry(t *testing.T) {
	spoken, err := deployment.Parse("acme.json", []byte(strings.Replace(fmt.Sprintf(acme, "https://acme.example"), `"urls": {"baseURL": "https://acme.example"},`, "", 1)))
	require.NoError(t, err)
	s, err := sandbox.Start(sandbox.Config{Deployment: spoken, NoLimits: true})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	text := fmt.Sprintf(acme, s.URL(sandbox.Lending))
	run := func(text string, args ...string) result {
		c := call{env: []string{"WALLETFI_LENDING_KEY=" + s.APIKey(sandbox.Lending)}}
		return c.run(t, append([]string{"deployment", "try", file(t, text), "--every", "1ms"}, args...)...)
	}

	r := run(text, "--arg", "walletAddress="+s.WalletAddress())
	require.Contains(t, r.out, "lending GET /v1/pools: arrived ")
	require.Contains(t, r.out, "lending GET /v1/account/{walletAddress}: failed: status 404", "it was found by its live route: there is no such account")
	require.Contains(t, r.out, "lending GET /v1/referrer/{referrerAddress}: left out: needs --arg referrerAddress=...")
	require.NotContains(t, r.out, "GET /v1/pools: failed")
	require.NotContains(t, r.out, "POST", "what builds is not called")
	require.NotContains(t, r.out+r.err, s.APIKey(sandbox.Lending))
	require.Empty(t, s.Violations())

	var told []tried
	for line := range strings.Lines(run(text, "--json").out) {
		told = append(told, tried{})
		require.NoError(t, json.Unmarshal([]byte(line), &told[len(told)-1]))
	}
	require.Contains(t, told, tried{Service: "lending", Route: "GET /v1/account/{walletAddress}", Result: "left out",
		Text: "left out: needs --arg walletAddress=..."})

	undone := strings.Replace(text, `[{"unwrap": "data"}]`, `[]`, 1)
	r = run(undone)
	require.Equal(t, statusDiffers, r.status)
	require.Contains(t, r.out, "lending GET /v1/pools: arrived 0 of ")
	require.Contains(t, r.out, "  not documented: data\n")
	require.Contains(t, r.out, "  missing: pools\n")

	r = run(strings.Replace(text, `"urls": {"baseURL": "`+s.URL(sandbox.Lending)+`"},`, "", 1))
	require.Contains(t, r.out, "0 routes tried")
	require.Equal(t, statusMalformed, r.status)
	require.Equal(t, "walletfi: no route was tried: the lines above say what is missing\n", r.err)
	run(text, "--service", "swap").fails(t, statusUsage, "the file has no service")
	run(text, "--arg", "x").fails(t, statusUsage, "name=value")
	s.Close()
	r = run(text)
	require.Equal(t, statusDiffers, r.status)
	require.Contains(t, r.out, "lending GET /v1/pools: failed: ")

	open := file(t, "k")
	require.NoError(t, os.Chmod(open, 0o644))
	run(text, "--key-file", "lending="+open).fails(t, statusSecret, "open to others")
}

// TestDeploymentTryOfHostileVendor: a vendor that repeats the credential, and answers
// with more and longer names than anybody reads.
func TestDeploymentTryOfHostileVendor(t *testing.T) {
	var body strings.Builder
	fmt.Fprintf(&body, `{"data":{"pools":[{"%s":1,"kind":2,"depositType":"%s"}],"%s":1,"\u001b[2J":1`, theKey, theKey, strings.Repeat("x", 190)+theKey)
	for i := range 5000 {
		fmt.Fprintf(&body, `,"z%d%s":1`, i, strings.Repeat("y", 1000))
	}
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, body.String()+"}}")
	}))
	defer vendor.Close()
	c := call{env: []string{"WALLETFI_LENDING_KEY=" + theKey}}
	r := c.run(t, "deployment", "try", file(t, fmt.Sprintf(acme, vendor.URL)), "--every", "1ms")
	require.Equal(t, statusDiffers, r.status)
	require.Contains(t, r.out, "not documented: pools.*.[secret]\n")
	require.Contains(t, r.out, "more\n")
	require.NotContains(t, r.out+r.err, "never-print")
	require.NotContains(t, r.out+r.err, theKey[:8])
	require.NotContains(t, r.out+r.err, "\x1b")
	require.Less(t, len(r.out), 500_000)
}

const theKey = "sk-acme-never-print-this"
