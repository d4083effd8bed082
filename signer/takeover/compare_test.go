package takeover

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// pays is a request of an owner to pay the shop.
func (r *rig) pays(who key, n uint64) (*draft, signing.SetRequest) {
	d := &draft{payer: who, blockhash: r.c.recent(2), calls: []call{lamports(who, shop, n)}}
	return d, signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{encoded(d.encode())},
		Intent: walletfi.Intent{Owner: who.String(), PayTo: []string{shop.String()},
			Spend: []walletfi.Asset{{Mint: wsol.String(), Amount: walletfi.Amount(n)}}},
	}}
}

// robs executes what the signer has never seen, with an owner's key.
func (r *rig) robs(t *testing.T, name string, calls ...call) { r.executes(t, []string{name}, calls...) }

// executes has keys sign calls, of which the first pays, and executes that.
func (r *rig) executes(t *testing.T, names []string, calls ...call) {
	r.sends(t, names, &draft{payer: public(names[0]), blockhash: r.c.recent(2), calls: calls})
}

func (r *rig) sends(t *testing.T, names []string, d *draft) {
	raw := d.encode()
	p, err := parse(raw, r.c.table)
	require.NoError(t, err)
	for _, name := range names {
		s, err := secret(name).Sign(t.Context(), p.message)
		require.NoError(t, err)
		copy(raw[slot(raw, public(name)):], s[:])
	}
	require.NoError(t, r.c.send(raw))
}

// TestAStolenKeyThatHides: what a stolen key signs shows too if the balances show nothing, if one of
// two nodes hides it, and over restarts. What others sign who name the owner freezes nobody.
func TestAStolenKeyThatHides(t *testing.T) {
	for what, rob := range map[string]func(*testing.T, *rig){
		"": func(t *testing.T, r *rig) {
			r.executes(t, []string{"relay"}, lamports(relay, alice, 1))
		},
		"what is put back": func(t *testing.T, r *rig) {
			r.robs(t, "alice", lamports(alice, relay, sol))
			r.executes(t, []string{"relay"}, lamports(relay, alice, sol+5000))
		},
		"what another pays": func(t *testing.T, r *rig) {
			r.executes(t, []string{"relay", "alice"}, lamports(alice, alice, 0))
		},
		"what fails": func(t *testing.T, r *rig) {
			r.executes(t, []string{"relay", "alice"}, lamports(alice, shop, 1_000_000*sol))
		},
	} {
		for _, restart := range []bool{false, true} {
			t.Run(fmt.Sprint(what, restart), func(t *testing.T) {
				r := newRig(t, 1, plan{nodes: 2, liars: 1, lie: nothingMoves | richer})
				newCourt(r.c)
				r.c.accounts[relay] = account{lamports: 10 * sol}
				r.hour(t)
				rob(t, r)
				if restart {
					require.NoError(t, r.s.Close())
					r.open(t)
				}
				r.hour(t)
				if what == "" {
					require.Empty(t, r.frozen(t))
					return
				}
				require.Equal(t, []string{alice.String()}, r.frozen(t))
				require.NoError(t, r.s.Thaw(t.Context(), "admin", "looked"))
				r.hour(t)
				require.Empty(t, r.frozen(t), "what was told once is not told again")
			})
		}
	}
}

// hour lets an hour pass, as a signer sees it that watches.
func (r *rig) hour(t *testing.T) {
	for range 61 {
		r.c.advance(time.Minute, 0)
		require.NoError(t, r.s.Settle(t.Context()))
	}
}

func (r *rig) frozen(t *testing.T) []string {
	h, err := r.s.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, signer.ModeOpen, h.Mode)
	return h.Frozen
}

// TestAStolenKeyShows: what leaves an owner without a decision freezes that owner within the hour,
// also if as much is being spent by decisions, and over restarts.
func TestAStolenKeyShows(t *testing.T) {
	for what, rob := range map[string][]call{
		"SOL":           {lamports(alice, thief, sol)},
		"little":        {lamports(alice, thief, 1)},
		"a token":       {checked(usdc, ata(alice, usdc), ata(thief, usdc), alice, 5)},
		"of Token-2022": {checked(late, ata(alice, late), ata(thief, late), alice, 5)},
		"of a second":   {checked(usdc, second[alice], ata(thief, usdc), alice, 5)},
	} {
		for _, restart := range []bool{false, true} {
			t.Run(fmt.Sprint(what, restart), func(t *testing.T) {
				r := newRig(t, 1, plan{nodes: 2, liars: 1, lie: nothingMoves | richer})
				newCourt(r.c)
				require.NoError(t, r.s.Settle(t.Context()))
				spend := func() error {
					d, q := r.pays(alice, sol/10)
					signed, err := r.s.SignSet(t.Context(), "c0", q)
					if err != nil {
						return err
					}
					raw := d.encode()
					copy(raw[slot(raw, alice):], signed.Signatures[0][:])
					require.NoError(t, r.c.send(raw))
					return nil
				}
				require.NoError(t, spend())
				r.hour(t)
				require.Empty(t, r.frozen(t), "what was decided explains it")
				r.robs(t, "alice", rob...)
				require.NoError(t, spend())
				if restart {
					require.NoError(t, r.s.Close())
					r.open(t)
				}
				r.hour(t)
				require.Equal(t, []string{alice.String()}, r.frozen(t))
				require.ErrorContains(t, spend(), signer.CodeFrozen)
				_, q := r.pays(bob, sol/10)
				_, err := r.s.SignSet(t.Context(), "c0", q)
				require.NoError(t, err, "another owner's keys are not touched")
				told := 0
				require.NoError(t, r.s.Each(t.Context(), func(e signer.Entry) error {
					if e.Kind == "freeze" {
						told++
						assert.Contains(t, string(e.Body), `"owner":"alice"`)
					}
					return nil
				}))
				assert.Positive(t, told)
				require.NoError(t, r.s.Thaw(t.Context(), "admin", "looked"))
				require.NoError(t, spend())
				r.hour(t)
				require.Empty(t, r.frozen(t), "what was told once is not told again")
			})
		}
	}
}

// TestAllThatIsDecidedIsExplained: payments that land, fail, die or are held, wrapping, other
// tokens and income freeze nobody, whenever the balances are looked at.
func TestAllThatIsDecidedIsExplained(t *testing.T) {
	r := newRig(t, 1, plan{nodes: 1})
	newCourt(r.c)
	n, held := 0, [][]byte{}
	for range 40 {
		for _, calls := range [][]call{
			{lamports(alice, shop, sol/50)},
			{lamports(alice, shop, 1000*sol)}, // fails
			{lamports(alice, ata(alice, wsol), sol/50), synced(ata(alice, wsol))},
			{checked(usdc, ata(alice, usdc), ata(shop, usdc), alice, tok/10)},
			{checked(usdc, ata(alice, usdc), second[alice], alice, tok)},
		} {
			d := &draft{payer: alice, blockhash: r.c.recent(2), calls: calls}
			signed, err := r.s.SignSet(t.Context(), "c0", signing.SetRequest{Count: 1, Unsigned: walletfi.Unsigned{
				Transactions: []walletfi.EncodedTransaction{encoded(d.encode())},
				Intent: walletfi.Intent{Owner: alice.String(), PayTo: []string{shop.String()}, Spend: []walletfi.Asset{
					{Mint: wsol.String(), Amount: 1000 * sol}, {Mint: usdc.String(), Amount: 1000 * tok},
				}},
			}})
			if err != nil {
				continue
			}
			n++
			raw := d.encode()
			copy(raw[slot(raw, alice):], signed.Signatures[0][:])
			held = append(held, raw)
		}
		if len(held) > 3 {
			for _, raw := range held[:len(held)-1] { // the last may die
				_ = r.c.send(raw)
				r.c.advance(slotTime, 0)
			}
			held = nil
		}
		r.c.advance(17*time.Minute, 0) // an hour is over amid what has not landed for good
		require.NoError(t, r.s.Settle(t.Context()))
		require.Empty(t, r.frozen(t))
		r.c.advance(10*time.Second, 0)
		require.NoError(t, r.s.Settle(t.Context()))
		require.Empty(t, r.frozen(t))
	}
	require.Greater(t, n, 80)
}
