package wallet_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// bench is a court with a wallet whose payments land after 20 seconds.
type bench struct {
	*rig
	court *court
	t     *testing.T
}

// newBench makes a court of some nodes. The first liars of them hide what has landed.
func newBench(t *testing.T, nodes, liars int, change func(*bench, *wallet.Config)) *bench {
	b := &bench{t: t, court: &court{chain: newChain(t, 1000), landed: map[string]uint64{}, lands: true}}
	for i := range nodes {
		if j := b.court.join(t); i < liars {
			j.Status = func(string) (walletfi.SignatureStatus, error) { return notFound, nil }
			j.statuses = func(_ walletfi.SignatureStatus, at uint64) (walletfi.SignatureStatus, uint64) {
				return notFound, at
			}
		}
	}
	b.rig = &rig{chain: b.court.chain, shop: solana.PublicKey{5}, journal: wallet.NewMemoryJournal()}
	b.open(change)
	return b
}

// open makes the wallet.
func (b *bench) open(change func(*bench, *wallet.Config)) {
	key, err := signing.NewLocalKeyFromSeed(slices.Repeat([]byte{1}, 32))
	require.NoError(b.t, err)
	b.owner = solana.PublicKey(key.PublicKey())
	cfg := wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: b.court, Confirmer: askless{b.court}, Journal: b.journal,
	}
	if change != nil {
		change(b, &cfg)
	}
	b.wallet, err = wallet.New(cfg)
	require.NoError(b.t, err)
	w := b.wallet
	b.t.Cleanup(func() { require.NoError(b.t, w.Close()) })
}

// pay pays under the key "a", by a transaction of its own, and waits until that has landed.
func (b *bench) pay(salt byte, force ...string) *wallet.Result {
	result, _ := b.wallet.Execute(soon(b.t), b.fresh(salt), wallet.ExecuteOptions{Key: "a", Force: force})
	pause.For(b.t.Context(), time.Minute)
	return result
}

// fresh is the payment on a blockhash of now.
func (b *bench) fresh(salt byte) walletfi.Unsigned {
	u := b.another(b.t, salt)
	u.LastValidBlockHeight = b.tip().Height + 150
	return u
}

func (b *bench) executed() int {
	b.court.mu.Lock()
	defer b.court.mu.Unlock()
	return len(b.court.landed)
}

// guarantees are the conditions of the table on the package's page. A key is paid for
// twice where one does not hold, and once where it does.
var guarantees = map[string]func(t *testing.T, holds bool) (executed int){
	"lone_node": func(t *testing.T, holds bool) int {
		return payTwice(newBench(t, 1, oneIf(!holds), nil))
	},
	"majority": func(t *testing.T, holds bool) int {
		return payTwice(newBench(t, 3, 1+oneIf(!holds), nil))
	},
	"journal": func(t *testing.T, holds bool) int {
		b := newBench(t, 1, 0, nil)
		b.pay(1)
		if !holds {
			b.journal = wallet.NewMemoryJournal()
		}
		b.open(nil)
		b.pay(2)
		return b.executed()
	},
	"not_sent": func(t *testing.T, holds bool) int {
		return refusedFirst(t, func(b *bench, door *refusing) {
			door.lies = !holds
			b.pay(1)
		})
	},
	"own_sending": func(t *testing.T, holds bool) int {
		return refusedFirst(t, func(b *bench, _ *refusing) {
			result := b.pay(1)
			require.Equal(t, []wallet.State{wallet.StateNotSent}, states(result))
			if !holds {
				_, err := b.court.Submit(t.Context(), result.Steps[0].Signed)
				require.NoError(t, err)
			}
		})
	},
	"one_payment": func(t *testing.T, holds bool) int {
		b := newBench(t, 1, 0, nil)
		b.pay(1)
		u := b.fresh(2)
		if !holds {
			u.Intent.Spend[0].Amount *= 10
		}
		_, err := b.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
		require.Equal(t, holds, err == nil)
		if !holds {
			require.ErrorIs(t, err, wallet.ErrKeyReused)
		}
		return b.executed() + oneIf(!holds) // it is the one row in which that costs nothing
	},
	"force": func(t *testing.T, holds bool) int {
		b, signature := inDoubtOnABench(t)
		if holds {
			b.pay(2)
		} else {
			b.pay(2, signature)
		}
		return b.executed()
	},
	"resolve": func(t *testing.T, holds bool) int {
		b, signature := inDoubtOnABench(t)
		r := wallet.Resolution{State: wallet.StateExpired, Signatures: []string{signature}, By: "me", Reason: "a guess"}
		if holds {
			r.State, r.Reason = wallet.StateConfirmed, "the explorer"
		}
		require.NoError(t, b.wallet.Resolve(soon(t), "a", r))
		b.pay(2)
		return b.executed()
	},
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// payTwice pays, and again when the first call has ended.
func payTwice(b *bench) int {
	b.pay(1)
	b.pay(2)
	return b.executed()
}

// refusing says that it did not send. If it lies it did, and once it is open it does.
type refusing struct {
	*court
	lies, open bool
}

func (r *refusing) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	signature := ""
	if r.open || r.lies {
		signature, _ = r.court.Submit(ctx, tx)
	}
	if !r.open {
		return "", walletfi.ErrNotSent
	}
	return signature, nil
}

// refusedFirst makes a payment through a door that refuses it, and once more when it is open.
func refusedFirst(t *testing.T, first func(*bench, *refusing)) int {
	door := &refusing{}
	b := newBench(t, 1, 0, func(b *bench, c *wallet.Config) { door.court, c.Submitter = b.court, door })
	first(b, door)
	door.open = true
	b.pay(2)
	return b.executed()
}

// inDoubtOnABench is a key whose payment lands after its caller has gone.
func inDoubtOnABench(t *testing.T) (b *bench, signature string) {
	b = newBench(t, 1, 0, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	result, err := b.wallet.Execute(ctx, b.fresh(1), wallet.ExecuteOptions{Key: "a"})
	answersTo(t, err, walletfi.ErrOutcomeUnknown)
	require.Zero(t, b.executed())
	return b, result.Steps[0].Signature
}

// TestGuarantee: each condition of the page is shown with what breaks without it.
func TestGuarantee(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(page), "The guarantee holds under these conditions")
	require.True(t, ok)
	var listed []string
	_, table, _ = strings.Cut(table, "without it") // the heading
	for _, found := range regexp.MustCompile(`(?m)^//\t\S.*  ([a-z]+(?:_[a-z]+)*)$`).FindAllStringSubmatch(table, -1) {
		listed = append(listed, found[1])
	}
	for name, executed := range guarantees {
		require.Contains(t, listed, name, "it is not on the page")
		t.Run(name, func(t *testing.T) {
			for holds, want := range map[bool]int{true: 1, false: 2} {
				synctest.Test(t, func(t *testing.T) { require.Equal(t, want, executed(t, holds), "it holds: %v", holds) })
			}
		})
	}
	for _, name := range listed {
		require.Contains(t, guarantees, name, "no test shows it")
	}
}
