package wallet_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/scripttest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestScripts plays testdata/scripts: wallets, each a process of its own, that share a
// journal and a ledger.
func TestScripts(t *testing.T) {
	scripttest.Run(t, func(t *testing.T, trace *scripttest.Trace) func(*scripttest.Event) {
		s := &scripted{t: t, trace: trace}
		t.Cleanup(s.stop)
		return s.play
	})
}

type scripted struct {
	t       *testing.T
	trace   *scripttest.Trace
	memory  *wallet.MemoryJournal
	ledger  *scriptedLedger
	wallets map[string]*scriptedWallet
	build   *rig // builds what is paid
	salt    byte
}

// scriptedWallet is a wallet, its view of the journal, and how it sends.
type scriptedWallet struct {
	*wallet.Wallet
	journal *scriptedStore
}

func (s *scripted) play(e *scripttest.Event) {
	switch e.Name {
	case "start":
		s.start()
	case "stop":
		s.stop()
	case "wallet":
		s.wallet(e)
	case "close":
		name := e.First()
		s.trace.Say(name, "closed: %s", oneError(s.wallets[name].Close()))
	case "execute":
		s.execute(e)
	case "settle":
		s.settle(e)
	case "outcome":
		name, key := e.First(), e.First()
		o, err := s.wallets[name].Outcome(s.t.Context(), key)
		s.trace.Say(name+" "+key, "outcome: %s", s.told(o, err))
	case "unsettled":
		name := e.First()
		all, err := s.wallets[name].Unsettled(s.t.Context())
		s.trace.Say(name, "%d unsettled: %s", len(all), oneError(err))
	case "journal":
		s.wallets[e.First()].journal.fails(e)
	case "hold":
		s.hold(e)
	case "renew":
		require.NoError(s.t, s.memory.Renew(s.t.Context(), e.First(), e.Duration("lease", 0)))
	case "ledger":
		s.ledger.set(e)
	case "submitter":
		s.ledger.refuses(e)
	default:
		e.Unknown()
	}
}

// start begins with an empty journal and a ledger on which everything lands.
func (s *scripted) start() {
	s.stop()
	s.trace.Begin()
	s.memory, s.wallets, s.salt = wallet.NewMemoryJournal(), map[string]*scriptedWallet{}, 0
	s.ledger = &scriptedLedger{chain: newChain(s.t, 1001), s: s, names: map[string]string{}}
	s.ledger.status = s.ledger.shows
	s.build = &rig{chain: s.ledger.chain, owner: s.signer().PublicKeyOf(), shop: solana.PublicKey{5}}
}

// stop closes the wallets.
func (s *scripted) stop() {
	for _, name := range slices.Sorted(maps.Keys(s.wallets)) {
		s.wallets[name].journal.heal()
		require.NoError(s.t, s.wallets[name].Close())
	}
	s.wallets = nil
}

type localKey struct{ *signing.LocalKey }

func (k localKey) PublicKeyOf() solana.PublicKey { return solana.PublicKey(k.PublicKey()) }

func (s *scripted) signer() localKey {
	key, err := signing.NewLocalKeyFromSeed(make([]byte, ed25519.SeedSize))
	require.NoError(s.t, err)
	return localKey{key}
}

// wallet starts a process. One that is "idle" does not find what others left, unless it
// is asked for it; the node of one that is "unproven" cannot prove what did not happen.
func (s *scripted) wallet(e *scripttest.Event) {
	name := e.First()
	j := &scriptedStore{Journal: s.memory, s: s, name: name, idle: e.Has("idle"), last: map[string]string{}}
	cfg := wallet.Config{
		Signer: s.signer().LocalKey, Guard: signing.NewGuard(signing.Policy{}), Journal: j,
		Submitter: s.ledger, Confirmer: s.ledger.chain, Heights: s.ledger.chain, Bundles: s.ledger,
	}
	if e.Has("unproven") {
		unproven(&cfg)
	}
	w, err := wallet.New(cfg)
	if err != nil {
		s.trace.Say(name, "does not start: %s", oneError(err))
		return
	}
	s.wallets[name] = &scriptedWallet{w, j}
}

// execute pays n lamports in n transactions, which are new each time.
func (s *scripted) execute(e *scripttest.Event) {
	name, n := e.First(), e.Int("n", 1)
	o := wallet.ExecuteOptions{Key: e.Text("key", "")}
	bundle, within := e.Has("bundle"), e.Duration("within", time.Hour)
	u := s.build.pay(s.t, n)
	for i := range u.Transactions {
		s.salt++
		u.Transactions[i] = s.build.transfer(s.t, 1, s.salt)
	}
	w := s.wallets[name].Wallet
	go func() {
		ctx, cancel := context.WithTimeout(s.t.Context(), within)
		defer cancel()
		var result *wallet.Result
		var err error
		if bundle {
			result, err = w.ExecuteBundle(ctx, u, s.ledger, o)
		} else {
			result, err = w.Execute(ctx, u, o)
		}
		text := s.ledger.spoken(oneError(err))
		if result != nil && result.Unrecorded != nil {
			text += ", unrecorded: " + result.Unrecorded.Error()
		}
		var steps []wallet.Step
		if result != nil {
			steps = result.Steps
		}
		s.trace.Say(name+" "+o.Key, "executed: %s: %s", s.steps(steps), text)
	}()
}

func (s *scripted) settle(e *scripttest.Event) {
	name, within := e.First(), e.Duration("within", time.Hour)
	w := s.wallets[name].Wallet
	go func() {
		ctx, cancel := context.WithTimeout(s.t.Context(), within)
		defer cancel()
		outcomes, err := w.Settle(ctx)
		for _, o := range outcomes {
			s.trace.Say(name+" "+o.Key, "settled: %s", s.told(o, nil))
		}
		s.trace.Say(name, "settled %d keys: %s", len(outcomes), oneError(err))
	}()
}

// hold makes another process the holder of a key, as if it had taken it over.
func (s *scripted) hold(e *scripttest.Event) {
	entry, err := s.memory.Load(s.t.Context(), "key:"+e.First())
	require.NoError(s.t, err)
	was := entry.Version
	entry.Holder, entry.Version = e.Text("by", ""), was+1
	require.NoError(s.t, s.memory.Store(s.t.Context(), was, entry))
}

func (s *scripted) told(o wallet.Outcome, err error) string {
	if err != nil {
		return oneError(err)
	}
	return fmt.Sprintf("%s, settled %t: %s", o.State, o.Settled(), s.steps(o.Steps))
}

func (s *scripted) steps(steps []wallet.Step) string {
	all := []string{}
	for _, step := range steps {
		all = append(all, s.ledger.name(step.Signature)+" "+string(step.State))
	}
	return strings.Join(all, ", ")
}

// oneError is an error with the outcome that it answers to, of which there is one, and whether a part is paid.
func oneError(err error) string {
	if err == nil {
		return "no error"
	}
	var kinds []string
	for name, kind := range map[string]error{
		"not sent": walletfi.ErrNotSent, "expired": wallet.ErrExpired, "failed": wallet.ErrFailed, "unknown": walletfi.ErrOutcomeUnknown,
		"stopped": wallet.ErrStopped,
	} {
		if errors.Is(err, kind) {
			kinds = append(kinds, name)
		}
	}
	var open *wallet.UnsettledError
	if errors.As(err, &open) && open.Running {
		kinds = append(kinds, "running")
	}
	slices.Sort(kinds)
	return fmt.Sprintf("%v: %s", kinds, err)
}
