package world_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// tally counts what became of changed transactions.
type tally struct {
	changes, refused, executed, failed, sameOrBetter, withinCaps int
	exempt                                                       map[string]int
}

func (a *tally) add(b *tally) {
	a.changes += b.changes
	a.refused += b.refused
	a.executed += b.executed
	a.failed += b.failed
	a.sameOrBetter += b.sameOrBetter
	a.withinCaps += b.withinCaps
	for what, n := range b.exempt {
		a.exempt[what] += n
	}
}

// TestGuardMutations changes every byte of every honest transaction that says
// who gets what from whom, one at a time. What the guard still signs is carried
// out on the ledger, and the owner has to be no worse off than the request
// allowed. The bytes are changed before anybody signs: a co-signer's signature
// would refuse each change whatever it does, see [mutations.sealed].
func TestGuardMutations(t *testing.T) {
	// Every change allocates and little stays live: rare collections save CPU.
	defer debug.SetGCPercent(debug.SetGCPercent(1600))
	m := newMutations(t)
	total, done := tally{exempt: map[string]int{}}, map[string]bool{}
	var mu sync.Mutex
	t.Run("cases", func(t *testing.T) {
		for n, benign := range corpus.Benigns(m.config) {
			if underRace && n%10 != 0 || benign.Rule == "too.complex" {
				continue // of the latter nearly each change takes all the steps there are
			}
			if done[benign.Shape] && n%*mutationStep != 0 && !*exhaustive {
				continue // a sample of the shape's further formats
			}
			thorough := !done[benign.Shape] && !underRace && len(done)%*mutationStep == 0 // of the other shapes each bit is turned
			done[benign.Shape] = true
			t.Run(benign.Name, func(t *testing.T) {
				t.Parallel()
				m.sealed(t, benign.Case)
				counted := m.mutate(t, unsigned(t, benign.Case), thorough)
				mu.Lock()
				defer mu.Unlock()
				total.add(counted)
			})
		}
	})
	t.Logf("%d shapes, %d changes of a byte: %d refused, %d signed and executed", len(done), total.changes, total.refused, total.executed)
	t.Logf("of those executed %d failed, %d left the owner as well off as the honest one or better, %d worse but within what was asked for",
		total.failed, total.sameOrBetter, total.withinCaps)
	var exempt strings.Builder
	for _, what := range slices.Sorted(maps.Keys(total.exempt)) {
		fmt.Fprintf(&exempt, "\n%8d bytes of %s", total.exempt[what], what)
	}
	t.Logf("exempt: %s", exempt.String())
	require.Positive(t, m.seals.Load(), "some are signed by others before")
	require.Greater(t, total.executed, 100)
	require.Greater(t, total.refused, total.executed)
}

// mutate changes each transaction of a case.
func (m *mutations) mutate(t *testing.T, c corpus.Case, thorough bool) *tally {
	counted := &tally{exempt: map[string]int{}}
	guard, options := hold.Guard(c), hold.Options(c)
	for i, encoded := range c.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		raw := tx.Bytes()
		world := m.worldFor(t, c, raw)
		honest := world.execute(raw)
		require.NoError(t, honest.err, "the honest one is carried out")
		require.Empty(t, honest.broken(c), "and does what was asked")
		fields, exempt := mutable(tx)
		for what, n := range exempt {
			counted.exempt[what] += n
		}
		text := newChangedText(raw)
		u := c.Unsigned
		u.Transactions = slices.Clone(u.Transactions)
		for _, f := range fields {
			for _, value := range f.values(raw[f.at], thorough) {
				u.Transactions[i] = text.with(f.at, value)
				counted.changes++
				if _, _, err := guard.CheckSet(t.Context(), u, options...); err != nil {
					if !errors.Is(err, signing.ErrRefused) && c.Policy.Tables == nil && c.Policy.Simulations == nil {
						t.Errorf("byte %d (%s) as %d: %v", f.at, f.what, value, err)
					}
					counted.refused++
					continue
				}
				changed := slices.Clone(raw)
				changed[f.at] = value
				m.judge(t, c, world, honest, changed, f, counted)
			}
		}
	}
	return counted
}

// judge carries out what the guard let pass.
func (m *mutations) judge(t *testing.T, c corpus.Case, w *mutationWorld, honest *outcome, changed []byte, f byteField, counted *tally) {
	after := w.execute(changed)
	counted.executed++
	switch why := after.broken(c); {
	case after.err != nil:
		counted.failed++
	case why != "":
		t.Errorf("byte %d (%s) as %d: %s", f.at, f.what, changed[f.at], why)
	case after.noWorse(honest):
		counted.sameOrBetter++
	default:
		counted.withinCaps++
	}
}

// caps are what an intent lets go of each mint, SOL with rent and fees.
func caps(i walletfi.Intent) map[string]uint64 {
	most := map[string]uint64{}
	for _, list := range [][]walletfi.Asset{i.Spend, i.Burn, i.ServiceFee} {
		for _, a := range list {
			most[a.Mint] += uint64(a.Amount)
		}
	}
	rent, fee := walletfi.Amount(signing.DefaultMaxRentLamports), walletfi.Amount(signing.DefaultMaxNetworkFeeLamports)
	if i.MaxRentLamports != nil {
		rent = *i.MaxRentLamports
	}
	if i.MaxNetworkFeeLamports != nil {
		fee = *i.MaxNetworkFeeLamports
	}
	most[walletfi.NativeMint] += uint64(i.TipLamports + rent + i.MaxForeignRentLamports + fee)
	return most
}

// unsigned is a case before anybody has signed: its slots are empty, and as many
// signers as had signed may sign late.
func unsigned(t *testing.T, c corpus.Case) corpus.Case {
	t.Helper()
	late, transactions := 0, slices.Clone(c.Unsigned.Transactions)
	for i, encoded := range transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		raw, signed := tx.Bytes(), 0
		for _, s := range tx.Signatures() {
			if s.IsZero() {
				continue
			}
			at := bytes.Index(raw, s[:])
			clear(raw[at : at+len(s)])
			signed++
		}
		if late = max(late, signed); signed > 0 {
			transactions[i] = walletfi.Base64Transaction(newChangedText(raw).text)
		}
	}
	c.Unsigned.Transactions = transactions
	c.Policy.LateCoSigners += late
	return c
}

// sealed changes each byte of a transaction that a signer has signed whom the
// caller did not name, to one value. No change is signed.
func (m *mutations) sealed(t *testing.T, c corpus.Case) {
	t.Helper()
	guard, options := hold.Guard(c), hold.Options(c)
	u := c.Unsigned
	for i, encoded := range c.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		if !m.vouched(c, tx) {
			continue
		}
		raw := tx.Bytes()
		text := newChangedText(raw)
		u.Transactions = slices.Clone(c.Unsigned.Transactions)
		fields, _ := mutable(tx)
		require.NotEmpty(t, fields)
		for _, f := range fields {
			u.Transactions[i] = text.with(f.at, raw[f.at]^1)
			_, _, err := guard.CheckSet(t.Context(), u, options...)
			require.ErrorIs(t, err, signing.ErrRefused, "byte %d (%s)", f.at, f.what)
		}
		m.seals.Add(1)
	}
}

// vouched reports whether a signature is all that lets a signer pass: the
// caller does not name it.
func (m *mutations) vouched(c corpus.Case, tx *signing.Transaction) bool {
	named := slices.Concat(c.Policy.Sponsors, c.Policy.CoSigners, []corpus.Key{corpus.Key(m.owner)})
	for i, key := range tx.Signers() {
		if !tx.Signatures()[i].IsZero() && !slices.Contains(named, corpus.Key(key)) &&
			!slices.Contains(append(slices.Clone(c.Unsigned.Intent.CoSigners), c.Unsigned.Intent.Sponsor), key.String()) {
			return true
		}
	}
	return false
}
