package chaos

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
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
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var (
	chaosFaults = flag.Int("chaos", 2000, "faults of TestChaosInMemory")
	chaosHTTP   = flag.Int("chaoshttp", 2000, "faults of TestChaos")
	chaosSeed   = flag.Uint64("chaosseed", 1, "seed of the first run of both")
)

// TestChaosInMemory pays under many keys while doors and nodes fail in every way that
// they may, services lie about heights, processes die and callers retry. The
// ledger counts.
func TestChaosInMemory(t *testing.T) {
	faults, twice, verdicts, unsettled, said := 0, 0, 0, 0, tally{}
	for seed := *chaosSeed; faults < *chaosFaults; seed++ {
		synctest.Test(t, func(t *testing.T) {
			s := newMemoryRun(t, seed)
			s.rage(t)
			s.settle(t)
			a, b, c := s.count()
			if a+b+c > 0 {
				t.Errorf("seed %d: executed twice=%d false verdicts=%d unsettled=%d\n%s", seed, a, b, c, strings.Join(s.why, "\n"))
			}
			s.addTo(said)
			faults, twice, verdicts, unsettled = faults+s.faults, twice+a, verdicts+b, unsettled+c
		})
	}
	require.Positive(t, said[wallet.StateConfirmed])
	for _, state := range []wallet.State{wallet.StateConfirmed, wallet.StateFailed, wallet.StateExpired, wallet.StateNotSent, wallet.StateUnknown} {
		require.True(t, said[state] > 0 || faults < 20_000, "nothing was called %s", state)
	}
	fmt.Printf("%v\nseeds %d.. faults=%d executed twice=%d false verdicts=%d unsettled=%d\n", said, *chaosSeed, faults, twice, verdicts, unsettled)
}

// memoryRun is a ledger, processes on it and payments to be made.
type memoryRun struct {
	*ledger
	key     *signing.LocalKey
	journal *wallet.MemoryJournal

	processes [2]atomic.Pointer[process]

	verdicts
}

// process is a wallet that can die.
type process struct {
	*wallet.Wallet
	life
}

func newMemoryRun(t *testing.T, seed uint64) *memoryRun {
	key, err := signing.NewLocalKeyFromSeed(make([]byte, 32))
	require.NoError(t, err)
	s := &memoryRun{ledger: newLedger(seed), key: key, journal: wallet.NewMemoryJournal()}
	s.names = func(tx walletfi.Signed) string { return s.countersigned(tx).Signature }
	for i := range s.processes {
		s.start(t, i)
	}
	return s
}

// start makes a process. The nodes of every other run say nothing of blockhashes.
func (s *memoryRun) start(t *testing.T, i int) {
	p := &process{}
	p.stalled = s.struck("", .25)
	var nodes interface {
		walletfi.Confirmer
		walletfi.BlockHeighter
	}
	s.mu.Lock()
	v := view{ledger: s.ledger}
	if s.strikes(.5) {
		v.lag = uint64(s.rng.IntN(mostLag))
	}
	if v.statusLag = v.lag; s.strikes(.3) {
		v.statusLag = uint64(s.rng.IntN(mostLag))
	}
	if nodes = v; s.rng.IntN(2) == 0 {
		nodes = sighted{v}
	}
	s.mu.Unlock()
	p.Wallet = opened(t, wallet.Config{
		Signer: s.key, Guard: signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{s.patron.PublicKey()}}),
		Submitter: door{s.ledger, p}, Bundles: bundleDoor{s.ledger, p}, Confirmer: nodes, Heights: nodes,
		Journal: mortalJournal{s.journal, &p.life, s.struck}, Lease: 15 * time.Second,
	})
	s.processes[i].Store(p)
	t.Cleanup(func() { p.dead.Store(true); p.Close() })
}

// opened is a wallet whose journal may not answer at first.
func opened(t *testing.T, cfg wallet.Config) *wallet.Wallet {
	for {
		w, err := wallet.New(cfg)
		if err == nil {
			return w
		}
		require.ErrorIs(t, err, errJournal)
	}
}

// door is a door of a process. A dead one sends nothing more, except what was
// on its way.
type door struct {
	*ledger
	p *process
}

func (g door) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	if g.p.dead.Load() {
		return "", errDead
	}
	return g.ledger.Submit(ctx, tx)
}

type bundleDoor door

func (g bundleDoor) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
	if g.p.dead.Load() {
		return "", errDead
	}
	return g.ledger.SubmitBundle(ctx, txs)
}

// rage runs the payments, and kills processes meanwhile.
func (s *memoryRun) rage(t *testing.T) {
	const payments = 12
	var all sync.WaitGroup
	seeds := make([]uint64, payments+1) // drawn before anything else draws
	for i := range seeds {
		seeds[i] = s.rng.Uint64()
	}
	for i := range payments {
		for caller := range uint64(2) { // of which neither knows the other
			all.Go(func() { s.payment(t, fmt.Sprint(i), rand.New(rand.NewPCG(caller, seeds[i]))) })
		}
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

// payment tries a key some times, building again each time.
func (s *memoryRun) payment(t *testing.T, key string, random *rand.Rand) {
	pause.For(t.Context(), time.Duration(random.Int64N(int64(20*time.Second))))
	for range 6 {
		if s.try(t, key, random) == nil {
			return
		}
		pause.For(t.Context(), time.Duration(random.Int64N(int64(20*time.Second))))
	}
}

func (s *memoryRun) try(t *testing.T, key string, random *rand.Rand) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(4*time.Minute))))
	defer cancel()
	p := s.processes[random.IntN(len(s.processes))].Load()
	o := wallet.ExecuteOptions{Key: key}
	kind := len(key) + int(key[len(key)-1]) // the same for all tries of a key
	u := s.build(t, random, kind, &o)
	var result *wallet.Result
	var err error
	if kind%4 < 2 && random.IntN(3) == 0 {
		result, err = p.ExecuteBundle(ctx, u, bundleDoor{s.ledger, p}, o)
	} else {
		result, err = p.Execute(ctx, u, o)
	}
	s.hear(key, p.dead.Load(), result, err)
	return err
}

// build makes one transaction: on a durable nonce, with a sponsor who signs last,
// or neither. The service's word on its end is a lie at times.
func (s *memoryRun) build(t *testing.T, random *rand.Rand, kind int, o *wallet.ExecuteOptions) walletfi.Unsigned {
	s.mu.Lock()
	slot := s.slot() - uint64(random.IntN(3))
	lie := s.strikes(.3)
	s.built++ // no two transactions are the same
	lamports := s.built
	blockhash := s.blockhash(slot)
	nonce := s.nonceAt(slot)
	s.mu.Unlock()
	owner := solana.PublicKey(s.key.PublicKey())
	payer, instructions := owner, []solana.Instruction{system.NewTransferInstruction(lamports, owner, owner).Build()}
	switch kind % 4 {
	case 2:
		account := solana.PublicKey{77}
		blockhash = nonce
		instructions = append([]solana.Instruction{
			system.NewAdvanceNonceAccountInstruction(account, solana.SysVarRecentBlockHashesPubkey, owner).Build(),
		}, instructions...)
		o.Guard = []signing.Option{signing.WithNonce(signing.Nonce{Account: signing.PublicKey(account), Value: signing.PublicKey(nonce)})}
	case 3:
		payer = solana.PublicKey(s.patron.PublicKey())
	}
	built, err := solana.NewTransaction(instructions, blockhash, solana.TransactionPayer(payer))
	if err != nil {
		panic(err)
	}
	tx, err := solanago.FromSolana(built)
	if err != nil {
		panic(err)
	}
	u := walletfi.Unsigned{
		LastValidBlockHeight: slot - skipped + 150, Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{Service: "test", Owner: owner.String(), PayTo: []string{owner.String()}, Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(lamports)}}},
	}
	if payer != owner {
		u.Intent.Sponsor = payer.String()
	}
	if kind%4 == 2 {
		u.LastValidBlockHeight = 0
		return u
	}
	if lie {
		u.LastValidBlockHeight = []uint64{0, slot - skipped + 10, slot - skipped + 40, slot - skipped + 100}[random.IntN(4)]
	}
	return u
}

// settle ends the faults and has a new process settle what is left.
func (s *memoryRun) settle(t *testing.T) {
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
func (s *memoryRun) count() (twice, wrong, unsettled int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	twice, wrong = s.verdicts.count(func(signature string) (landed, failed bool) {
		e, landed := s.landed[signature]
		return landed, e.failed
	})
	left, _ := s.processes[0].Load().Unsettled(context.Background())
	for _, u := range left {
		s.why = append(s.why, fmt.Sprintf("key %s is unsettled: %s", u.Key, u.Missing))
	}
	return twice, wrong, openKeys(s.journal)
}

// openKeys counts what a journal has that is not settled.
func openKeys(j wallet.Journal) (open int) {
	for range j.List(context.Background(), wallet.Query{Open: true}) {
		open++
	}
	return open
}
