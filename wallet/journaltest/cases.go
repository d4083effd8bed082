package journaltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

func assets(mint string) []walletfi.Asset {
	return []walletfi.Asset{{Mint: mint, Amount: math.MaxUint64}, {Mint: mint + " too", Amount: 0}}
}

// entry is one with every field set, at edge values where there are any, but for
// Derived and Untold, which let a journal drop it.
func entry(key string, version uint64) wallet.Entry {
	return wallet.Entry{
		Schema: wallet.Schema, Key: key, Version: version, State: wallet.KeySent, Holder: "holder",
		Intent: "intent of " + key, Bundle: true,
		Since:    time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC),
		Signing:  wallet.Head{Slot: math.MaxUint64, Height: math.MaxUint64 - 1},
		SignedAt: time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC),
		Asked: walletfi.Intent{
			Service: "lending", Owner: "owner", Spend: assets("spent"), Burn: assets("burnt"), BurnAll: []string{"burnt whole"},
			Receive: assets("received"), ReceiveAfter: new(time.Hour), TipLamports: 1, ServiceFee: assets("fee"),
			MaxNetworkFeeLamports: new(walletfi.Amount(0)),
			MaxTransactions:       2, MaxRentLamports: new(walletfi.Amount(0)), MaxForeignRentLamports: 3, Sponsor: "sponsor",
			PayTo: []string{"shop", "other shop"}, OutputTo: []string{"output"}, FeeTo: []string{"fee"},
			CoSigners: []string{"co-signer"}, Delegates: []string{"delegate"}, CloseAccounts: []string{"closed"},
			Asked: map[string]string{"amount": "1", "ä.b": ""},
		},
		FilledLater: true,
		End: &walletfi.OrderEnd{
			State: "closed", Filled: true, Fills: []walletfi.OrderFill{
				{Signature: "fill", InAmount: math.MaxUint64, OutAmount: 1},
			},
		},
		Steps: []wallet.EntryStep{
			{
				State: wallet.KeySent, Signature: "first", Own: "first", Hash: "hash of the message",
				Transaction: walletfi.Base64Transaction(strings.Repeat("A", 5464)), Blockhash: "hash", Last: math.MaxUint64,
				Doors: []string{"a", "b"}, Message: "message", Evidence: evidence(),
				Fee: 5_002, Price: 7, Tip: 9, Debit: "debit",
			},
			{State: wallet.KeyFailed, Own: "second", NonceAccount: "nonce", Slot: 1, Err: `{"InstructionError":[0,"Custom"]}`,
				InPlaceOf: 1, Yields: true},
		},
		Set: &wallet.EntrySet{
			Transactions: []walletfi.Base64Transaction{"first", "second"}, LastValidBlockHeight: math.MaxUint64,
			Blockhash: "hash",
		},
		Prepared: &wallet.EntryPrepared{
			Digest: "digest", Submitted: time.Unix(1_700_000_001, 1).UTC(), Declined: time.Unix(1_700_000_002, 2).UTC(),
		},
		Short:      []wallet.Shortfall{{Mint: "received", Asked: math.MaxUint64, Arrived: 1}},
		Overridden: []string{"old"}, FeesPaid: 5_001,
	}
}

// evidence has every field set.
func evidence() *walletfi.Evidence {
	head := walletfi.Head{Slot: math.MaxUint64, Height: 1}
	return &walletfi.Evidence{
		After: head, Unsure: true, Told: math.MaxUint64,
		Nodes: []walletfi.NodeEvidence{
			{
				Node: "node", Seen: 1, Bound: math.MaxUint64, Age: 151, Block: head, Held: head, Gone: head, UsedBy: "other",
				Missing: "why",
			},
			{
				Node: "other", Nulls: []walletfi.Null{
					{AsOfSlot: math.MaxUint64, From: head, To: head, Witnesses: 2, Final: 1}, {AsOfSlot: 2},
				},
			},
		},
		Vouched: &walletfi.Vouched{By: "ops", Reason: "an explorer's page", At: time.Date(2026, 1, 2, 3, 4, 7, 0, time.UTC)},
	}
}

func wholeEntry(t *testing.T, s Store) {
	j := s.Open(t)
	want := entry("whole", math.MaxInt64)
	for len(want.Steps) < 16 { // as many as a set may have
		want.Steps = append(want.Steps, entry("", 0).Steps[0])
		want.Set.Transactions = append(want.Set.Transactions, want.Steps[0].Transaction)
	}
	store(t, j, 0, want)
	same(t, want, load(t, j, "whole"))
}

func noEntry(t *testing.T, s Store) {
	j := s.Open(t)
	same(t, wallet.Entry{}, load(t, j, "nothing"))
	refuse(t, j, 7, entry("nothing", 8))
	same(t, wallet.Entry{}, load(t, j, "nothing"))
}

func fenced(t *testing.T, s Store) {
	j := s.Open(t)
	store(t, j, 0, entry("key", 5))
	for _, was := range []uint64{0, 4, 6, math.MaxInt64} {
		late := entry("key", 9)
		late.Holder = "late"
		refuse(t, j, was, late)
	}
	same(t, entry("key", 5), load(t, j, "key"))
	next := entry("key", 6)
	next.State = wallet.KeyConfirmed
	store(t, j, 5, next)
	refuse(t, j, 5, entry("key", 7))
	same(t, next, load(t, j, "key"))
}

func oneClaimWins(t *testing.T, s Store)  { races(t, s, 0) }
func oneUpdateWins(t *testing.T, s Store) { races(t, s, 3) }

// races has several processes race for some keys, as far as the store has them:
// a lock within one of them is not enough.
func races(t *testing.T, s Store, was uint64) {
	t.Helper()
	processes := []wallet.Journal{s.Open(t)}
	if !s.Single {
		processes = append(processes, s.Open(t), s.Open(t))
	}
	for i := range 16 {
		race(t, processes, fmt.Sprintf("race %d", i), was)
	}
}

// race stores from many goroutines at once against one version.
func race(t *testing.T, processes []wallet.Journal, key string, was uint64) {
	t.Helper()
	j := processes[0]
	if was != 0 {
		store(t, j, 0, entry(key, was))
	}
	const racers = 32
	errs := make([]error, racers)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range errs {
		e := entry(key, 100+uint64(i))
		all.Go(func() {
			<-begin
			errs[i] = processes[i%len(processes)].Store(t.Context(), was, e)
		})
	}
	close(begin)
	all.Wait()
	won := -1
	for i, err := range errs {
		switch {
		case err == nil && won >= 0:
			t.Fatalf("stores %d and %d against one version both succeeded", won, i)
		case err == nil:
			won = i
		case !errors.Is(err, wallet.ErrFenced):
			t.Fatalf("a store that lost: %v, want ErrFenced", err)
		}
	}
	if won < 0 {
		t.Fatal("no store succeeded")
	}
	same(t, entry(key, 100+uint64(won)), load(t, j, key))
}

func notShared(t *testing.T, s Store) {
	j := s.Open(t)
	given := entry("key", 1)
	store(t, j, 0, given)
	given.Steps[0].Doors[0], given.Steps[1].Err, given.Asked.Spend[0].Mint = "changed", "changed", "changed"
	given.Asked.Asked["amount"], given.Steps[0].Evidence.Nodes[0].Node = "changed", "changed"
	given.Set.Blockhash, given.Set.Transactions[0] = "changed", "changed"
	got := load(t, j, "key")
	same(t, entry("key", 1), got)
	got.Steps[0].Doors[0], got.Overridden[0] = "changed", "changed"
	got.Asked.Asked["amount"], got.Steps[0].Evidence.Nodes[1].Nulls[0].Witnesses = "changed", 99
	got.Set.Blockhash, got.Set.Transactions[1] = "changed", "changed"
	same(t, entry("key", 1), load(t, j, "key"))
}

// otherSchemas has entries of an older and of a newer program in one journal, as in a
// rolling upgrade. Each has to see the other's as they are: by the schema a wallet knows
// which it may take over.
func otherSchemas(t *testing.T, s Store) {
	j := s.Open(t)
	other := j
	if !s.Single {
		other = s.Open(t)
	}
	for i, schema := range []int{1, wallet.Schema, wallet.Schema + 1} {
		e := entry("key", uint64(i)+1)
		if e.Schema = schema; schema == 1 { // it knew less
			e.Asked.Asked, e.Steps[0].Evidence = nil, nil
		}
		store(t, j, uint64(i), e)
		same(t, e, load(t, other, "key"))
		for got, err := range other.List(t.Context(), wallet.Query{Open: true}) {
			if err != nil {
				t.Fatal(err)
			}
			same(t, e, got)
		}
		j, other = other, j
	}
}

// theLedger and theSpend are entries that are no payment.
func theLedger(t *testing.T, s Store) {
	noPayment(t, s, wallet.Entry{Key: "ledger", Ledger: &wallet.Ledger{
		Genesis: "genesis", Final: wallet.Head{Slot: math.MaxUint64, Height: 1},
		Resets: []wallet.Reset{
			{By: "ops", Reason: "a node that lied", At: entry("", 0).SignedAt, Was: wallet.Head{Slot: 3, Height: 2}},
		},
	}})
}

func theSpend(t *testing.T, s Store) {
	noPayment(t, s, wallet.Entry{Key: "spend", Spend: &wallet.Spend{
		Time: entry("", 0).SignedAt,
		Open: []wallet.Debit{{
			Key: "key", ID: "id", Claim: math.MaxUint64,
			Takes: []wallet.Taken{{Mint: "mint", Amount: math.MaxUint64, Cost: 1}},
		}},
		Landed: map[string][]wallet.Landed{"mint": {{At: 1_700_000_000_000, Amount: math.MaxUint64}, {At: 2, Amount: 1}}},
	}})
}

func noPayment(t *testing.T, s Store, e wallet.Entry) {
	j := s.Open(t)
	e.Schema, e.Version, e.State, e.Since = wallet.Schema, 1, wallet.KeyReleased, entry("", 0).Since
	store(t, j, 0, e)
	same(t, e, load(t, j, e.Key))
	if s.Reopen != nil {
		same(t, e, load(t, s.Reopen(t), e.Key))
	}
}

func anyKey(t *testing.T, s Store) {
	j := s.Open(t)
	keys := []string{"a", "A", "a ", "ä", "a'b\"c\\", "%", "_", strings.Repeat("k", 255), "\u2028"}
	for i, key := range keys {
		store(t, j, 0, entry(key, uint64(i)+1))
	}
	for i, key := range keys {
		same(t, entry(key, uint64(i)+1), load(t, j, key))
	}
}

func derivedAnew(t *testing.T, s Store) {
	j := s.Open(t)
	e := entry("derived", 10)
	e.Derived = true
	store(t, j, 0, e)
	e.State, e.Version, e.Untold = wallet.KeyConfirmed, 11, true
	store(t, j, 10, e)
	same(t, e, load(t, j, "derived")) // not to be dropped yet
	e.Version, e.Untold = 12, false
	store(t, j, 11, e)
	// A journal may keep the settled entry or drop it.
	was := load(t, j, "derived").Version
	if was != 0 && was != 12 {
		t.Fatalf("the settled entry is at version %d", was)
	}
	e.State, e.Version = wallet.KeyClaimed, 13
	store(t, j, was, e)
	same(t, e, load(t, j, "derived"))
}

func same(t *testing.T, want, got wallet.Entry) {
	t.Helper()
	w, errWant := json.Marshal(want)
	g, errGot := json.Marshal(got)
	if err := errors.Join(errWant, errGot); err != nil {
		t.Fatal(err)
	}
	if string(w) != string(g) {
		t.Fatalf("the entry is\n%s\nwant\n%s", g, w)
	}
}

func load(t *testing.T, j wallet.Journal, key string) wallet.Entry {
	t.Helper()
	e, err := j.Load(t.Context(), key)
	if err != nil {
		t.Fatalf("Load(%q): %v", key, err)
	}
	return e
}

func store(t *testing.T, j wallet.Journal, was uint64, e wallet.Entry) {
	t.Helper()
	if err := j.Store(t.Context(), was, e); err != nil {
		t.Fatalf("Store(%d, %q at %d): %v", was, e.Key, e.Version, err)
	}
}

func refuse(t *testing.T, j wallet.Journal, was uint64, e wallet.Entry) {
	t.Helper()
	if err := j.Store(t.Context(), was, e); !errors.Is(err, wallet.ErrFenced) {
		t.Fatalf("Store(%d, %q at %d): %v, want ErrFenced", was, e.Key, e.Version, err)
	}
}
