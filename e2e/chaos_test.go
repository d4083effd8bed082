package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var (
	chaosFaults = flag.Int("chaos", 2000, "faults of TestChaos")
	chaosSeed   = flag.Uint64("chaosseed", 1, "seed of the first storm of TestChaos")
)

// TestChaos pays under many keys while doors and nodes fail in every way that
// they may, services lie about heights, processes die and callers retry. The
// ledger counts.
func TestChaos(t *testing.T) {
	faults, twice, verdicts, unsettled := 0, 0, 0, 0
	for seed := *chaosSeed; faults < *chaosFaults; seed++ {
		synctest.Test(t, func(t *testing.T) {
			s := newStorm(t, seed)
			s.rage(t)
			s.settle(t)
			a, b, c := s.count()
			if a+b+c > 0 {
				t.Errorf("seed %d: executed twice=%d false verdicts=%d unsettled=%d", seed, a, b, c)
			}
			faults, twice, verdicts, unsettled = faults+s.faults, twice+a, verdicts+b, unsettled+c
		})
	}
	fmt.Printf("seeds %d.. faults=%d executed twice=%d false verdicts=%d unsettled=%d\n", *chaosSeed, faults, twice, verdicts, unsettled)
}

// storm is a sea, processes on it and payments to be made.
type storm struct {
	*sea
	key     *signing.LocalKey
	journal *wallet.MemoryJournal

	processes [2]atomic.Pointer[process]

	told sync.Mutex
	keys map[string]map[string]bool // the signatures of each key's transactions
	says []verdict
}

// verdict is what an Execute said of a signature.
type verdict struct {
	signature string
	state     wallet.State
}

// process is a wallet that can die.
type process struct {
	*wallet.Wallet
	dead atomic.Bool
}

var errDead = errors.New("the process is dead")

// mortal is a journal as a process uses it.
type mortal struct {
	wallet.Journal
	p *process
}

func (j mortal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if j.p.dead.Load() {
		return errDead
	}
	return j.Journal.Store(ctx, was, e)
}

func (j mortal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if j.p.dead.Load() {
		return nil
	}
	return j.Journal.Renew(ctx, holder, lease)
}

func newStorm(t *testing.T, seed uint64) *storm {
	key, err := signing.NewLocalKeyFromSeed(make([]byte, 32))
	require.NoError(t, err)
	s := &storm{sea: newSea(seed), key: key, journal: wallet.NewMemoryJournal(), keys: map[string]map[string]bool{}}
	for i := range s.processes {
		s.start(t, i)
	}
	return s
}

// start makes a process. Every other storm's nodes do not tell of blockhashes.
func (s *storm) start(t *testing.T, i int) {
	p := &process{}
	var nodes interface {
		walletfi.Confirmer
		walletfi.BlockHeighter
	} = blind{s.sea}
	s.mu.Lock()
	even := s.rng.IntN(2) == 0
	s.mu.Unlock()
	if even {
		nodes = sighted{s.sea}
	}
	var err error
	p.Wallet, err = wallet.New(wallet.Config{
		Signer: s.key, Guard: signing.NewGuard(signing.Policy{}), Submitter: ghost{s.sea, p}, Bundles: ghostBundle{s.sea, p},
		Confirmer: nodes, Heights: nodes, Journal: mortal{s.journal, p}, Lease: 15 * time.Second,
	})
	require.NoError(t, err)
	s.processes[i].Store(p)
	t.Cleanup(func() { p.dead.Store(true); p.Close() })
}

// ghost is a door of a process. A dead one sends nothing more, except what was
// on its way.
type ghost struct {
	*sea
	p *process
}

func (g ghost) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	if g.p.dead.Load() {
		return "", errDead
	}
	return g.sea.Submit(ctx, tx)
}

type ghostBundle ghost

func (g ghostBundle) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
	if g.p.dead.Load() {
		return "", errDead
	}
	return g.sea.SubmitBundle(ctx, txs)
}

// rage runs the payments, and kills processes meanwhile.
func (s *storm) rage(t *testing.T) {
	const payments = 12
	var all sync.WaitGroup
	seeds := make([]uint64, payments+1) // drawn before anything else draws
	for i := range seeds {
		seeds[i] = s.rng.Uint64()
	}
	for i := range payments {
		all.Go(func() { s.payment(t, fmt.Sprint(i), rand.New(rand.NewPCG(uint64(i), seeds[i]))) })
	}
	over := make(chan struct{})
	go func() { all.Wait(); close(over) }()
	random := rand.New(rand.NewPCG(99, seeds[payments]))
	for {
		select {
		case <-over:
			return
		case <-time.After(time.Duration(random.Int64N(int64(40 * time.Second)))):
			i := random.IntN(len(s.processes))
			s.processes[i].Load().dead.Store(true)
			s.mu.Lock()
			s.faults++
			s.mu.Unlock()
			s.start(t, i)
		}
	}
}

// payment tries a key some times, building anew each time.
func (s *storm) payment(t *testing.T, key string, random *rand.Rand) {
	pause.For(t.Context(), time.Duration(random.Int64N(int64(time.Minute))))
	for range 6 {
		if s.try(t, key, random) == nil {
			return
		}
		pause.For(t.Context(), time.Duration(random.Int64N(int64(20*time.Second))))
	}
}

func (s *storm) try(t *testing.T, key string, random *rand.Rand) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(4*time.Minute))))
	defer cancel()
	p := s.processes[random.IntN(len(s.processes))].Load()
	u, o := s.build(t, random), wallet.ExecuteOptions{Key: key}
	var result *wallet.Result
	var err error
	if random.IntN(4) == 0 {
		result, err = p.ExecuteBundle(ctx, u, ghostBundle{s.sea, p}, o)
	} else {
		result, err = p.Execute(ctx, u, o)
	}
	s.hear(key, p, result, err)
	return err
}

// hear keeps what an Execute said. A process that was killed says nothing.
func (s *storm) hear(key string, p *process, result *wallet.Result, err error) {
	s.told.Lock()
	defer s.told.Unlock()
	if s.keys[key] == nil {
		s.keys[key] = map[string]bool{}
	}
	outcomes := 0
	for _, outcome := range []error{walletfi.ErrNotSent, wallet.ErrExpired, wallet.ErrFailed, walletfi.ErrOutcomeUnknown} {
		if errors.Is(err, outcome) {
			outcomes++
		}
	}
	if result != nil {
		for _, step := range result.Steps {
			s.keys[key][step.Signature] = true
			if !p.dead.Load() {
				s.says = append(s.says, verdict{step.Signature, step.State})
			}
		}
	}
	if (err == nil) != (outcomes == 0) || outcomes > 1 {
		s.says = append(s.says, verdict{"an error that answers to not exactly one outcome: " + err.Error(), wallet.StateConfirmed})
	}
}

// build makes one transaction. The service's word on its end is a lie at times.
func (s *storm) build(t *testing.T, random *rand.Rand) walletfi.Unsigned {
	s.mu.Lock()
	slot := s.slot() - uint64(random.IntN(3))
	lie := s.strikes(.3)
	s.built++ // no two transactions are the same
	lamports := s.built
	s.mu.Unlock()
	owner := solana.PublicKey(s.key.PublicKey())
	built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(lamports, owner, owner).Build()}, s.blockhash(slot), solana.TransactionPayer(owner))
	if err != nil {
		panic(err)
	}
	tx, err := rpcnode.FromSolana(built)
	if err != nil {
		panic(err)
	}
	u := walletfi.Unsigned{
		LastValidBlockHeight: slot - skipped + 150, Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{Service: "test", Owner: owner.String(), PayTo: []string{owner.String()}, Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(lamports)}}},
	}
	if lie {
		u.LastValidBlockHeight = []uint64{0, slot - skipped + 10, slot - skipped + 40, slot - skipped + 100}[random.IntN(4)]
	}
	return u
}

// settle calms the sea and has a new process settle what is left.
func (s *storm) settle(t *testing.T) {
	s.mu.Lock()
	s.calm = true
	s.mu.Unlock()
	for i := range s.processes {
		s.processes[i].Load().dead.Store(true)
	}
	pause.For(t.Context(), 5*time.Minute) // the leases end, and what was on its way arrives
	s.start(t, 0)
	for range 5 {
		if _, err := s.processes[0].Load().Settle(t.Context()); err == nil {
			return
		}
	}
}

// count compares what was said with the ledger.
func (s *storm) count() (twice, wrong, unsettled int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, signatures := range s.keys {
		executed := 0
		for signature := range signatures {
			if e, ok := s.landed[signature]; ok && !e.failed {
				executed++
			}
		}
		if executed > 1 {
			twice++
		}
	}
	for _, v := range s.says {
		e, landed := s.landed[v.signature]
		switch v.state {
		case wallet.StateConfirmed:
			if !landed || e.failed {
				wrong++
			}
		case wallet.StateFailed:
			if !landed || !e.failed {
				wrong++
			}
		case wallet.StateExpired, wallet.StateNotSent:
			if landed {
				wrong++
			}
		}
	}
	for range s.journal.List(context.Background(), wallet.Query{Open: true}) {
		unsettled++
	}
	return twice, wrong, unsettled
}
