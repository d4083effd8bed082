package wallet_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
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

// TestLeaseThatEndsWhileTheDoorRefuses: another process takes the key up, and
// sends what it finds. "Not sent" is not this one's to say any more.
func TestLeaseThatEndsWhileTheDoorRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.submit = func(int, walletfi.Signed) error {
			e := r.entry(t, "key:a")
			e.State, e.Steps[0].State, e.Holder, e.Version = wallet.KeyInDoubt, wallet.KeyInDoubt, "another", e.Version+1
			require.NoError(t, r.journal.Store(t.Context(), e.Version-1, e))
			return walletfi.ErrNotSent
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, []wallet.State{wallet.StateUnknown}, states(result))
		require.ErrorIs(t, result.Unrecorded, wallet.ErrFenced)
	})
}

// TestLeaseThatEndsDuringASlowSign: another process has paid meanwhile.
func TestLeaseThatEndsDuringASlowSign(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fast *rig
		slow := newRigWith(t, func(c *wallet.Config) {
			c.Signer = slowSigner{c.Signer, func() {
				pause.For(t.Context(), 10*time.Second)
				result, err := fast.wallet.Execute(soon(t), fast.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
			}}
			c.Journal = stalled{c.Journal}
		})
		fast = newRigWith(t, func(c *wallet.Config) { c.Journal = slow.journal.(stalled).Journal })
		_, err := slow.wallet.Execute(soon(t), slow.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, wallet.ErrFenced)
		require.Zero(t, slow.submissions())
		require.Equal(t, 1, fast.submissions())
	})
}

type slowSigner struct {
	signing.Signer
	before func()
}

func (s slowSigner) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	s.before()
	return s.Signer.Sign(ctx, message)
}

// stalled is the journal of a process that renews no lease.
type stalled struct{ wallet.Journal }

func (j stalled) Renew(context.Context, string, time.Duration) error { return nil }

// deaf takes a write and loses the answer, from the n-th on as long as deaf.
type deaf struct {
	wallet.Journal
	state wallet.KeyState // from the first entry of this state on
	takes bool
	gone  bool // and answers nothing afterwards
	hit   atomic.Int64
}

var errDeaf = errors.New("the journal's answer was lost")

func (j *deaf) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if j.gone && j.hit.Load() > 0 {
		return errDeaf
	}
	if e.State != j.state || j.hit.Add(1) > 1 {
		return j.Journal.Store(ctx, was, e)
	}
	if j.takes {
		if err := j.Journal.Store(ctx, was, e); err != nil {
			return err
		}
	}
	return errDeaf
}

func (j *deaf) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if j.gone && j.hit.Load() > 0 {
		return wallet.Entry{}, errDeaf
	}
	return j.Journal.Load(ctx, key)
}

// TestWriteThatMayHaveBeenTaken: what the journal has as sent is sent by whoever
// takes it up. It is "not sent" only if the journal says so.
func TestWriteThatMayHaveBeenTaken(t *testing.T) {
	for name, takes := range map[string]bool{"taken": true, "not taken": false} {
		for _, gone := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					memory := wallet.NewMemoryJournal()
					j := &deaf{Journal: memory, state: wallet.KeySent, takes: takes, gone: gone}
					first := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
					_, err := first.wallet.Execute(soon(t), first.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
					require.EqualValues(t, 1, min(j.hit.Load(), 1))
					require.Zero(t, first.submissions(), "nothing leaves that is not recorded")
					if gone {
						answersTo(t, err, walletfi.ErrOutcomeUnknown)
					} else {
						answersTo(t, err, walletfi.ErrNotSent)
					}
					require.NoError(t, first.wallet.Close())
					next := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
					pause.For(t.Context(), time.Minute)
					synctest.Wait()
					sent := first.submissions()+next.submissions() > 0
					require.Equal(t, takes && gone, sent, "what was called not sent stays so")
				})
			})
		}
	}
}

// TestNodeThatLagsAllTheTime: it lagged when the transaction was signed, and does not
// reach the block in which it landed before others have long passed it.
func TestNodeThatLagsAllTheTime(t *testing.T) {
	lagsAllTheTime(t, func(c *chain) walletfi.Confirmer { return c })
}

func lagsAllTheTime(t *testing.T, confirmer func(*chain) walletfi.Confirmer) {
	for _, lag := range []uint64{10, 40, 100, 149, 1000} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, func(c *wallet.Config) {
				ledger := c.Confirmer.(*chain)
				ledger.Lag, ledger.height = lag, 5000
				c.Confirmer, c.Heights, c.ConfirmTimeout = confirmer(ledger), nil, 30*time.Minute
			})
			u := r.pay(t, 1)
			u.LastValidBlockHeight = 0
			last := (lifetime - 1) * slotTime
			r.status = func(int, string) (walletfi.SignatureStatus, error) {
				if time.Since(r.begun) < last+time.Duration(lag)*slotTime {
					return notFound, nil // this node has not reached it
				}
				return found, nil
			}
			_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			require.NoError(t, err, "lag %d", lag)
		})
	}
}

// pool is a node that lags and has the statuses, and one that does not and tells of
// heads and blockhashes, behind one address.
type pool struct {
	*chain
	ahead *wallet.Honest
}

func (p pool) FinalHead(ctx context.Context) (wallet.Head, error) { return p.ahead.FinalHead(ctx) }

func (p pool) BlockhashValid(ctx context.Context, blockhash string) (walletfi.BlockhashState, error) {
	return p.ahead.BlockhashValid(ctx, blockhash)
}

func (p pool) BlockhashAt(ctx context.Context, blockhash string, minSlot uint64) (walletfi.BlockhashState, error) {
	return p.ahead.BlockhashAt(ctx, blockhash, minSlot)
}

// TestBlockhashThatIsGoneElsewhere: one node knows that the blockhash is gone, and
// the other has not reached the blocks in which the transaction landed.
func TestBlockhashThatIsGoneElsewhere(t *testing.T) {
	lagsAllTheTime(t, func(c *chain) walletfi.Confirmer {
		return pool{c, &wallet.Honest{T: t, Tip: c.tip, Block: c.Block}}
	})
}

// TestNonceReaderThatLags: the value before is another one too, and says nothing.
func TestNonceReaderThatLags(t *testing.T) {
	for _, lag := range []uint64{1, 20, 140} {
		synctest.Test(t, func(t *testing.T) {
			account, value := solana.NewWallet().PublicKey(), solana.Hash{42}
			r := newRigWith(t, func(c *wallet.Config) { c.ConfirmTimeout = time.Hour })
			signed := r.tip().Slot
			r.Lag, r.Used = lag, func(string, string) string { return "" }
			r.Nonce = func(_ string, slot uint64) string {
				if slot < signed {
					return solana.Hash{41}.String()
				}
				return value.String()
			}
			r.landsAt(10 * time.Minute)
			_, err := r.wallet.Execute(t.Context(), r.nonced(t, account, value), nonceOption(account, value))
			require.NoError(t, err, "lag %d", lag)
		})
	}
}

func nonceOption(account solana.PublicKey, value solana.Hash) wallet.ExecuteOptions {
	return wallet.ExecuteOptions{Guard: []signing.Option{signing.WithNonce(signing.Nonce{
		Account: signing.PublicKey(account), Value: signing.PublicKey(value),
	})}}
}

// eager is a watcher with a lock of its own that tells at once.
type eager struct {
	*chain
	lock sync.Mutex
}

func (e *eager) Watch(_ string, changed func()) (stop func()) {
	e.lock.Lock()
	defer e.lock.Unlock()
	changed()
	return func() {}
}

func TestWatcherThatTellsAtOnce(t *testing.T) {
	r := newRigWith(t, func(c *wallet.Config) { c.Confirmer = &eager{chain: c.Confirmer.(*chain)} })
	over := make(chan error, 1)
	go func() { _, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{}); over <- err }()
	select {
	case err := <-over:
		require.NoError(t, err)
	case <-time.After(20 * time.Second):
		t.Fatal("the wallet waits for the watcher, and the watcher for the wallet")
	}
}

// TestKeyOfAnotherPayment: a key that paid for one thing is not an answer for
// another.
func TestKeyOfAnotherPayment(t *testing.T) {
	r := newRig(t)
	key := wallet.ExecuteOptions{Key: "order 1"}
	_, err := r.wallet.Execute(soon(t), r.pay(t, 1), key)
	require.NoError(t, err)
	for name, change := range map[string]func(*walletfi.Intent){
		"another mint":      func(i *walletfi.Intent) { i.Spend[0].Mint = solana.NewWallet().PublicKey().String() },
		"another recipient": func(i *walletfi.Intent) { i.PayTo = []string{r.owner.String()} },
		"another service":   func(i *walletfi.Intent) { i.Service = "other" },
		"another amount":    func(i *walletfi.Intent) { i.Spend[0].Amount = 7 },
		"a burn": func(i *walletfi.Intent) {
			i.Spend, i.Burn = nil, []walletfi.Asset{{Mint: solana.NewWallet().PublicKey().String(), Amount: 1}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			u := r.pay(t, 1)
			change(&u.Intent)
			_, err := r.wallet.Execute(soon(t), u, key)
			answersTo(t, err, walletfi.ErrNotSent)
			var invalid *walletfi.ValidationError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, "key", invalid.Field)
		})
	}
	require.Equal(t, 1, r.submissions())
	more := r.pay(t, 1)
	more.Intent.Receive = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 7}}
	_, err = r.wallet.Execute(soon(t), more, key)
	require.NoError(t, err, "what should arrive is the service's word")
	require.Equal(t, 1, r.submissions())
}

// searcher is a finder of messages that tells where it looked from.
type searcher struct {
	*chain
	landed uint64 // the slot of the transaction
	wrong  *int   // heads that are told far ahead
	name   func(message []byte) string
}

func (h searcher) Head(ctx context.Context) (head walletfi.Head, err error) {
	head, err = h.chain.Head(ctx)
	if *h.wrong > 0 {
		*h.wrong--
		return walletfi.Head{Slot: head.Slot + 100, Height: head.Height + 100}, err
	}
	return head, err
}

func (h searcher) FindMessage(ctx context.Context, search walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	head, err := h.chain.Head(ctx)
	if err != nil || head.Slot < search.AsOf {
		return walletfi.FoundMessage{}, errors.Join(err, errDeaf)
	}
	if head.Slot < h.landed+300 || h.landed < search.Since {
		return walletfi.FoundMessage{}, nil
	}
	return walletfi.FoundMessage{Signature: h.name(search.Message)}, nil
}

// TestHistoryFromBeforeTheWrongHead: the sponsor's transaction landed before the
// slot that a node told at signing.
func TestHistoryFromBeforeTheWrongHead(t *testing.T) {
	for _, wrong := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			sponsor, err := signing.GenerateLocalKey()
			require.NoError(t, err)
			r := newRigWith(t, func(c *wallet.Config) {
				h := searcher{chain: c.Confirmer.(*chain), landed: 2002, wrong: new(wrong)}
				h.name = func(message []byte) string {
					s, err := sponsor.Sign(t.Context(), message)
					require.NoError(t, err)
					return s.String()
				}
				c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
				h.Named = func(_ string, message []byte) string { return h.name(message) }
				c.Confirmer, c.Heights, c.ConfirmTimeout = h, h, 30*time.Minute
			})
			r.names = func(walletfi.Signed) string { return "" }
			u := sponsored(t, r, solana.PublicKey(sponsor.PublicKey()))
			u.LastValidBlockHeight = 0
			r.status = func(int, string) (walletfi.SignatureStatus, error) { return found, nil }
			result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
		})
	}
}

// TestClockThatIsSetBack: the process before wrote with a clock that was ahead, or
// behind.
func TestClockThatIsSetBack(t *testing.T) {
	for _, off := range []time.Duration{48 * time.Hour, -48 * time.Hour} {
		for _, lands := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				memory := wallet.NewMemoryJournal()
				first := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
				first.landsAt(24 * time.Hour)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				_, err := first.wallet.Execute(ctx, first.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
				answersTo(t, err, walletfi.ErrOutcomeUnknown)
				require.NoError(t, first.wallet.Close())
				e := first.entry(t, "key:a")
				e.SignedAt, e.Since, e.Version = e.SignedAt.Round(0).Add(off), e.Since.Add(off), e.Version+1
				require.NoError(t, memory.Store(t.Context(), e.Version-1, e))

				next := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
				next.mu.Lock() // the wallet asks already
				next.begun = first.begun
				next.landsAt(24 * time.Hour)
				if lands {
					next.landsAt((lifetime - 1) * slotTime)
				}
				next.mu.Unlock()
				for range 20 {
					if _, err = next.wallet.Settle(t.Context()); err == nil {
						break
					}
				}
				require.NoError(t, err)
				want := wallet.KeyExpired
				if lands {
					want = wallet.KeyConfirmed
				}
				require.Equal(t, want, next.entry(t, "key:a").State)
			})
		}
	}
}

// unlisted is a journal whose wallet takes nothing up in the background.
type unlisted struct{ wallet.Journal }

func (unlisted) List(context.Context, wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(func(wallet.Entry, error) bool) {}
}

// TestJournalThatIsLostWhileAKeyIsInDoubt: what was found out could not be kept.
func TestJournalThatIsLostWhileAKeyIsInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		first := newRigWith(t, func(c *wallet.Config) { unproven(c); c.Journal = memory })
		first.landsAt(time.Hour)
		_, err := first.wallet.Execute(soon(t), first.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		require.NoError(t, first.wallet.Close())
		next := newRigWith(t, func(c *wallet.Config) {
			c.Journal = &deaf{Journal: unlisted{memory}, state: wallet.KeyConfirmed, gone: true}
		})
		next.landsAt(0)
		_, err = next.wallet.Execute(soon(t), next.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
	})
}
