package paid

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// TestProfiles: rpcnode's Prove says of each kind of provider what docs/landing.md says
// of it. "Some" is a kind of which one node can and another cannot; of luck nothing is said. A node whose
// storage fails at times is asked up to five times, as what failed need not fail again.
func TestProfiles(t *testing.T) {
	const some, luck = "some", "luck"
	for _, row := range []struct{ mode, recent, old, sponsored, nonces string }{
		{"honest", "all", "all", "all", "all"},
		{"nobatch", "all", "all", "all", "all"},
		{"batch10", "all", "all", "all", "all"},
		{"splitbatch", "all", "all", "all", "all"},
		{"getblocks5", "all", "all", "all", "all"},
		{"ratelimited", "all", "all", "all", "all"},
		{"balancer", "all", "all", "all", "all"},
		{"bymethod", some, some, some, some},
		{"snapshots", "all", some, "all", "all"},
		{"pruned", some, some, some, "all"},
		{"archivelag", "all", some, "all", "all"},
		{"nullerrors", "all", luck, "all", "all"},
		{"nohistory", "none", "none", "none", "none"},
	} {
		t.Run(row.mode, func(t *testing.T) {
			var nodes, recent, old, sponsored, nonces int
			for seed := range uint64(8) {
				asks := 1
				if row.old == luck {
					asks = 5
				}
				for _, a := range abilities(t, row.mode, seed, asks) {
					nodes++
					recent += one(a.Recent)
					old += one(a.Old)
					sponsored += one(a.Sponsored)
					nonces += one(a.Nonces)
				}
			}
			t.Logf("%s nodes=%d recent=%d old=%d sponsored=%d nonces=%d", row.mode, nodes, recent, old, sponsored, nonces)
			share := func(n int) string {
				switch n {
				case 0:
					return "none"
				case nodes:
					return "all"
				}
				return some
			}
			told := []string{share(recent), share(old), share(sponsored), share(nonces)}
			if row.old == luck {
				told[1] = luck
			}
			require.Equal(t, []string{row.recent, row.old, row.sponsored, row.nonces}, told)
		})
	}
}

func one(can bool) int {
	if can {
		return 1
	}
	return 0
}

// abilities asks each node of a cluster, so many times at most until it can prove what is recent.
func abilities(t *testing.T, mode string, seed uint64, asks int) (all []*rpcnode.Ability) {
	synctest.Test(t, func(t *testing.T) {
		c := world.Draw(seed, mode)
		c.Cluster.EmptyRate = 0 // what a provider can show, not what a window happens to hold
		w := world.New(c)
		defer w.Close()
		line := w.NewLine("prover")
		time.Sleep(10 * time.Minute)
		for i, e := range w.Endpoints() {
			node, err := rpcnode.New(rpcnode.Config{
				URL: walletfi.NewSecret(e.URL()), HTTPClient: &http.Client{Transport: e.Direct(line)},
			})
			require.NoError(t, err)
			var a *rpcnode.Ability
			for n := 0; n < asks && (a == nil || !a.Recent); n++ {
				a, err = node.Prove(t.Context())
				require.NoError(t, err, fmt.Sprint("node ", i))
			}
			require.Equal(t, a.Recent && a.Old && a.Sponsored && a.Nonces, len(a.Missing) == 0)
			all = append(all, a)
		}
	})
	return all
}
