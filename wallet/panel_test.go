package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// court is a ledger and the nodes that tell of it.
type court struct {
	*chain
	mu     sync.Mutex
	landed map[string]uint64 // slots by signature
	lands  bool
	failed bool
	nodes  []walletfi.Confirmer
}

func (c *court) Nodes() []walletfi.Confirmer { return c.nodes }

func (c *court) slot() uint64 {
	head, _ := c.chain.Head(context.Background())
	return head.Slot
}

// Submit lands a transaction, late, or never.
func (c *court) Submit(_ context.Context, tx walletfi.Signed) (string, error) {
	time.AfterFunc(20*time.Second, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, done := c.landed[tx.Signature]; !done && c.lands {
			c.landed[tx.Signature] = c.slot()
		}
	})
	return tx.Signature, nil
}

// judge is a node that shows the truth of the court's ledger. Its lies replace what it
// would say.
type judge struct {
	*court
	*wallet.Honest
	silent   bool
	statuses func(s walletfi.SignatureStatus, asOf uint64) (walletfi.SignatureStatus, uint64)
	head     func(slot, height uint64) (uint64, uint64)
	valid    func(bool, uint64) (bool, uint64)
	effects  func(signature string) (*walletfi.Effects, error)
}

var _ walletfi.Prover = (*judge)(nil)

// join adds a node to the court.
func (c *court) join(t *testing.T) *judge {
	j := &judge{court: c}
	j.Honest = &wallet.Honest{
		T: t, Name: fmt.Sprint("judge ", len(c.nodes)), Tip: c.tip, Block: c.Block, Status: j.status,
		Hear: func(ctx context.Context, _ string) error { return j.hear(ctx) },
	}
	c.nodes = append(c.nodes, j)
	return j
}

func (j *judge) hear(ctx context.Context) error {
	if !j.silent {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

// status is the node's status of a signature.
func (j *judge) status(signature string) (s walletfi.SignatureStatus, err error) {
	j.court.mu.Lock()
	defer j.court.mu.Unlock()
	at := j.slot() - j.Lag
	slot, ok := j.landed[signature]
	if !ok || slot > at {
		return s, nil
	}
	s = walletfi.SignatureStatus{Found: true, Slot: slot, Commitment: walletfi.CommitmentConfirmed}
	if slot+wallet.Finality <= at {
		s.Commitment = walletfi.CommitmentFinalized
	}
	if j.failed {
		s.Err = "Custom"
	}
	return s, nil
}

func (j *judge) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, errors.New("ask for several")
}

func (j *judge) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	if err := j.hear(ctx); err != nil {
		return walletfi.SignatureStatuses{}, err
	}
	all := make([]walletfi.SignatureStatus, len(signatures))
	for i, signature := range signatures {
		all[i], _ = j.status(signature)
	}
	asOf := j.lie(all, j.slot()-j.Lag)
	return walletfi.SignatureStatuses{Statuses: all, AsOfSlot: asOf}, nil
}

// lie replaces statuses as of a slot.
func (j *judge) lie(all []walletfi.SignatureStatus, at uint64) (asOf uint64) {
	asOf = at
	for i := range all {
		if j.statuses != nil {
			all[i], asOf = j.statuses(all[i], at)
		}
	}
	return asOf
}

func (j *judge) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	a, err := j.Honest.Absence(ctx, q)
	if err == nil {
		a.AsOfSlot = j.lie(a.Statuses, a.AsOfSlot)
	}
	return a, err
}

func (j *judge) Head(ctx context.Context) (at walletfi.Head, err error) {
	if err := j.hear(ctx); err != nil {
		return walletfi.Head{}, err
	}
	at, err = j.chain.Head(ctx)
	at.Slot, at.Height = at.Slot-j.Lag, at.Height-j.Lag
	if j.head != nil {
		at.Slot, at.Height = j.head(at.Slot, at.Height)
	}
	return at, err
}

func (j *judge) FinalHead(ctx context.Context) (wallet.Head, error) {
	h, err := j.Honest.FinalHead(ctx)
	if j.head != nil {
		h.Slot, h.Height = j.head(h.Slot, h.Height)
	}
	return h, err
}

// FinalBlock goes with a head that is a lie.
func (j *judge) FinalBlock(ctx context.Context, slot uint64) (wallet.Head, error) {
	if h, err := j.FinalHead(ctx); j.head != nil && h.Slot == slot {
		return h, err
	}
	return j.Honest.FinalBlock(ctx, slot)
}

func (j *judge) BlockhashValid(ctx context.Context, blockhash string) (walletfi.BlockhashState, error) {
	state, err := j.Honest.BlockhashValid(ctx, blockhash)
	if j.valid != nil {
		state.Valid, state.AsOfSlot = j.valid(state.Valid, state.AsOfSlot)
	}
	return state, err
}

func (j *judge) BlockhashAt(ctx context.Context, blockhash string, minSlot uint64) (walletfi.BlockhashState, error) {
	state, err := j.Honest.BlockhashAt(ctx, blockhash, minSlot)
	if j.valid != nil {
		state.Valid, state.AsOfSlot = j.valid(state.Valid, state.AsOfSlot)
		err = nil
	}
	return state, err
}

// lies are the ways in which a node may lie.
var lies = map[string]func(*judge){
	"nothing": func(*judge) {},
	"silent":  func(j *judge) { j.silent = true },
	"lags":    func(j *judge) { j.Lag = 100 },
	"never found": func(j *judge) {
		j.statuses = func(_ walletfi.SignatureStatus, asOf uint64) (walletfi.SignatureStatus, uint64) {
			return walletfi.SignatureStatus{}, asOf
		}
	},
	"never found, in the future": func(j *judge) {
		j.statuses = func(walletfi.SignatureStatus, uint64) (walletfi.SignatureStatus, uint64) {
			return walletfi.SignatureStatus{}, 1 << 60
		}
		j.valid = func(bool, uint64) (bool, uint64) { return false, 1 << 60 }
	},
	"finalized": func(j *judge) {
		j.statuses = func(_ walletfi.SignatureStatus, asOf uint64) (walletfi.SignatureStatus, uint64) {
			return walletfi.SignatureStatus{Found: true, Slot: asOf, Commitment: walletfi.CommitmentFinalized}, asOf
		}
	},
	"failed": func(j *judge) {
		j.statuses = func(_ walletfi.SignatureStatus, asOf uint64) (walletfi.SignatureStatus, uint64) {
			return walletfi.SignatureStatus{Found: true, Slot: asOf, Commitment: walletfi.CommitmentFinalized, Err: "made up"}, asOf
		}
	},
	"slot for height": func(j *judge) { j.head = func(slot, _ uint64) (uint64, uint64) { return slot, slot } },
	"far ahead": func(j *judge) {
		j.head = func(slot, height uint64) (uint64, uint64) { return slot + 500, height + 500 }
		j.valid = func(bool, uint64) (bool, uint64) { return false, 1 << 60 }
	},
	"height too high": func(j *judge) { j.head = func(slot, height uint64) (uint64, uint64) { return slot - 90, height } },
	"head of zero":    func(j *judge) { j.head = func(uint64, uint64) (uint64, uint64) { return 0, 0 } },
	"always valid":    func(j *judge) { j.valid = func(bool, uint64) (bool, uint64) { return true, 1 << 60 } },
}

// hold runs one payment with three nodes, of which the one at place lies and
// another may lag.
func hold(t *testing.T, lie func(*judge), place int, lands, failed bool, lag uint64) (state wallet.State, took time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		c := &court{chain: newChain(t, 1000), landed: map[string]uint64{}, lands: lands, failed: failed}
		for i := range 3 {
			switch j := c.join(t); i {
			case place:
				lie(j)
			case (place + 1) % 3:
				j.Lag = lag
			}
		}
		r := newRigWith(t, func(cfg *wallet.Config) {
			cfg.Submitter, cfg.Confirmer, cfg.Heights, cfg.ConfirmTimeout = c, askless{c}, nil, 10*time.Minute
		})
		u := r.pay(t, 1)
		u.LastValidBlockHeight = lastValid
		begun := time.Now()
		result, _ := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		state, took = result.Steps[0].State, time.Since(begun)
	})
	return state, took
}

// askless is a panel that must not be asked itself.
type askless struct{ *court }

func (askless) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, errors.New("ask the nodes")
}

// TestAMinorityMayLie: one node of three lies in every way, at every place, and
// another may lag. Every verdict is right, and there is one unless that other lags
// for long.
func TestAMinorityMayLie(t *testing.T) {
	verdicts := 0
	for name, lie := range lies {
		for place := range 3 {
			for _, lag := range []uint64{0, 2, 90} {
				for _, want := range []wallet.State{wallet.StateConfirmed, wallet.StateFailed, wallet.StateExpired} {
					label := fmt.Sprintf("%s at %d, lag %d, %s", name, place, lag, want)
					got, took := hold(t, lie, place, want != wallet.StateExpired, want == wallet.StateFailed, lag)
					if lag == 90 && got == wallet.StateUnknown {
						continue // two nodes of three are no help: no verdict, and no wrong one
					}
					verdicts++
					require.Equal(t, want, got, label)
					switch {
					case want == wallet.StateExpired:
						require.Greater(t, took, (lifetime+2*wallet.Finality)*slotTime, label)
					case lag > 0:
					case want == wallet.StateFailed:
						require.Less(t, took, 28*time.Second+wallet.Finality*slotTime, label)
					default:
						require.Less(t, took, 28*time.Second, label)
					}
				}
			}
		}
	}
	require.Greater(t, verdicts, len(lies)*3*2*3)
}

// TestSilentNodeCostsNothing: with two nodes, of which one never answers, it
// takes as long as with one.
func TestSilentNodeCostsNothing(t *testing.T) {
	took := map[bool]time.Duration{}
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := &court{chain: newChain(t, 1000), landed: map[string]uint64{}, lands: true}
			c.join(t).silent = silent
			c.join(t)
			r := newRigWith(t, func(cfg *wallet.Config) { cfg.Submitter, cfg.Confirmer, cfg.Heights = c, askless{c}, nil })
			u := r.pay(t, 1)
			u.LastValidBlockHeight = lastValid
			begun := time.Now()
			_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			require.NoError(t, err)
			took[silent] = time.Since(begun)
		})
	}
	require.InDelta(t, took[false].Seconds(), took[true].Seconds(), 4.1, "a question later at the most")
}

func TestPanelIsChecked(t *testing.T) {
	key, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	c := &court{chain: newChain(t, 1000)}
	j := c.join(t)
	for _, nodes := range [][]walletfi.Confirmer{nil, {j, blind{}}, {headless{blind{}, j}}, {j, headed{c.chain}}} {
		c.nodes = nodes
		_, err := wallet.New(wallet.Config{Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: c, Confirmer: askless{c}})
		var invalid *walletfi.ValidationError
		require.ErrorAs(t, err, &invalid)
		require.Contains(t, invalid.Field, "confirmer.Nodes()")
	}
}

// headless tells statuses and no heads, headed the other way round.
type headless struct {
	walletfi.Confirmer
	walletfi.BatchConfirmer
}

type headed struct{ c *chain }

func (headed) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, nil
}

func (h headed) Head(ctx context.Context) (walletfi.Head, error) { return h.c.Head(ctx) }

// blind is a node that tells of one signature at a time.
type blind struct{}

func (blind) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, nil
}
