package world_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// mutations is shared by all cases.
type mutations struct {
	config corpus.Config
	owner  solana.PublicKey
	seals  atomic.Int64 // transactions that only a signature lets pass
}

func newMutations(t *testing.T) *mutations {
	t.Helper()
	seed := sha256.Sum256([]byte("owner of the mutations")) // so that a seed's draws can be repeated
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	require.NoError(t, err)
	m := &mutations{config: corpus.Config{Owner: key.PublicKey(), Seed: 3}, owner: solana.PublicKey(key.PublicKey())}
	hash, _ := newMutationLedger().Blockhash(0)
	m.config.Blockhash = hash
	return m
}

func newMutationLedger() *ledger.Ledger { return ledger.New(5, stillClock{&kit.Core{}}) }

// stillClock stays in the first slot.
type stillClock struct{ *kit.Core }

func (stillClock) Now() time.Time      { return time.Unix(1_700_000_000, 0) }
func (stillClock) CurrentSlot() uint64 { return kit.FirstSlot }

// mutationWorld is a ledger on which one case's transactions are tried.
type mutationWorld struct {
	*ledger.Ledger
	owner solana.PublicKey
}

// worldFor makes a ledger on which the honest transaction succeeds: what an
// account has to hold for that differs, since only an empty one can be closed.
func (m *mutations) worldFor(t *testing.T, c corpus.Case, honest []byte) *mutationWorld {
	t.Helper()
	var why error
	for _, bonk := range []uint64{1_000_000, 0, 40_000, 40_001} {
		for _, pump := range []uint64{1_000_000_000, 0} {
			w := m.world(c, bonk, pump)
			if why = w.execute(honest).err; why == nil {
				return w
			}
		}
	}
	t.Fatalf("the honest transaction fails: %v", why)
	return nil
}

func (m *mutations) world(c corpus.Case, bonk, pump uint64) *mutationWorld {
	l, spec := newMutationLedger(), corpus.NewLedger(m.config)
	l.Blockhash(0)
	for _, mint := range spec.Mints {
		l.PutMint(mint.Address, ledger.NewMint{Program: mint.Program, Decimals: mint.Decimals, Authority: m.owner, FeeBasisPoints: mint.FeeBasisPoints, MaxFee: 1 << 60})
	}
	for wallet, lamports := range spec.Wallets {
		l.Airdrop(wallet, lamports)
	}
	for _, h := range spec.Holdings {
		at := slices.IndexFunc(spec.Mints, func(x corpus.Mint) bool { return x.Address == h.Mint })
		if mint := spec.Mints[at]; solana.PublicKey(h.Wallet) == m.owner {
			switch {
			case mint.FeeBasisPoints > 0:
				h.Amount = pump
			case mint.Decimals == 5:
				h.Amount = bonk
			}
		}
		l.MintTo(h.Wallet, h.Mint, h.Amount)
	}
	for _, a := range spec.Accounts {
		data := make([]byte, 165)
		copy(data, a.Mint[:])
		copy(data[32:], a.Owner[:])
		binary.LittleEndian.PutUint64(data[64:], a.Amount)
		data[108] = 1
		l.Put(a.Address, ledger.Account{Lamports: ledger.Rent(165), Owner: a.Program, Data: data})
		if at := slices.IndexFunc(spec.Mints, func(x corpus.Mint) bool { return x.Address == a.Mint }); spec.Mints[at].FeeBasisPoints > 0 {
			like := l.Account(ledger.Associated(a.Owner, a.Mint, a.Program)) // with room for what is withheld
			binary.LittleEndian.PutUint64(like.Data[64:], a.Amount)
			l.Put(a.Address, *like)
		}
	}
	for _, program := range spec.Programs {
		l.Register(program, func(*ledger.Invocation) {})
	}
	for table, held := range c.Lookups {
		keys := make([]solana.PublicKey, len(held))
		for i, k := range held {
			keys[i] = k
		}
		l.PutTable(table, keys)
	}
	nonce := make([]byte, 80)
	binary.LittleEndian.PutUint32(nonce, 1)
	binary.LittleEndian.PutUint32(nonce[4:], 1)
	copy(nonce[8:], spec.Nonce.Authority[:])
	copy(nonce[40:], spec.Nonce.Value[:])
	l.Put(spec.Nonce.Account, ledger.Account{Lamports: ledger.Rent(80), Data: nonce})
	for _, s := range c.Policy.Simulations { // an account that is gone afterwards was there as it was shown
		for key, before := range s.Before {
			if after, there := s.After[key]; !there || after.Lamports == 0 {
				l.Put(key, ledger.Account{Lamports: before.Lamports, Owner: before.Owner, Data: before.Data})
			}
		}
	}
	return &mutationWorld{l, m.owner}
}

// outcome is the effect of a transaction on the owner.
type outcome struct {
	err   error
	loss  map[string]uint64 // by mint, SOL with all that is wrapped or rent
	taken []string          // powers over the owner's accounts that others got
}

// execute tries a transaction without keeping what it does. Signatures are
// taken as given: the owner's would be, and co-signers sign what they get.
func (w *mutationWorld) execute(raw []byte) *outcome {
	s, err := w.Simulate(raw, false, false)
	if err != nil {
		return &outcome{err: err}
	}
	o := &outcome{loss: map[string]uint64{}}
	if s.Err != nil {
		o.err = s.Err
		return o
	}
	before, after := map[string]uint64{}, map[string]uint64{}
	for key := range s.Accounts {
		w.count(before, key, w.Account(key))
		o.taken = append(o.taken, w.count(after, key, s.Touched(w.Ledger, key))...)
	}
	for mint, had := range before {
		if has := after[mint]; has < had {
			o.loss[mint] = had - has
		}
	}
	return o
}

// count adds what an account holds for the owner, and returns who else has
// power over it.
func (w *mutationWorld) count(to map[string]uint64, key solana.PublicKey, a *ledger.Account) (others []string) {
	if a == nil {
		return nil
	}
	if key == w.owner {
		to[walletfi.NativeMint] += a.Lamports
		if !a.Owner.IsZero() || len(a.Data) > 0 {
			others = append(others, "program "+a.Owner.String())
		}
		return others
	}
	token, ok := ledger.AsToken(a)
	if !ok || token.Owner() != w.owner {
		return nil
	}
	to[walletfi.NativeMint] += a.Lamports
	if !token.Native() {
		to[token.Mint().String()] += token.Amount()
	}
	if d, ok := token.Delegate(); ok && d != w.owner {
		others = append(others, d.String())
	}
	if c, ok := token.CloseAuthority(); ok {
		others = append(others, "close authority "+c.String())
	}
	return others
}

// broken says how an outcome is past what was asked for, empty if it is
// not.
func (o *outcome) broken(c corpus.Case) string {
	most := caps(c.Unsigned.Intent)
	for mint, loss := range o.loss {
		if loss > most[mint] && !slices.Contains(c.Unsigned.Intent.BurnAll, mint) {
			return fmt.Sprintf("%d of %s lost, %d allowed", loss, mint, most[mint])
		}
	}
	for _, other := range o.taken {
		if !slices.Contains(c.Unsigned.Intent.Delegates, other) {
			return other + " has power over an account of the owner's"
		}
	}
	return ""
}

// noWorse reports whether the owner lost no more of anything than by another
// outcome.
func (o *outcome) noWorse(than *outcome) bool {
	for mint, loss := range o.loss {
		if loss > than.loss[mint] {
			return false
		}
	}
	return len(o.taken) <= len(than.taken)
}
