package takeover

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// on is a payment of Alice's to the shop on a durable nonce.
func (r *rig) on(account, value, payer key, n uint64) (*draft, signing.SetRequest) {
	_, q := r.pays(alice, n)
	advance := call{signing.SystemProgram, []meta{writes(account), reads(sysvar), {alice, true, false}}, []byte{4, 0, 0, 0}}
	d := &draft{payer: payer, blockhash: value, calls: []call{advance, lamports(alice, shop, n)}}
	q.Unsigned.Transactions[0] = encoded(d.encode())
	if payer != alice {
		q.Unsigned.Intent.Sponsor = payer.String()
	}
	return d, q
}

// days lets days pass, as a signer sees it that watches.
func (r *rig) days(t *testing.T, n int) {
	for range n {
		r.hour(t)
		r.c.advance(23*time.Hour, 0)
		require.NoError(t, r.s.Settle(t.Context()))
	}
}

func (r *rig) live(t *testing.T) int {
	require.NoError(t, r.s.Settle(t.Context()))
	all, err := r.s.Live(t.Context())
	require.NoError(t, err)
	return len(all)
}

// TestNonce: what is signed on a durable nonce of the policy counts until it has landed or the nonce
// was advanced by another transaction, at any age; one at once, on the nonce's own value.
func TestNonce(t *testing.T) {
	for _, payer := range []string{"alice", "sponsor"} {
		for what, end := range map[string]string{"lands": "landed", "is advanced": "dead"} {
			t.Run(payer+" "+what, func(t *testing.T) {
				r := newRig(t, 1, plan{nodes: 2})
				newCourt(r.c)
				other := named("another nonce")
				r.c.accounts[other] = r.c.accounts[nonce]
				r.c.advance(time.Minute, 0)
				require.NoError(t, r.s.Settle(t.Context()))
				refused := func(account, value key, code string) {
					_, q := r.on(account, value, public(payer), sol/10)
					_, err := r.s.SignSet(t.Context(), "c0", q)
					require.ErrorContains(t, err, code)
				}
				refused(other, r.c.nonceValue(), signer.CodeBlockhash)
				refused(nonce, named("another value"), signer.CodeNonce)
				value := r.c.nonceValue()
				d, q := r.on(nonce, value, public(payer), sol/10)
				signed, err := r.s.SignSet(t.Context(), "c0", q)
				require.NoError(t, err)
				_, q = r.on(nonce, value, public(payer), sol/20)
				_, err = r.s.SignSet(t.Context(), "c0", q)
				require.ErrorContains(t, err, signer.CodeBusy)
				r.days(t, 3)
				require.Equal(t, 1, r.live(t), "it can still land")
				raw := d.encode()
				copy(raw[slot(raw, alice):], signed.Signatures[0][:])
				if end == "dead" {
					other, _ := r.on(nonce, value, alice, 1)
					r.sends(t, []string{"alice"}, other)
				} else {
					if payer == "sponsor" {
						p, err := parse(raw, r.c.table)
						require.NoError(t, err)
						s, err := secret(payer).Sign(t.Context(), p.message)
						require.NoError(t, err)
						copy(raw[slot(raw, sponsor):], s[:])
					}
					require.NoError(t, r.c.send(raw))
				}
				require.Equal(t, 1, r.live(t), "it is not final")
				r.c.advance(time.Minute, 0)
				require.Zero(t, r.live(t))
				require.NoError(t, r.s.Settle(t.Context()))
				found := 0
				require.NoError(t, r.s.Each(t.Context(), func(e signer.Entry) error {
					if e.Kind == "end" {
						found++
						require.Contains(t, string(e.Body), `"state":"`+end+`"`)
					}
					return nil
				}))
				require.Equal(t, 1, found)
				refused(nonce, value, signer.CodeNonce)
				_, q = r.on(nonce, r.c.nonceValue(), public(payer), sol/10)
				_, err = r.s.SignSet(t.Context(), "c0", q)
				require.NoError(t, err)
			})
		}
	}
}
