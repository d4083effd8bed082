package signing

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func TestSigners(t *testing.T) {
	asks := txbuild.Memo("x", owner, maker)
	sponsored := func(s *scene) { s.build.Payer = sponsor }
	runVerdicts(t, []verdict{
		refuse("a signer that nobody knows", RuleSigners, asks),
		allow("named", asks).with(func(s *scene) { s.policy.CoSigners = []PublicKey{maker} }),
		allow("named by the intent", asks).with(func(s *scene) { s.intent.CoSigners = []string{maker.String()} }),
		allow("has signed", asks).with(func(s *scene) { s.signedBy = []string{"maker"} }),
		allow("signs late", asks).with(func(s *scene) { s.policy.LateCoSigners = 1 }),
		refuse("one too many", RuleSigners, asks, txbuild.Memo("x", sponsor)).with(func(s *scene) { s.policy.LateCoSigners = 1 }),
		refuse("a foreign fee payer", RuleSigners, txbuild.Memo("x", owner)).with(sponsored),
		allow("a named sponsor", txbuild.Memo("x", owner)).with(sponsored).with(func(s *scene) { s.intent.Sponsor = sponsor.String() }),
		refuse("the owner beside a named sponsor", RuleSigners, asks).with(func(s *scene) { s.intent.Sponsor, s.signedBy = sponsor.String(), []string{"maker"} }),
		allow("the owner as the sponsor", txbuild.Memo("x", owner)).with(func(s *scene) { s.intent.Sponsor = owner.String() }),
		allow("the owner beside the policy's sponsor", txbuild.Memo("x", owner)).with(func(s *scene) { s.policy.Sponsors = []PublicKey{sponsor} }),
		allow("the policy's sponsor", txbuild.Memo("x", owner)).with(sponsored).with(func(s *scene) { s.policy.Sponsors = []PublicKey{sponsor} }),
		refuse("a foreign fee payer who signed", RuleSigners, txbuild.Memo("x", owner)).with(sponsored).with(func(s *scene) { s.signedBy = []string{"sponsor"} }),
		refuse("the owner is not asked", RuleSigners, txbuild.Memo("x")).with(sponsored).with(func(s *scene) { s.intent.Sponsor = sponsor.String() }),
		allow("signed already", asks).with(func(s *scene) { s.signedBy = []string{"owner", "maker"} }),
	})
}

func TestInvalidSignatures(t *testing.T) {
	for _, format := range txbuild.Formats {
		for _, name := range []string{"owner", "maker"} {
			s := ordinary(txbuild.Memo("x", owner, maker)).with(func(s *scene) { s.signedBy = []string{name} })
			tx, err := DecodeBytes(s.bytes(format))
			require.NoError(t, err)
			signer := txwire.Key(keyOf(name).PublicKey())
			tx.wire.Slot(tx.wire.SignerIndex(&signer))[3] ^= 1
			before := tx.Bytes()
			guard := NewGuard(s.policy)
			guard.policy.LateCoSigners = 1
			_, err = guard.signOne(t.Context(), tx, ownerKey, s.intent)
			refusal := wiretest.As[*GuardError](t, err)
			assert.Equal(t, RuleSigners, refusal.Rule)
			assert.Equal(t, before, tx.Bytes())
		}
	}
}

func TestReportNamesSigners(t *testing.T) {
	report := ordinary(txbuild.Memo("x", owner, maker, sponsor)).with(func(s *scene) {
		s.signedBy, s.policy.LateCoSigners = []string{"maker"}, 1
	}).report(t, txbuild.V0)
	assert.Equal(t, []PublicKey{maker}, report.Transactions[0].SignedBy)
	assert.Equal(t, []PublicKey{sponsor}, report.Transactions[0].AwaitsSignaturesOf)
}

func TestLifetime(t *testing.T) {
	at := func(now, end uint64) func(*scene) {
		return func(s *scene) { s.options = []Option{AtBlockHeight(now), WithLastValidBlockHeight(end)} }
	}
	memo := txbuild.Memo("x")
	runVerdicts(t, []verdict{
		refuse("a blockhash of zeros", RuleLifetime, memo).with(func(s *scene) { s.build.Blockhash = PublicKey{} }),
		allow("the service's blockhash", memo).with(func(s *scene) { s.options = []Option{WithBlockhash(someBlockhash.String())} }),
		refuse("another than the service's", RuleLifetime, memo).with(func(s *scene) { s.options = []Option{WithBlockhash(stranger.String())} }),
		allow("ends next", memo).with(at(100, 101)),
		refuse("has ended", RuleLifetime, memo).with(at(100, 100)),
		allow("ends as late as any", memo).with(at(100, 314)),
		refuse("ends later than any", RuleLifetime, memo).with(at(100, 315)),
		refuse("sums past 64 bits", RuleLifetime, memo).with(at(1<<64-1, 5)),
		allow("no end given", memo).with(at(100, 0)),
		allow("no height given", memo).with(at(0, 1<<60)),
	})
}

func TestUnreadableIntent(t *testing.T) {
	cases := map[string]func(*walletfi.Intent){
		"Intent.Owner":      func(i *walletfi.Intent) { i.Owner = "" },
		"Intent.Spend":      func(i *walletfi.Intent) { i.Spend = []walletfi.Asset{{Mint: "nonsense"}} },
		"Intent.Burn":       func(i *walletfi.Intent) { i.Burn = make([]walletfi.Asset, 257) },
		"Intent.PayTo":      func(i *walletfi.Intent) { i.PayTo = []string{""} },
		"Intent.FeeTo":      func(i *walletfi.Intent) { i.FeeTo = []string{""} },
		"Intent.OutputTo":   func(i *walletfi.Intent) { i.OutputTo = []string{friend.String() + "1"} },
		"Intent.Sponsor":    func(i *walletfi.Intent) { i.Sponsor = "0" },
		"Intent.CoSigners":  func(i *walletfi.Intent) { i.CoSigners = []string{""} },
		"Intent.Delegates":  func(i *walletfi.Intent) { i.Delegates = []string{""} },
		"Intent.BurnAll":    func(i *walletfi.Intent) { i.BurnAll = []string{""} },
		"Intent.Receive":    func(i *walletfi.Intent) { i.Receive = []walletfi.Asset{{}} },
		"Intent.ServiceFee": func(i *walletfi.Intent) { i.ServiceFee = []walletfi.Asset{{}} },
	}
	for field, change := range cases {
		t.Run(field, func(t *testing.T) {
			s := ordinary(txbuild.Memo("x"))
			change(&s.intent)
			_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
			invalid := wiretest.As[*walletfi.ValidationError](t, err)
			assert.Equal(t, field, invalid.Field)
			assert.NotErrorIs(t, err, ErrRefused)
		})
	}
	s := ordinary(txbuild.Memo("x"))
	s.options = []Option{WithBlockhash("nonsense")}
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	s = ordinary(txbuild.Memo("x"))
	s.intent.Owner = SystemProgram.String()
	_, _, err = s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

func TestAnotherSigner(t *testing.T) {
	s := ordinary(txbuild.Memo("x", owner, maker)).with(func(s *scene) { s.policy.LateCoSigners = 1 })
	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	report, err := NewGuard(s.policy).signOne(t.Context(), tx, keyOf("maker"), s.intent)
	require.ErrorIs(t, err, ErrRefused)
	assert.Equal(t, RuleSigners, report.Refusal.Rule)
	assert.Equal(t, s.bytes(txbuild.V0), tx.Bytes())
}

func TestZeroGuardAndEndedContext(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, stranger, 10_000))
	_, _, err := s.sign(t, new(Guard), txbuild.V0)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	require.ErrorIs(t, wiretest.Error(new(Guard).signOne(ctx, tx, ownerKey, s.intent)), context.Canceled)
	assert.True(t, tx.Signature().IsZero())
}

func TestGuardKeepsACopyOfItsPolicy(t *testing.T) {
	s := ordinary(txbuild.Call(exchange, nil))
	guard := NewGuard(s.policy)
	s.policy.Pins["swap"][0] = rogue
	_, _, err := s.sign(t, guard, txbuild.V0)
	require.NoError(t, err)
}
