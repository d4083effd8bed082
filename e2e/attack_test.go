package e2e

import (
	"encoding/base64"
	"errors"
	"flag"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

var everyAttack = flag.Bool("attacks.all", false, "play each attack through every builder, and not through a tenth of them")

// attackStep is how many attacks of the corpus are passed over to the next that a builder
// has its turn with; the builders begin one after the other.
func attackStep() int {
	if *everyAttack {
		return 1
	}
	return 10
}

// attacker answers every builder of every service with attacks of the corpus,
// on the blockhash of the transaction whose place they take.
type attacker struct {
	all   map[signing.PublicKey][]corpus.Attack // by blockhash
	count int
	at    int // the attack that is played
	built int // transactions of the present answer
}

func newAttacker(t *testing.T, s *sandbox.Sandbox) *attacker {
	t.Helper()
	a := &attacker{all: map[signing.PublicKey][]corpus.Attack{}}
	owner := signing.MustPublicKey(s.WalletAddress())
	a.count = len(corpus.Attacks(corpus.Config{Owner: owner, Seed: 9}))
	return a
}

// play is an argument of Sandbox.Attack.
func (a *attacker) play(_ string, honest []byte, owner [32]byte) []byte {
	tx, err := signing.DecodeBytes(honest)
	if err != nil {
		return nil
	}
	attacks, ok := a.all[tx.Blockhash()]
	if !ok {
		attacks = corpus.Attacks(corpus.Config{Owner: owner, Seed: 9, Blockhash: tx.Blockhash()})
		a.all[tx.Blockhash()] = attacks
	}
	set := attacks[a.at].Unsigned.Transactions
	encoded := set[(attacks[a.at].Robs+a.built)%len(set)]
	a.built++
	return bytesOf(encoded)
}

// bytesOf reads a text as leniently as a careless service would.
func bytesOf(encoded walletfi.EncodedTransaction) []byte {
	text := encoded.String()
	if b58, ok := encoded.(walletfi.Base58Transaction); ok {
		if b64, err := b58.Base64(); err == nil {
			text = string(b64)
		}
	}
	text = strings.TrimRight(strings.NewReplacer("\r", "", "\n", "", " ", "", "-", "+", "_", "/").Replace(text), "=")
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return []byte(text[:min(len(text), 1000)])
	}
	return raw
}

// TestEveryAttackThroughEveryBuilder: whatever a service answers, none of it
// is signed, under the intent that the client derived from the request. The
// builders are dealt out to sandboxes that work at the same time. Without -attacks.all
// each attack is played through a tenth of the builders.
func TestEveryAttackThroughEveryBuilder(t *testing.T) {
	// Every attack allocates and little stays live: rare collections save CPU.
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	const sandboxes = 4
	var played [sandboxes]plays
	t.Run("sandboxes", func(t *testing.T) {
		for n := range played {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				played[n] = playAll(t, n, sandboxes)
			})
		}
	})
	var all plays
	for _, p := range played {
		require.Equal(t, played[0].attacks, p.attacks, "each plays the same attacks")
		all.builders += p.builders
		all.refused += p.refused
		all.undecodable += p.undecodable
	}
	require.Equal(t, played[0].of, all.builders, "each builder has its turn")
	expected := 0
	for i := range all.builders {
		expected += len(attacksOf(i, played[0].attacks))
	}
	require.Equal(t, expected, all.refused+all.undecodable)
	t.Logf("%d attacks through %d builders: %d refused by the guard, %d no transaction to the client, none signed",
		played[0].attacks, all.builders, all.refused, all.undecodable)
}

// attacksOf lists the attacks, of count, that builder i has its turn with.
func attacksOf(i, count int) (turns []int) {
	for at := i % attackStep(); at < count; at += attackStep() {
		turns = append(turns, at)
	}
	return turns
}

// plays counts what became of attacks.
type plays struct {
	attacks      int // of the corpus
	builders, of int
	refused      int // by the guard
	undecodable  int // no transaction to the client
}

// playAll plays every attack through every builder of whose index n is the
// remainder, on a sandbox of its own.
func playAll(t *testing.T, n, of int) plays {
	s := flows.Start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: 1})
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	guard := signing.NewGuard(flows.Policy(s))
	builders := flows.Builders(t, s)
	a := newAttacker(t, s)
	p := plays{attacks: a.count, of: len(builders)}
	for i, b := range builders {
		if i%of != n {
			continue
		}
		p.builders++
		if b.Prepare != nil {
			b.Prepare()
		}
		began, before := time.Now(), holdings(s)
		s.Attack(a.play)
		turns := attacksOf(i, a.count)
		require.NotEmpty(t, turns)
		for _, a.at = range turns {
			a.built = 0
			u, err := b.Build(t.Context())
			if err != nil { // the client did not take it for a transaction, or for two different ones
				refused := errors.Is(err, walletfi.ErrDecode) || errors.Is(err, walletfi.ErrMismatch)
				require.True(t, refused, "%s of %s: %v", b.Name, b.Service, err)
				p.undecodable++
				continue
			}
			require.Positive(t, a.built, "%s of %s", b.Name, b.Service)
			txs, report, err := guard.SignSet(t.Context(), u, key)
			if !errors.Is(err, signing.ErrRefused) || len(txs) > 0 {
				t.Fatalf("%s of %s: signed, or failed with %v\n%s\n%s", b.Name, b.Service, err, a.named(), report)
			}
			p.refused++
		}
		s.Attack(nil)
		require.Equal(t, before, holdings(s), "the wallet is as it was")
		u, err := b.Build(t.Context()) // and honest again
		require.NoError(t, err)
		_, report, err := guard.CheckSet(t.Context(), u)
		require.NoError(t, err, "%s of %s: %s", b.Name, b.Service, report)
		t.Logf("%-14s %-26s %d attacks in %v", b.Service, b.Name, len(turns), time.Since(began).Round(time.Millisecond))
	}
	require.Empty(t, s.Violations())
	return p
}

// named is the name of the attack that is played.
func (a *attacker) named() string {
	for _, attacks := range a.all {
		return attacks[a.at].Name + " of rule " + attacks[a.at].Rule
	}
	return "no attack"
}

// holdings is all that the wallet has.
func holdings(s *sandbox.Sandbox) map[string]uint64 {
	l, me := s.Ledger(), s.WalletAddress()
	all := map[string]uint64{"lamports": l.Balance(me)}
	for _, token := range s.Ledger().Tokens() {
		all[token.Symbol] = l.TokenBalance(me, token.Mint)
	}
	return all
}
