package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/race"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// fewFeeIntents keeps the plain run short. The table of the documentation has 1,000.
const fewFeeIntents = 16

var feeIntents = flag.Int("feeintents", fewFeeIntents, "intents of a cell of TestLandingFeeMarket; with another number the burst is 500")

var feeSeed = flag.Uint64("feeseed", 0, "seed of the other traffic and of when the intents arrive; 0 is that of the documentation")

// The compute limit of lending's transactions and the fee of their one signature.
const (
	depositUnits = 200_000
	baseFee      = 5000
)

// marketCaps are less than a calm market asks, less than a busy one, and more than both.
var marketCaps = []uint64{6_000, 13_000, 60_000, 60_000, 60_000, 200_000, 200_000, 200_000}

// payingPolicy is how a wallet decides what it pays.
type payingPolicy struct {
	name string
	// ask is the price that each attempt asks its builder for, nil for the service's own.
	ask func(most uint64) *uint64
	// capped says that nothing above the cap may be paid.
	capped bool
	// fees is the wallet's policy, nil for none.
	fees func(most uint64) walletfi.FeePolicy
}

func perUnit(lamports uint64) uint64 { return (lamports - baseFee) * 1_000_000 / depositUnits }

// priced is the fee of a deposit at a price.
func priced(price uint64) uint64 { return baseFee + (price*depositUnits+999_999)/1_000_000 }

// byPercentile pays the price that so many per cent of the recent blocks asked at most.
func byPercentile(name string, percentile, growth int) payingPolicy {
	return payingPolicy{name: name, capped: true, fees: func(most uint64) walletfi.FeePolicy {
		return walletfi.FeePolicy{Percentile: percentile, MaxPerTransaction: walletfi.Amount(most), MaxPerKey: walletfi.Amount(most), Growth: growth}
	}}
}

// payingPolicies are those of FeePolicy, and comparators.
var payingPolicies = []payingPolicy{
	byPercentile("p50", 50, 50), byPercentile("p75", 75, 50),
	{name: "off", ask: func(uint64) *uint64 { return new(uint64(0)) }},
	{name: "fixed"}, // the price that the service documents as its default
	{name: "max", ask: func(most uint64) *uint64 { return new(perUnit(most)) }, capped: true},
}

// inSample reports whether a cell is played without -feeintents: one policy in each market, and
// of the comparators each in one.
func inSample(market, policy string) bool {
	played := map[string]string{"off": "calm", "fixed": "rising", "max": "spike"}
	return policy == "p75" || !race.Enabled && played[policy] == market
}

// TestLandingFeeMarket sends deposits through a cluster whose blocks others pay for. Of a market that rises and
// of one that spikes together, at most 1 per cent of those are lost whose cap was enough at some time; of fewer
// than 200 such one.
func TestLandingFeeMarket(t *testing.T) {
	moving := map[string]verdict{} // by policy
	for _, market := range []string{"calm", "rising", "spike", "hot"} {
		for _, p := range payingPolicies {
			if *feeIntents == fewFeeIntents && !inSample(market, p.name) {
				continue
			}
			v := feeCell{
				market: market, policy: p, network: sandbox.Network{Reach: .9, Nodes: []sandbox.Node{{}, {}}},
				nodes: 2, intents: *feeIntents, caps: marketCaps, within: time.Minute, deadline: 3 * time.Minute,
			}.run(t)
			if p.fees != nil && feeGoals[market].landed < 100 {
				sum := moving[p.name]
				sum.possible, sum.landed = sum.possible+v.possible, sum.landed+v.landed
				moving[p.name] = sum
			}
		}
	}
	require.NotEmpty(t, moving)
	for policy, v := range moving {
		require.LessOrEqual(t, v.possible-v.landed, max(1, v.possible/100), policy)
	}
}

// TestLandingBurst places more at once than the node takes in a minute. What cannot be sent
// before its deadline is refused before it is signed.
func TestLandingBurst(t *testing.T) {
	c := feeCell{
		market: "calm", policy: byPercentile("p75", 75, 50), nodes: 1, rate: 10, intents: 60, caps: []uint64{200_000}, deadline: 5 * time.Minute,
		network: sandbox.Network{Reach: .7, Nodes: []sandbox.Node{{PerSecond: 10}, {}}},
	}
	if *feeIntents != fewFeeIntents {
		c.intents = 500
	}
	c.run(t)
}

// feeCell is a row of the table.
type feeCell struct {
	market   string
	policy   payingPolicy
	network  sandbox.Network
	nodes    int      // that the wallets use
	rate     int      // requests a second that the wallets keep to, 0 for any
	caps     []uint64 // of the intents, in turn: the most that each may pay, in lamports
	intents  int
	within   time.Duration // in which the intents arrive, 0 for all at once
	deadline time.Duration // of each
}

func (c feeCell) run(t *testing.T) (v verdict) {
	fees := sandbox.FeeMarket{Seed: *feeSeed}
	switch c.market {
	case "rising":
		fees.Curve, fees.Begin = sandbox.FeesRising, 20*time.Second
	case "spike":
		fees.Curve = sandbox.FeesSpike
	case "hot":
		fees.Hot = []string{depositVault(t, flows.Start(t, sandbox.Config{ManualClock: true}))}
	}
	c.network.Fees = &fees
	s := flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true, Network: &c.network})
	wiretest.InBubble(t, c.market+" "+c.policy.name+fmt.Sprint(c.rate), func(t *testing.T) {
		f := newPayers(t, s, c)
		go pump(f.box, f.stop, func() {})
		f.fire(t)
		v = f.report(t)
	})
	return v
}

// depositVault is the account that every deposit writes.
func depositVault(t *testing.T, s *sandbox.Sandbox) string {
	t.Helper()
	program := solana.MustPublicKeyFromBase58(s.ProgramID(sandbox.Lending))
	vault, _, err := solana.FindProgramAddress([][]byte{[]byte("vault")}, program)
	require.NoError(t, err)
	return s.Ledger().AssociatedAccount(vault.String(), s.Mint("USDC"))
}

// payers are wallets of one owner, one for each cap, and their intents under way.
type payers struct {
	feeCell
	box      *sandbox.Sandbox
	lending  *lending.Client
	wallets  map[uint64]*wallet.Wallet
	counting *counting
	vault    string
	stop     chan struct{}

	mu       sync.Mutex
	built    map[string]int // the intent of a message
	payments []payment
}

// payment is an intent and the transactions that were signed for it.
type payment struct {
	cap        uint64
	least      uint64 // the oracle's fee, lamports
	possible   bool   // the oracle's fee is within the cap
	later      bool   // so is that of an oracle that is asked when the wallet has answered
	err        error
	signed     []string
	begun, end uint64 // slots
}

// newPayers lets no node preflight, and no wallet simulate.
func newPayers(t *testing.T, s *sandbox.Sandbox, c feeCell) *payers {
	t.Helper()
	f := &payers{
		feeCell: c, box: s, counting: &counting{RoundTripper: s.Transport()}, stop: make(chan struct{}), vault: depositVault(t, s),
		built: map[string]int{}, payments: make([]payment, c.intents), wallets: map[uint64]*wallet.Wallet{},
	}
	var err error
	f.lending, err = lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Tier: lending.TierEnterprise,
		Options: walletfi.Options{HTTPClient: &http.Client{Transport: s.Transport()}},
	})
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	nodes := sharedNodes(t, s, f.counting, c.nodes, c.rate)
	for _, most := range slices.Compact(slices.Clone(c.caps)) {
		policy := flows.Policy(s)
		policy.Resolver, policy.Unsimulated, policy.MaxNetworkFeeLamports = nodes[0], policy.AllowBlind, new(walletfi.Amount(1_000_000))
		config := wallet.Config{
			Signer: key, Guard: signing.NewGuard(policy), Submitter: recorder{nodes[0], f}, Confirmer: nodes[0], Heights: nodes[0],
		}
		if c.policy.fees != nil {
			config.Fees = c.policy.fees(most)
		}
		for _, node := range nodes[1:] {
			config.Also, config.AlsoFor = append(config.Also, recorder{node, f}), []string{"lending"}
		}
		f.wallets[most], err = wallet.New(config)
		require.NoError(t, err)
	}
	return f
}

// recorder is a node that notes for which intent each transaction is.
type recorder struct {
	*rpcnode.Client
	of *payers
}

func (r recorder) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	decoded, err := signing.Decode(tx.Transaction)
	if err != nil {
		return "", err
	}
	r.of.mu.Lock()
	i, known := r.of.built[string(decoded.Message())]
	if !known {
		panic("a transaction that no builder has built")
	}
	if signed := &r.of.payments[i].signed; !slices.Contains(*signed, tx.Signature) {
		*signed = append(*signed, tx.Signature)
	}
	r.of.mu.Unlock()
	return r.Client.Submit(ctx, tx)
}

// fire places all intents, waits for them, and lets what is under way end.
func (f *payers) fire(t *testing.T) {
	defer close(f.stop)
	random := rand.New(rand.NewPCG(1, 2+*feeSeed))
	pause.For(t.Context(), time.Second)
	var all sync.WaitGroup
	for i := range f.intents {
		after := time.Duration(0)
		if f.within > 0 {
			after = time.Duration(random.Int64N(int64(f.within)))
		}
		all.Go(func() {
			pause.For(t.Context(), after)
			f.one(t, i)
		})
	}
	all.Wait()
	pause.For(t.Context(), 2*time.Minute)
}

// one places one deposit.
func (f *payers) one(t *testing.T, i int) {
	ctx, cancel := context.WithTimeout(t.Context(), f.deadline)
	defer cancel()
	most := f.caps[i%len(f.caps)]
	request := lending.DepositRequest{
		Owner: f.box.WalletAddress(), Mint: f.box.Mint("USDC"), DepositType: lending.DepositRegular, Amount: walletfi.Amount(1_000_000 + i),
	}
	if f.policy.ask != nil {
		request.ComputeUnitPriceMicroLamports = f.policy.ask(most)
	}
	build := func(ctx context.Context, r lending.DepositRequest, opts ...walletfi.CallOption) (*lending.DepositTransaction, error) {
		answer, err := f.lending.BuildDeposit(ctx, r, opts...)
		if err != nil {
			return nil, err
		}
		decoded, err := signing.Decode(answer.Transaction)
		if err != nil {
			return nil, err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.built[string(decoded.Message())] = i
		return answer, nil
	}
	begun := f.box.Ledger().Slot()
	_, err := f.wallets[most].Place(ctx, wallet.OrderOf(build, request), wallet.PlaceOptions{Key: fmt.Sprint("deposit ", i), Attempts: 20})
	end := begun + uint64(f.deadline/(400*time.Millisecond))
	answered := min(f.box.Ledger().Slot(), end)
	f.mu.Lock()
	defer f.mu.Unlock()
	p := &f.payments[i]
	p.cap, p.err, p.begun, p.end, p.least = most, err, begun, end, f.oracle(t, begun, end)
	p.possible, p.later = p.least <= most, f.oracle(t, answered, end) <= most
}

// oracle is the least fee that would have landed what was sent from one slot to another.
// It is in the next but one's block at the earliest.
func (f *payers) oracle(t *testing.T, from, to uint64) uint64 {
	price, err := f.box.Ledger().LeastPrice([]string{f.vault}, depositUnits, from+2, to+2)
	require.NoError(t, err)
	return priced(price)
}

// feeGoals are what a wallet with a policy must reach: how many per cent of the intents land
// whose cap the market allowed at some time, and the median cost in terms of the oracle's. A market
// that moves can pass a low cap within the slots that a transaction takes to get there.
var feeGoals = map[string]struct{ landed, cost float64 }{
	"calm": {100, 1.2}, "rising": {99, 2}, "spike": {99, 2}, "hot": {100, 2},
}

// verdict counts what the ledger says of a cell.
type verdict struct {
	possible, landed, refused, wrongly, unknown int
	others, unsigned                            int // that have ended in another way; of those, never signed
	twice, aboveCap                             int
	paid                                        float64 // lamports, for landing
	ratios, took                                []float64
	missed                                      map[uint64]int // of the possible, by cap
}

func (f *payers) judge(t *testing.T) (v verdict) {
	ledger, moved := f.box.Ledger(), uint64(0)
	v.missed = map[uint64]int{}
	for i, p := range f.payments {
		var paid uint64
		landed := 0
		for _, signature := range p.signed {
			status := ledger.TransactionStatus(signature)
			paid += status.Fee
			if status.Found && status.Err == "" {
				landed++
				moved += 1_000_000 + uint64(i)
				v.took = append(v.took, float64(status.Slot-p.begun)*.4)
			}
		}
		if p.possible {
			v.possible++
			v.landed += min(landed, 1)
			if landed == 0 {
				v.missed[p.cap]++
			}
		}
		if landed > 1 {
			v.twice++
		}
		if paid > p.cap {
			v.aboveCap++
		}
		v.paid += float64(paid)
		if landed > 0 {
			v.ratios = append(v.ratios, float64(paid)/float64(p.least))
		}
		switch early := errors.Is(p.err, walletfi.ErrFeeMarket); {
		case early && landed > 0:
			t.Errorf("intent %d was refused, and landed", i)
		case early && p.later:
			t.Logf("intent %d, from slot %d, with %d signed, was wrongly refused: %v", i, p.begun, len(p.signed), p.err)
			v.wrongly++
		case early:
			v.refused++
		case errors.Is(p.err, walletfi.ErrOutcomeUnknown):
			v.unknown++
		case p.err == nil:
			require.Equal(t, 1, landed, "intent %d is said to have landed", i)
		default:
			require.Zero(t, landed, "intent %d: %v", i, p.err)
			v.others++
			if len(p.signed) == 0 {
				v.unsigned++
			}
		}
	}
	const deposit = 10_000_000_000
	require.Equal(t, deposit-moved, ledger.TokenBalance(f.box.WalletAddress(), f.box.Mint("USDC")), "the ledger has moved what was counted")
	slices.Sort(v.ratios)
	slices.Sort(v.took)
	return v
}

func median(sorted []float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

func (f *payers) report(t *testing.T) verdict {
	v := f.judge(t)
	share := 100 * float64(v.landed) / float64(max(v.possible, 1))
	if f.rate > 0 {
		fmt.Printf("burst=%d rate=%d/s landed=%.1f unknown=%d twice=%d\n", f.intents, f.rate, share, v.unknown, v.twice)
		t.Logf("median=%.1fs never signed=%d expired=%d requests=%.1f refused with 429=%d",
			median(v.took), v.unsigned, v.others-v.unsigned,
			float64(f.counting.requests.Load())/float64(f.intents), f.counting.refused.Load())
		require.Zero(t, f.counting.refused.Load())
	} else {
		fmt.Printf("market=%s policy=%s landed=%.1f refused early=%d wrongly refused=%d cost/oracle=%.2f above cap=%d\n",
			f.market, f.policy.name, share, v.refused, v.wrongly, median(v.ratios), v.aboveCap)
		t.Logf("allowed=%d of %d median=%.1fs lamports/landed=%.0f twice=%d unknown=%d others=%d requests=%.1f missed by cap=%v",
			v.possible, f.intents, median(v.took), v.paid/float64(max(len(v.ratios), 1)), v.twice, v.unknown, v.others, float64(f.counting.requests.Load())/float64(f.intents), v.missed)
	}
	require.Zero(t, v.twice)
	require.Positive(t, v.possible)
	if f.policy.capped {
		require.Zero(t, v.aboveCap)
	}
	if f.policy.fees == nil {
		return v
	}
	require.Zero(t, v.unknown)
	require.Zero(t, v.wrongly)
	goal := feeGoals[f.market]
	if f.rate > 0 {
		goal.landed = 95 // all of the rate is used up
		require.Equal(t, v.others, v.unsigned, "what does not land is refused before it is signed")
	}
	if v.possible >= 100 || goal.landed == 100 || f.rate > 0 {
		require.GreaterOrEqual(t, share, goal.landed)
	}
	require.LessOrEqual(t, median(v.ratios), goal.cost)
	return v
}
