package postgres_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"golang.org/x/crypto/ssh"
)

var payee = signingtest.Key("payee").PublicKey()

// ann approves grants.
var ann = func() ssh.Signer {
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		panic(err)
	}
	return key
}()

// policy lets 3 SOL leave within an hour, 1 SOL of it without a grant, and the client make one owner.
var policy = fmt.Sprintf(`version = 1
genesis = "{{.Genesis}}"
approvals = 1
grant_lasts = "1h"
fees = {network = 5_000}
owner = [{name = "owner", key = "{{.Key}}", ceiling = [{mint = "SOL", transaction = 1_000_000_000,
	unapproved = 500_000_000, window = [{length = "1h", most = 3_000_000_000, unapproved = 1_000_000_000}]}]}]
client = [{name = "client", uid = {{.UID}}, owners = ["owner"], services = [""], share = 100, rate = 1000,
	templates = ["user"]}]
template = [{name = "user", most = 1, made = [{length = "1h", most = 1}],
	ceiling = [{mint = "SOL", transaction = 1_000_000, window = [{length = "1h", most = 1_000_000}]}],
	sum = [{mint = "SOL", window = [{length = "1h", most = 1_000_000}]}]}]
payee = [{name = "payee", address = %q}]
approver = [{name = "ann", key = %q}]
`, payee, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(ann.PublicKey()))))

// pair is two signers on one database.
type pair struct {
	*signertest.Signer
	a, b *signer.Signer
}

func newPair(t *testing.T, change ...func(*signer.Config)) *pair {
	role, _ := newStore(t)
	p := &pair{Signer: signertest.Start(t, policy)}
	p.Config.Seed = signingtest.Key("seed")
	p.a = p.open(t, role)
	for _, f := range change {
		f(&p.Config)
	}
	p.b = p.open(t, role)
	return p
}

// open opens one with an anchor of its own.
func (p *pair) open(t *testing.T, role walletfi.Secret) *signer.Signer {
	cfg := p.Config
	cfg.Anchor = filepath.Join(t.TempDir(), "anchor")
	s, err := opens(role)(t, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	require.NoError(t, s.Settle(t.Context()))
	return s
}

func sign(t *testing.T, s *signer.Signer, q signing.SetRequest) error {
	_, err := s.SignSet(t.Context(), "client", q)
	return err
}

// TestOthers: what one signer has in memory, the other has when it decides.
func TestOthers(t *testing.T) {
	p := newPair(t)
	t.Run("an owner that the other made", func(t *testing.T) {
		made, err := p.a.MakeOwner(t.Context(), "client", protocol.NewOwner{Name: "u", Template: "user"})
		require.NoError(t, err)
		q := p.Payment(t, payee, 1000)
		q.Unsigned.Intent.Owner = made.String()
		require.NotContains(t, fmt.Sprint(sign(t, p.b, q)), "not an owner")
		again, err := p.b.MakeOwner(t.Context(), "client", protocol.NewOwner{Name: "u", Template: "user"})
		require.NoError(t, err)
		require.Equal(t, made, again)
		_, err = p.b.MakeOwner(t.Context(), "client", protocol.NewOwner{Name: "v", Template: "user"})
		require.ErrorContains(t, err, signer.CodeCeiling, "the template has its one owner")
	})
	says := func(s *signer.Signer, g *protocol.Grant, v grant.Verdict) error {
		signature, err := g.Grant.Sign(ann, v)
		require.NoError(t, err)
		_, err = s.Decide(t.Context(), protocol.Verdict{ID: g.Grant.ID, Signature: signature})
		return err
	}
	t.Run("a grant that the other was asked for", func(t *testing.T) {
		q := p.Payment(t, payee, 800_000_000)
		g, err := p.a.AskGrant(t.Context(), "client", protocol.NewGrant{Request: protocol.Request(q)})
		require.NoError(t, err)
		require.NoError(t, says(p.b, g, grant.Approves))
		q.Grant = g.Grant.ID
		require.NoError(t, sign(t, p.a, q))
		require.NoError(t, sign(t, p.b, q), "the same message")
		other := p.Payment(t, payee, 700_000_000)
		other.Grant = g.Grant.ID
		require.ErrorContains(t, sign(t, p.b, other), "used for another set")
	})
	t.Run("a grant that the other was told no for", func(t *testing.T) {
		q := p.Payment(t, payee, 600_000_000)
		g, err := p.a.AskGrant(t.Context(), "client", protocol.NewGrant{Request: protocol.Request(q)})
		require.NoError(t, err)
		require.NoError(t, says(p.b, g, grant.Approves))
		require.NoError(t, says(p.a, g, grant.Denies))
		require.ErrorContains(t, says(p.b, g, grant.Approves), "denied")
		q.Grant = g.Grant.ID
		require.ErrorContains(t, sign(t, p.b, q), "denied")
	})
	t.Run("a freeze", func(t *testing.T) {
		require.NoError(t, p.a.Freeze(t.Context(), "admin", signer.ModeFrozen, "stop"))
		require.ErrorContains(t, sign(t, p.b, p.Payment(t, payee, 1)), signer.CodeFrozen)
		require.NoError(t, p.b.Thaw(t.Context(), "admin", ""))
		require.NoError(t, sign(t, p.a, p.Payment(t, payee, 2)))
	})
	var kinds []string
	require.NoError(t, p.b.Each(t.Context(), func(e signer.Entry) error {
		kinds = append(kinds, e.Kind)
		return nil
	}))
	require.Equal(t, 1, strings.Count(strings.Join(kinds, " "), "owner"))
}

// slowKey signs once it may.
type slowKey struct {
	signing.Signer
	asked, may chan struct{}
}

func (k slowKey) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	k.asked <- struct{}{}
	<-k.may
	return k.Signer.Sign(ctx, message)
}

// TestFreezeOvertakes: a freeze at one signer stops what the other is about to sign.
func TestFreezeOvertakes(t *testing.T) {
	slow := slowKey{asked: make(chan struct{}), may: make(chan struct{})}
	p := newPair(t, func(cfg *signer.Config) {
		slow.Signer = cfg.Keys[0]
		cfg.Keys = []signing.Signer{slow}
	})
	answer := make(chan error, 1)
	q := p.Payment(t, payee, 1000)
	go func() { answer <- sign(t, p.b, q) }()
	<-slow.asked
	require.NoError(t, p.a.Freeze(t.Context(), "admin", signer.ModeFrozen, "stop"))
	close(slow.may)
	require.ErrorContains(t, <-answer, signer.CodeFrozen)
}

// ahead is a clock that is wrong.
type ahead struct{ by time.Duration }

func (a ahead) Now() time.Time { return time.Now().Add(a.by) }

func (a ahead) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

// TestClock: windows go by the database's clock, whatever a process's says; a ledger that is far from
// that freezes.
func TestClock(t *testing.T) {
	p := newPair(t, func(cfg *signer.Config) { cfg.Clock = ahead{time.Hour} })
	require.NoError(t, p.b.Settle(t.Context()))
	here, err := p.a.Health(t.Context())
	require.NoError(t, err)
	there, err := p.b.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, signer.ModeOpen, there.Mode)
	require.WithinDuration(t, here.Time, there.Time, time.Minute)
	require.NoError(t, sign(t, p.b, p.Payment(t, payee, 1000)))

	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true, ManualClock: true})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	apart := time.Since(s.Options().Clock.Now()).Abs()
	require.Greater(t, apart, time.Hour, "the sandbox's time is a fixed one")
	role, _ := newStore(t)
	far := &pair{Signer: signertest.Start(t, policy, s)}
	far.Config.Seed = signingtest.Key("seed")
	frozen, err := far.open(t, role).Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, signer.ModeFrozen, frozen.Mode)
}

// TestTogether: of two payments that fit a ceiling one at a time, of which both signers are asked at once,
// one is signed, again and again.
func TestTogether(t *testing.T) {
	const times = 40
	role, _ := newStore(t)
	payees := ""
	for i := range times {
		payees += fmt.Sprintf(`, {name = "%d", address = %q, ceiling = [{mint = "SOL", transaction = 1_000_000,
	window = [{length = "1h", most = 1_500_000}]}]}`, i, other(i))
	}
	text := strings.Replace(policy, fmt.Sprintf("%q}]", payee), fmt.Sprintf("%q}%s]", payee, payees), 1)
	p := &pair{Signer: signertest.Start(t, text)}
	p.Config.Seed = signingtest.Key("seed")
	p.a, p.b = p.open(t, role), p.open(t, role)
	for i := range times {
		answers := make(chan error, 2)
		for n, s := range []*signer.Signer{p.a, p.b} {
			q := p.Payment(t, other(i), walletfi.Amount(900_000+n))
			go func() { answers <- sign(t, s, q) }()
		}
		first, second := <-answers, <-answers
		if first == nil {
			first, second = second, first
		}
		require.NoError(t, second)
		require.ErrorContains(t, first, signer.CodeWindow)
	}
}

func other(i int) signing.PublicKey { return signingtest.Key(fmt.Sprint("payee ", i)).PublicKey() }
