package signer_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

var (
	drawnCases = flag.Int("attack.cases", 20, "how many histories are drawn")
	drawnSeed  = flag.Uint64("attack.seed", 1, "the first one's seed")
)

var sponsorKey = signingtest.Key("sponsor")

// sponsored is the rig's policy with a sponsor.
func sponsored(c *signer.Config) {
	p, err := signer.ParsePolicy([]byte(fmt.Sprintf("sponsors = [%q]\n", sponsorKey.PublicKey()) + policyText()))
	if err != nil {
		panic(err)
	}
	c.Policy = p
}

// drawnHistory is one history: what an honest client, strangers and perhaps a thief do, as nodes tell it of
// which one lies.
type drawnHistory struct {
	*rig
	d     *rand.Rand
	nodes []*teller
	what  []string
	held  []*signing.Transaction
	n     uint64 // so that no two transactions are the same
	theft bool
}

func (h *drawnHistory) transfer(payer, from, to signing.PublicKey) signingtest.Transaction {
	h.n++
	return signingtest.Transaction{FeePayer: payer, Blockhash: h.blockhash(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(from, to, walletfi.Amount(h.n)),
	}}
}

// does has one thing happen.
func (h *drawnHistory) does(what string) {
	h.what = append(h.what, what)
	ctx := h.t.Context()
	fails := []string{"", "Custom"}[h.d.IntN(2)]
	switch what {
	case "pays", "holds":
		if h.theft {
			return // it may be frozen by now
		}
		h.n++
		tx := h.signed(h.pay(payee, h.n))
		if what == "pays" {
			require.True(h.t, h.land(tx, fails))
			return
		}
		h.held = append(h.held, tx)
	case "sends":
		for _, tx := range h.held {
			h.land(tx, fails) // if it still can
		}
		h.held = nil
	case "is sponsored":
		if h.theft {
			return
		}
		x := h.transfer(sponsorKey.PublicKey(), owner, payee)
		q := h.pay(payee, h.n)
		q.Unsigned.Intent.Sponsor = sponsorKey.PublicKey().String()
		q.Unsigned.Transactions[0] = x.Unsigned(h.t)
		_, err := h.SignSet(ctx, "trader", q)
		require.NoError(h.t, err)
		h.lands(x, sponsorKey, ownerKey)
	case "is named":
		x := h.transfer(thief, thief, owner)
		if h.d.IntN(2) == 0 {
			x = h.transfer(thief, thief, payee)
			x.Instructions[0].Accounts = append(x.Instructions[0].Accounts, signingtest.Account{Key: owner})
		}
		h.lands(x, signingtest.Key("thief"))
	case "is robbed":
		h.theft = true
		if h.d.IntN(2) == 0 {
			h.lands(h.transfer(owner, owner, thief), ownerKey)
			return
		}
		x := h.transfer(thief, thief, thief)
		x.Instructions[0].Accounts = append(x.Instructions[0].Accounts, signingtest.Account{Key: owner, Signer: true})
		h.lands(x, signingtest.Key("thief"), ownerKey)
	case "restarts":
		require.NoError(h.t, h.Signer.Close())
		s, err := signer.Open(ctx, h.cfg)
		require.NoError(h.t, err)
		h.Signer = s
	case "waits":
		h.pass(time.Duration(h.d.IntN(90)) * time.Second)
	case "looks":
		_ = h.Settle(ctx)
	case "watches":
		for range 1 + h.d.IntN(62) {
			h.pass(time.Minute)
			_ = h.Settle(ctx)
		}
	}
}

// lie has a node tell otherwise. What it makes up is of what was executed.
func (h *drawnHistory) lie(n *teller) string {
	some := func() string {
		h.mu.Lock()
		defer h.mu.Unlock()
		var all []string
		for signature := range h.raw {
			all = append(all, signature)
		}
		slices.Sort(all)
		if len(all) == 0 {
			return ""
		}
		return all[h.d.IntN(len(all))]
	}
	lies := []string{"is honest", "hides all", "hides some", "lists twice", "lists others", "shows others", "shows nothing",
		"drops signatures", "makes up", "is away", "lags"}
	lie := lies[h.d.IntN(len(lies))]
	switch lie {
	case "hides all":
		n.lists = func([]string) []string { return nil }
	case "hides some":
		n.lists = func(all []string) []string {
			return slices.DeleteFunc(all, func(string) bool { return h.d.IntN(2) == 0 })
		}
	case "lists twice":
		n.lists = func(all []string) []string { return append(all, all...) }
	case "lists others":
		n.lists = func(all []string) []string {
			return slices.DeleteFunc(append(all, some(), some()), func(s string) bool { return s == "" })
		}
	case "shows others":
		n.shows = func(string, []byte) []byte { return h.raw[some()] }
	case "shows nothing":
		n.shows = func(string, []byte) []byte { return nil }
	case "drops signatures":
		n.shows = func(_ string, raw []byte) []byte {
			clear(raw[1+64*(int(raw[0])-1) : 1+64*int(raw[0])])
			return raw
		}
	case "makes up":
		n.lists = func(all []string) []string {
			return append([]string{signing.Signature{byte(h.d.IntN(256))}.String()}, all...)
		}
	case "is away":
		n.away = true
	case "lags":
		n.lag = uint64(h.d.IntN(2000))
	}
	return lie
}

func (n *teller) FinalHead(ctx context.Context) (walletfi.Head, error) {
	h, err := n.node.FinalHead(ctx)
	h.Slot -= n.lag
	h.Height -= n.lag
	return h, err
}

// TestDrawnHistories: whatever happens in whatever order, and whatever one of three or four nodes tells of
// it, an owner is frozen if his key has signed what is not in the log, and else is not.
func TestDrawnHistories(t *testing.T) {
	robbed, signed := 0, 0
	for seed := *drawnSeed; seed < *drawnSeed+uint64(*drawnCases); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := rand.New(rand.NewPCG(seed, 29))
			h := &drawnHistory{d: d}
			h.rig = newRig(t, 3+d.IntN(2), sponsored, tellers(&h.nodes))
			h.what = append(h.what, h.lie(h.nodes[d.IntN(len(h.nodes))]))
			happens := []string{"pays", "holds", "sends", "is sponsored", "is named", "restarts", "waits", "looks", "watches"}
			thefts := d.IntN(2)
			for i := range 12 {
				what := happens[d.IntN(len(happens))]
				if thefts > 0 && d.IntN(12-i) == 0 {
					what, thefts = "is robbed", 0
				}
				h.does(what)
			}
			h.does("sends")
			var err error
			for range 26 {
				h.pass(5 * time.Minute)
				err = h.Settle(t.Context())
			}
			if h.theft {
				robbed++
				require.Equal(t, []string{owner.String()}, h.frozen(), "seed %d: %v: %v", seed, h.what, err)
			} else {
				signed++
				require.Empty(t, h.frozen(), "seed %d: %v", seed, h.what)
			}
		})
	}
	t.Logf("histories=%d robbed=%d honest=%d", *drawnCases, robbed, signed)
}
