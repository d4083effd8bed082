package wallet

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// Config configures a Wallet.
type Config struct {
	// Signer holds the owner's key. Nil means that each Execute names one: see
	// ExecuteOptions.Signer.
	Signer signing.Signer
	// Guard decides what may be signed. Required: it holds the caller's pins. If its policy
	// has no Simulator or no Resolver, the Confirmer, Heights or Submitter is asked in its
	// place if it is one, such as rpcnode's Client and Pool: what calls a pinned program is
	// then simulated, and that node sees it before it is sent. See
	// signing.Policy.Unsimulated.
	Guard *signing.Guard
	// Node is the Submitter, Confirmer, Heights and Effects where these are nil, and the
	// Watcher if it is one. What is given apart is used in its place: with a Submitter, that
	// one alone sends, and the Node is asked for all else. Required, or a Submitter and a
	// Confirmer.
	Node Node
	// Submitter sends what was signed. Nil means the Node. If it is a walletfi.SendBudget that knows its
	// limit, such as rpcnode's Client with a Limiter, no more is built and signed than it can
	// send in time: the call that its caller waits for least long goes first, one whose context
	// is marked by ratelimit.WithUrgent before all others. What would have less than 20 s of its
	// context's time left at its turn, or less than half if that is shorter, is refused at once with
	// a *ratelimit.Error that says when its turn would have come.
	Submitter walletfi.Submitter
	// Also sends the same bytes too, for the services that AlsoFor names: at first all at once, then
	// in turns, fewer of them to one that lands less. Each eighth transaction goes to one alone for
	// ResendEvery at first, which shows what each lands: see observe.Door. What a sponsor has yet to
	// sign, and bundles, go only through their own door.
	Also []walletfi.Submitter
	// AlsoFor names services by Intent.Service. A transaction that must not be
	// seen before it is executed is only safe with the relay it was built for, so
	// that no service is included unless it is named. Required with Also.
	AlsoFor []string
	// Bundles sends bundles that an earlier process left. Nil means that those
	// are followed and not sent again.
	Bundles walletfi.BundleSubmitter
	// Confirmer tells what became of it. Nil means the Node. What it can do further is used:
	// walletfi.Prover, without which no transaction is ever called expired,
	// walletfi.BatchConfirmer and walletfi.MessageFinder. If it is a walletfi.Panel,
	// its nodes are asked instead, for heads too, and no verdict rests on a minority of
	// them. Its nodes and the journal must be of one cluster.
	Confirmer walletfi.Confirmer
	// Heights tells how far the ledger is, so that what has ended is not signed. If it
	// is a walletfi.Prover and the Confirmer is none, it shows what has expired. Nil means
	// the Node.
	Heights walletfi.BlockHeighter
	// Watcher says when it is worth asking for a status, so that a transaction
	// counts as confirmed sooner and with fewer questions. It proves nothing. Nil
	// means the Confirmer or Heights, if one of them is a walletfi.Watcher.
	Watcher walletfi.Watcher
	// Effects tells what each executed transaction has changed of the owner's, for
	// Step.Effects: Execute and Settle ask before they return, for 10 seconds at most.
	// If it and the Confirmer are walletfi.Panels, the nodes are held against each
	// other, and no minority is believed. Nil means the Node; without one, none are asked for.
	Effects walletfi.EffectsReader
	// Fees says what may be paid for landing. Place has each order's service build at the
	// policy's price. If the market asks for more than the caps allow, Place waits for it to come
	// down as long as its context's deadline leaves 15 seconds to land, and without a deadline not
	// at all, and then ends with walletfi.ErrFeeMarket; nothing is signed. Execute and Place sign
	// nothing above the caps. The zero value leaves the price to the orders and the caps to the
	// guard.
	Fees walletfi.FeePolicy
	// FeeReader tells the recent fees. Nil means the Confirmer, Heights or Submitter, if one of
	// them is a walletfi.FeeReader, such as rpcnode's Client and Pool.
	FeeReader walletfi.FeeReader
	// FeeSimulator lets Place simulate the first build of an order that asks for LimitsAsked, if
	// nothing is known of what it uses, and have it built once more with the limits; LandingFee.Builds
	// counts both. Nil, the default, asks for no such build. It is used with Fees.
	FeeSimulator signing.Simulator
	// Tips says what bundles may tip, where a request takes a tip: those of package leverage, and a
	// swap.PriorityBundleTip. Place has the service build with the policy's tip, more after a proven
	// expiry; a market above the caps is walletfi.ErrFeeMarket. The guard refuses a higher tip, in
	// Execute too. Of its fields, Floor counts lamports. The zero value leaves tips as they are.
	Tips walletfi.FeePolicy
	// TipReader tells the recent tips. Nil means the Bundles, or the Submitter, if one of them is
	// a walletfi.TipReader, such as leverage's Client; else the policy's floor is tipped.
	TipReader walletfi.TipReader
	// Spend limits what may leave within sliding windows of time, over all payments of the Journal
	// together, whoever their owners are, also across restarts and processes. All wallets on one
	// Journal must have the same. A mint without a limit does not leave, and one of SOL is required, in
	// which fees are paid. A transaction counts from before it is signed, at worst and gross, until it
	// has provably expired, and for the length of the window after it has landed. What would exceed a
	// limit is not signed: see SpendLimitError.
	//
	// The bytes bound a transaction that calls no pinned program. One that does counts with all that its
	// intent, or the guard's policy, lets it take, and with the rent of that too unless a simulation tells
	// each transfer. Of a set that is signed step by step all that may come counts before the first step is
	// signed, and what a step has taken counts exactly once the next one is judged.
	//
	// If the Confirmer, Heights or Submitter is a walletfi.FinalTimer, such as rpcnode's Client and Pool, no
	// window frees early for a clock that is wrong, nor late for one that is ahead.
	//
	// What counts is one entry of the Journal, which each payment writes twice: 1,000 payments a window
	// make it 45 KB, and a write take 2 to 3 ms on a file or in SQLite. Nil limits nothing.
	Spend []SpendLimit
	// Journal keeps what is signed and sent. Nil means a memory journal of the
	// wallet's own. With a journal, ExecuteOptions.Key is required unless it is a
	// *MemoryJournal, what an earlier process left is followed in the background,
	// and the wallet must be closed.
	Journal Journal

	// Clock moves polls, resends and ConfirmTimeout. The bounds of single calls and Lease
	// stay in real time. Nil means real time. See walletfi.Clock.
	Clock walletfi.Clock
	// Commitment is how settled a transaction must be to count as confirmed. Empty means
	// walletfi.CommitmentConfirmed, and so does processed, as that can be undone. A
	// failure counts only if it is finalized.
	Commitment walletfi.Commitment
	// PollEvery is the time between two questions after a transaction's status.
	// 0 means 500 ms; it doubles up to 4 s.
	PollEvery time.Duration
	// ResendEvery is the time between two sends of the same bytes by one
	// submitter, until a node has seen them executed or they have expired. Several
	// submitters take turns. 0 means 1.6 s.
	ResendEvery time.Duration
	// TryTimeout bounds one send. 0 means 2 s.
	TryTimeout time.Duration
	// ConfirmTimeout bounds the wait for one transaction, counted from when it was sent,
	// from when the ledger could last hold it and from when a node last showed more of
	// it, both of these at most five minutes after it was sent, by the wallet's clock. 0
	// means 90 seconds.
	ConfirmTimeout time.Duration
	// Lease is how long another process waits before it takes up what this one
	// left without a word. 0 means 30 s.
	Lease time.Duration
	// Observer is told of each execution and its stages: guard, signatures, each
	// send, the confirmation, and of what is unsettled. Nil costs nothing.
	Observer observe.Observer
}

// Node has all that a wallet needs of the chain. rpcnode's Client and Pool are Nodes. What one
// can do further is used, as Config says: see Confirmer, Guard and FeeReader.
type Node interface {
	walletfi.Submitter
	walletfi.Confirmer
	walletfi.BlockHeighter
	walletfi.EffectsReader
}

// complete gives to the Node what is not given apart.
func (cfg Config) complete() Config {
	cfg.Submitter = cmp.Or[walletfi.Submitter](cfg.Submitter, cfg.Node)
	cfg.Confirmer = cmp.Or[walletfi.Confirmer](cfg.Confirmer, cfg.Node)
	cfg.Heights = cmp.Or[walletfi.BlockHeighter](cfg.Heights, cfg.Node)
	cfg.Effects = cmp.Or[walletfi.EffectsReader](cfg.Effects, cfg.Node)
	return cfg
}

// Wallet guards, signs, submits and confirms. It is safe for concurrent use.
type Wallet struct {
	signer  signing.Signer
	guard   *signing.Guard
	main    *door
	also    []*door
	alsoFor []string
	doors   map[string]*door // by name, for what the journal has
	tracker *tracker
	ledger  *record                // nil if no node shows anything
	tables  bool                   // the guard has a resolver, whose node may lag
	market  *market                // nil without a fee policy
	tips    *fees.Tips             // nil without a policy for them
	queue   *admit.Queue           // before main; nil if that knows no limit
	effects walletfi.EffectsReader // nil asks for none
	changes walletfi.EffectsReader // of a set's earlier transactions; nil signs no set step by step
	spend   *spendLimits           // nil without limits
	journal Journal
	durable bool   // the journal outlives the process
	holder  string // by which the journal knows this wallet
	lease   time.Duration
	clock   walletfi.Clock // nil is real time

	observer observe.Observer
	inDoubt  atomic.Int64 // keys, when the observer was last told

	mu      sync.Mutex
	running map[string]*follower // keys that this wallet works on, nil for an Execute
	taken   map[string]*follower // keys that were taken up in the background and that no Settle has told
	closed  bool
	stop    context.CancelFunc
	keeper  sync.WaitGroup
}

// errClosed ends what runs when the wallet is closed.
var errClosed = errors.New("the wallet is closed")

// New checks cfg and returns a wallet. With a journal, it takes up in the
// background what an earlier process left, until Close.
func New(cfg Config) (*Wallet, error) {
	cfg = cfg.complete()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	_, memory := cfg.Journal.(*MemoryJournal)
	w := &Wallet{
		signer: cfg.Signer, main: singleDoor(cfg.Submitter), alsoFor: cfg.AlsoFor,
		journal: cfg.Journal, durable: cfg.Journal != nil && !memory, holder: rand.Text(), lease: cfg.Lease,
		observer: cfg.Observer, clock: cfg.Clock,
		running: map[string]*follower{}, taken: map[string]*follower{}, doors: map[string]*door{},
	}
	if budget := budgetOf(cfg.Submitter); budget != nil {
		w.queue = &admit.Queue{Rate: budget.SendRate, Clock: cfg.Clock}
	}
	for _, s := range cfg.Also {
		w.also = append(w.also, singleDoor(s))
	}
	if cfg.Bundles != nil {
		d := bundleDoor(cfg.Bundles)
		w.doors[d.name] = d
	}
	for _, d := range append([]*door{w.main}, w.also...) {
		for kind, n := d.name, 2; w.doors[d.name] != nil; n++ {
			d.name = fmt.Sprintf("%s %d", kind, n)
		}
		w.doors[d.name] = d
	}
	several, err := evidence.NewPanel(cfg.Confirmer)
	if err != nil {
		return nil, err
	}
	w.tracker, w.effects = newTracker(cfg, several), effectsSource(cfg, several)
	w.changes, w.tracker.queue = stepsSource(cfg, several), w.queue
	resolver := find[signing.Resolver](cfg.Confirmer, cfg.Heights, cfg.Submitter)
	w.guard = cfg.Guard.WithNode(find[signing.Simulator](cfg.Confirmer, cfg.Heights, cfg.Submitter), resolver)
	w.tables = resolver != nil
	if w.market, err = newMarket(cfg, resolver); err != nil {
		return nil, err
	}
	if w.tips, err = newTips(cfg); err != nil {
		return nil, err
	}
	setDefault(&w.lease, 30*time.Second)
	own := w.journal == nil
	if own {
		w.journal = NewMemoryJournal()
	}
	if err := w.openLedger(); err != nil {
		return nil, err
	}
	if err := w.openSpend(cfg); err != nil {
		return nil, err
	}
	if own {
		return w, nil
	}
	return w, w.keep()
}

// budgetOf is the limit of a submitter, or of the one that it wraps. Nil if it has none.
func budgetOf(s walletfi.Submitter) walletfi.SendBudget {
	const mostWraps = 16
	for range mostWraps {
		if budget, ok := s.(walletfi.SendBudget); ok {
			return budget
		}
		wrapper, ok := s.(interface{ Unwrap() walletfi.Submitter })
		if !ok {
			break
		}
		s = wrapper.Unwrap()
	}
	return nil
}

func newTracker(cfg Config, several *evidence.Panel) *tracker {
	nodes := []any{cfg.Confirmer, cfg.Heights}
	t := &tracker{
		confirmer: cfg.Confirmer, batch: find[walletfi.BatchConfirmer](cfg.Confirmer),
		watcher: find[walletfi.Watcher](cfg.Watcher, cfg.Confirmer, cfg.Heights), search: searchOne(
			find[walletfi.MessageFinder](nodes...),
		),
		commitment: cfg.Commitment, pollEvery: cfg.PollEvery, resendEvery: cfg.ResendEvery,
		tryTimeout: cfg.TryTimeout, timeout: cfg.ConfirmTimeout, observer: cfg.Observer, clock: cfg.Clock,
	}
	if !t.commitment.AtLeast(walletfi.CommitmentConfirmed) {
		t.commitment = walletfi.CommitmentConfirmed
	}
	setDefault(&t.pollEvery, 500*time.Millisecond)
	setDefault(&t.resendEvery, 1600*time.Millisecond)
	setDefault(&t.tryTimeout, 2*time.Second)
	setDefault(&t.timeout, 90*time.Second)
	source, proving := any(cfg.Heights), []any{find[walletfi.Prover](nodes...)}
	if several != nil {
		t.several, t.batch, t.search, source, proving = several, several, nil, several, nil
		if several.Searches() {
			t.search = several.Search
		}
		for _, n := range cfg.Confirmer.(walletfi.Panel).Nodes() {
			proving = append(proving, n)
		}
	}
	t.prover = evidence.NewProver(proving, cfg.Clock)
	t.busy, t.deep = make([]bool, len(proving)), make([]int, len(proving))
	if source != nil {
		t.heads = &heads{read: headSource(source), clock: cfg.Clock}
	}
	return t
}

func (w *Wallet) now() time.Time { return clock.Now(w.clock) }

func setDefault(d *time.Duration, value time.Duration) {
	if *d == 0 {
		*d = value
	}
}

func (cfg Config) check() error {
	return check.Config(cfg,
		check.That(cfg.Guard != nil, "guard", "is required"),
		check.That(cfg.Submitter != nil, "submitter", "is required without a node"),
		check.That(cfg.Confirmer != nil, "confirmer", "is required without a node"),
		check.That(len(cfg.Also) == 0 || len(cfg.AlsoFor) > 0, "alsoFor", "is required with also"),
		check.OptionalOneOf("commitment", cfg.Commitment,
			walletfi.CommitmentProcessed, walletfi.CommitmentConfirmed, walletfi.CommitmentFinalized),
		check.NotNegative("pollEvery", cfg.PollEvery),
		check.NotNegative("resendEvery", cfg.ResendEvery),
		check.NotNegative("tryTimeout", cfg.TryTimeout),
		check.NotNegative("confirmTimeout", cfg.ConfirmTimeout),
		check.NotNegative("lease", cfg.Lease),
		checkSpend(cfg.Spend),
	)
}

// Close ends what runs in the background and waits for it. Executions under way
// return with an unknown outcome; their transactions stay in the journal. It
// does not close the journal.
func (w *Wallet) Close() error {
	w.mu.Lock()
	w.closed = true
	stop := w.stop
	w.mu.Unlock()
	if stop != nil {
		stop()
	}
	w.tracker.close()
	w.keeper.Wait()
	if w.stop == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	return w.journal.Renew(ctx, w.holder, 0)
}
