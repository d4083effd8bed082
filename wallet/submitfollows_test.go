package wallet_test

import (
	"crypto/ed25519"
	"crypto/sha512"
	"errors"
	"math/big"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestChangedMessagesAreBothFollowed: the page signed a changed message, and it or the wallet has
// sent what was prepared, too. The key is told expired only if neither can execute.
func TestChangedMessagesAreBothFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		lost []bool // of what was prepared, of what came back
		want wallet.State
	}{
		"what came back lands":    {[]bool{true, false}, wallet.StateConfirmed},
		"what was prepared lands": {[]bool{false, true}, wallet.StateConfirmed},
		"neither":                 {[]bool{true, true}, wallet.StateExpired},
	} {
		for _, restarts := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := newPage(t, nil)
					x := p.transferOf(signing.Legacy, 1)
					prepared := p.prepare(t, x)
					x.calls = append(budget(t, 20_000, 1), x.calls...)
					changed := sign(t, x.bytes(t), p.key)
					p.lost = func(message []byte) bool { return c.lost[1] }
					if !c.lost[0] {
						go func() {
							time.Sleep(100 * slotTime) // late, and not too late
							p.lands(t, p.signs(t, prepared)[0])
						}()
					}
					if restarts {
						p.dies(t, changed)
					} else {
						result, err := p.submit(t, changed)
						require.Equal(t, c.want == wallet.StateConfirmed, err == nil, "%v", err)
						if c.want == wallet.StateExpired {
							require.ErrorIs(t, err, wallet.ErrExpired)
						}
						require.Len(t, result.Steps, 1)
						require.Equal(t, c.want, result.Steps[0].State)
						if c.lost[0] && c.want == wallet.StateConfirmed {
							require.Less(t, time.Since(p.begun), 10*time.Second, "the other one is not waited for")
						}
					}
					require.Equal(t, c.want, p.settled(t, "order").State)
					require.Empty(t, p.open(t))
					if c.want == wallet.StateExpired {
						require.Greater(t, time.Since(p.begun), 150*slotTime)
					}
				})
			})
		}
	}
}

// dies submits with a wallet that is closed at once, and goes on with another one.
func (p *page) dies(t *testing.T, signed []byte) {
	t.Helper()
	node := p.chain
	node.status = func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil }
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := p.submit(t, signed)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	}()
	time.Sleep(time.Second)
	require.NoError(t, p.wallet.Close())
	<-done
	node.mu.Lock()
	node.status = nil
	node.mu.Unlock()
	s := searched{node, p}
	var err error
	p.wallet, err = wallet.New(wallet.Config{
		Guard: signing.NewGuard(signing.Policy{}), Submitter: s, Confirmer: s, Heights: s, Journal: p.journal,
	})
	require.NoError(t, err)
}

// otherSignature is a second valid signature over the same message, such as wallets make that hold a key
// in parts: R is the public half of a nonce, S = r + k a.
func otherSignature(seed, nonce, message []byte) []byte {
	number := func(b []byte) *big.Int {
		b = slices.Clone(b)
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	scalar := func(seed []byte) *big.Int {
		h := sha512.Sum512(seed)
		h[0], h[31] = h[0]&248, h[31]&127|64
		return number(h[:32])
	}
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	key, r := ed25519.NewKeyFromSeed(seed), ed25519.NewKeyFromSeed(nonce)
	public, point := key.Public().(ed25519.PublicKey), r.Public().(ed25519.PublicKey)
	k := sha512.Sum512(slices.Concat(point, public, message))
	s := new(big.Int).Mul(number(k[:]), scalar(seed))
	s.Mod(s.Add(s, scalar(nonce)), order)
	end := s.FillBytes(make([]byte, 32))
	slices.Reverse(end)
	return slices.Concat(point, end)
}

// TestOwnerSignsTwice: the page submits one signature over the message and sends another one. The
// ledger executes the message once, by the signature that the journal does not have.
func TestOwnerSignsTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		prepared := p.prepare(t, p.transferOf(signing.Legacy, 1))
		signed := p.signs(t, prepared)[0]
		tx, err := signing.DecodeBytes(signed)
		require.NoError(t, err)
		other := slices.Clone(signed)
		copy(other[1:], otherSignature(slices.Repeat([]byte{9}, 32), slices.Repeat([]byte{8}, 32), tx.Message()))
		twin, err := signing.DecodeBytes(other)
		require.NoError(t, err)
		require.True(t, twin.Signature().Verify(p.key.PublicKey(), tx.Message()))
		require.NotEqual(t, tx.Signature(), twin.Signature())
		p.lands(t, other)
		p.chain.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
			if signature == twin.Signature().String() {
				return found, nil
			}
			return notFound, nil
		}
		result, err := p.submit(t, signed)
		require.NoError(t, err)
		require.Equal(t, []string{twin.Signature().String()}, result.Signatures())
	})
}

// TestDoorRefusesWhatThePageSends: that the wallet's node sent nothing says nothing of the page.
func TestDoorRefusesWhatThePageSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		signed := p.signs(t, p.prepare(t, p.transferOf(signing.Legacy, 1)))[0]
		refuses := true
		p.chain.submit = func(int, walletfi.Signed) error {
			if refuses {
				return errors.Join(walletfi.ErrNotSent, walletfi.ErrRejected)
			}
			return nil
		}
		go func() {
			time.Sleep(50 * slotTime)
			p.mu.Lock()
			refuses = false
			p.mu.Unlock()
			p.lands(t, signed)
		}()
		result, err := p.submit(t, signed)
		require.NoError(t, err)
		require.True(t, result.Confirmed())
	})
}
