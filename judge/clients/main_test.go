package main

import (
	"strings"
	"testing"
)

// TestReport: the closing line counts, and each client must reach the percentage with enough
// probes.
func TestReport(t *testing.T) {
	results := func(web3, kit, solanago, failing int) []result {
		var all []result
		for client, n := range map[string]int{"web3.js": web3, "kit": kit, "solana-go": solanago} {
			for i := range n {
				r := result{Client: client, Name: "probe"}
				if client == "kit" && i < failing {
					r.Error = "no answer"
				}
				all = append(all, r)
			}
		}
		return all
	}
	for name, c := range map[string]struct {
		all  []result
		good bool
		line string
	}{
		"all":              {results(67, 43, 24, 0), true, "clients: web3.js 67/67 kit 43/43 solana-go 24/24\n"},
		"just":             {results(67, 60, 24, 3), true, "clients: web3.js 67/67 kit 57/60 solana-go 24/24\n"},
		"one too many":     {results(67, 60, 24, 4), false, "clients: web3.js 67/67 kit 56/60 solana-go 24/24\n"},
		"a probe less":     {results(66, 43, 24, 0), false, "clients: web3.js 66/66 kit 43/43 solana-go 24/24\n"},
		"a client missing": {results(67, 43, 0, 0), false, "clients: web3.js 67/67 kit 43/43 solana-go 0/0\n"},
	} {
		var out strings.Builder
		if good := report(&out, c.all, 95); good != c.good || !strings.HasSuffix(out.String(), c.line) {
			t.Errorf("%s: %t\n%s", name, good, out.String())
		}
	}
}

// TestProbes: no probe has the name of another, and a wrong answer, an error and none at all
// fail.
func TestProbes(t *testing.T) {
	names := map[string]bool{}
	w := world{Address: key, Mint: key, Holder: key, Signature: strings.Repeat("1", 64)}
	for _, p := range probes(w) {
		if names[p.name] {
			t.Errorf("%s comes twice", p.name)
		}
		names[p.name] = true
		if p.run() == "" {
			t.Errorf("%s passes without a node", p.name)
		}
	}
	if len(names) < 24 {
		t.Errorf("%d probes", len(names))
	}
}

const key = "So11111111111111111111111111111111111111112"
