package takeover

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signer"
)

var noncesFlag = flag.Int("takeover.nonces", 30, "how many drawn lives of durable nonces there are")

// onNonce is a transaction of Alice's on the nonce that the client holds.
type onNonce struct {
	raw       []byte
	value     key
	signature string // Alice's
	lamports  int64
}

// nonces is a client that signs on a durable nonce and holds what it got.
type nonces struct {
	*rig
	t    *testing.T
	d    *rand.Rand
	held []onNonce
	what []string
	n    uint64
}

// ask has a payment on the nonce signed, if the signer does.
func (c *nonces) ask(payer string) bool {
	c.n++
	value := c.c.nonceValue()
	d, q := c.on(nonce, value, public(payer), c.n)
	signed, err := c.s.SignSet(c.t.Context(), fmt.Sprint("c", c.d.IntN(2)), q)
	if err != nil {
		return false
	}
	raw := d.encode()
	copy(raw[slot(raw, alice):], signed.Signatures[0][:])
	if payer != "alice" {
		p, err := parse(raw, c.c.table)
		require.NoError(c.t, err)
		s, err := secret(payer).Sign(c.t.Context(), p.message)
		require.NoError(c.t, err)
		copy(raw[slot(raw, public(payer)):], s[:])
	}
	c.held = append(c.held, onNonce{raw, value, signed.Signatures[0].String(), int64(c.n)})
	return true
}

// reload has the policy list the nonce, or not any more.
func (c *nonces) reload(t *testing.T, lists bool) {
	text := c.policy()
	if !lists {
		text = strings.ReplaceAll(text, "nonces = [", "multisigs = []\nnonces = []\n# [")
	}
	var err error
	c.p, err = signer.ParsePolicy([]byte(text))
	require.NoError(t, err)
	c.restart(t)
}

func (c *nonces) restart(t *testing.T) {
	require.NoError(t, c.s.Close())
	c.accept = true
	c.open(t)
}

// does has one thing happen.
func (c *nonces) does(what string) {
	c.what = append(c.what, what)
	switch what {
	case "asks":
		c.ask("alice")
	case "asks with a sponsor":
		c.ask("sponsor")
	case "pays":
		c.n++
		_, q := c.pays(alice, c.n)
		_, _ = c.s.SignSet(c.t.Context(), "c0", q)
	case "sends":
		for _, i := range c.d.Perm(len(c.held)) {
			_ = c.c.send(c.held[i].raw)
		}
	case "advances":
		c.n++
		other, _ := c.on(nonce, c.c.nonceValue(), alice, c.n)
		c.sends(c.t, []string{"alice"}, other)
	case "waits":
		c.c.advance(time.Duration(c.d.IntN(100))*time.Second, 0)
	case "settles":
		_ = c.s.Settle(c.t.Context())
	case "days":
		c.c.advance(time.Duration(1+c.d.IntN(400))*time.Hour, 0)
		_ = c.s.Settle(c.t.Context())
	case "restarts":
		c.restart(c.t)
	case "is thawed":
		require.NoError(c.t, c.s.Freeze(c.t.Context(), "admin", signer.ModeFrozen, "look"))
		require.NoError(c.t, c.s.Thaw(c.t.Context(), "admin", "looked"))
	case "is not listed":
		c.reload(c.t, false)
	case "is listed":
		c.reload(c.t, true)
	}
}

// counted requires that what can still land counts, whatever its age.
func (c *nonces) counted() {
	live, err := c.s.Live(c.t.Context())
	require.NoError(c.t, err)
	open := map[string]bool{}
	for _, l := range live {
		open[l.Signature] = true
	}
	var could int64
	for _, h := range c.held {
		if h.value == c.c.nonceValue() {
			could += h.lamports
			require.True(c.t, open[h.signature], "%v", c.what)
		}
	}
	used, err := c.s.Ledger(c.t.Context())
	require.NoError(c.t, err)
	windows := 0
	for _, u := range used {
		if u.Owner == "alice" && u.Mint == signer.Mint(wsol.String()) {
			windows++
			require.GreaterOrEqual(c.t, u.Open, could, "%v", c.what)
		}
	}
	require.Equal(c.t, 3, windows)
}

// TestDrawnNonces: what is signed on a durable nonce counts as long as it can land, through restarts,
// thaws, policies and lies; once it has landed or the value is used up it ends, and one is signed again.
func TestDrawnNonces(t *testing.T) {
	signed, landed, dead := 0, 0, 0
	for seed := range uint64(*noncesFlag) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := rand.New(rand.NewPCG(seed, 2929))
			r := newRig(t, seed, plan{nodes: 2, liars: d.IntN(2), lie: lie(1 + d.IntN(63)), flaky: d.IntN(4) == 0})
			newCourt(r.c)
			c := &nonces{rig: r, t: t, d: d}
			r.c.advance(time.Minute, 0)
			_ = r.s.Settle(t.Context())
			happens := []string{"asks", "asks", "asks with a sponsor", "pays", "sends", "advances", "waits",
				"waits", "settles", "settles", "days", "restarts", "is thawed", "is not listed", "is listed"}
			for range 25 {
				c.does(happens[d.IntN(len(happens))])
				c.counted()
			}
			c.does("sends")
			c.does("advances")
			c.does("is listed")
			for range 8 {
				r.c.advance(2*time.Minute, 0)
				_ = r.s.Settle(t.Context())
			}
			live, err := r.s.Live(t.Context())
			require.NoError(t, err)
			for _, l := range live {
				on := func(h onNonce) bool { return h.signature == l.Signature }
				require.False(t, slices.ContainsFunc(c.held, on), "%v: %s", c.what, l.Missing)
			}
			signed += len(c.held)
			require.NoError(t, r.s.Each(t.Context(), func(e signer.Entry) error {
				switch {
				case e.Kind == "end" && strings.Contains(string(e.Body), `"state":"landed"`):
					landed++
				case e.Kind == "end" && strings.Contains(string(e.Body), `"state":"dead"`):
					dead++
				}
				return nil
			}))
		})
	}
	t.Logf("nonces: cases=%d signed=%d landed=%d dead=%d", *noncesFlag, signed, landed, dead)
	require.Greater(t, 2*signed, *noncesFlag)
	require.Positive(t, landed*dead)
}
